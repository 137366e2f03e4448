/* Spawned processes: command, arguments and error codes, for one command and for several. The children run this program
 * too. */
#include "expect.h"
#include "unseen.h"

static int rank, size;

static void start(const char *path)
{
    char child[] = "child", two_words[] = "two words", its[] = "it's";
    char *arguments[] = {child, two_words, its, NULL}, *none[] = {child, NULL};
    char **lists[] = {none, arguments}, *commands[] = {(char *)path, (char *)path};
    int codes[3], counts[] = {1, 2};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm children;
    if (rank == 0)
        EXPECT("comm_spawn", "command=%s argv=\"child 'two words' 'it'\\\\''s'\" maxprocs=2 info=MPI_INFO_NULL root=0", path);
    else
        EXPECT("comm_spawn", "root=0");
    ALSO("comm=MPI_COMM_WORLD newcomm=* %s", rank == 0 ? "errcodes='0 0'" : "");
    MPI_Comm_spawn(path, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    EXPECT("comm_disconnect", "comm=*");
    MPI_Comm_disconnect(&children);
    if (rank == 0)
        EXPECT("comm_spawn_multiple", "count=2 commands='%s %s' argv=\"child ; child 'two words' 'it'\\\\''s'\" maxprocs='1 2'", path, path);
    else
        EXPECT("comm_spawn_multiple", "root=0");
    ALSO("%s comm=MPI_COMM_WORLD newcomm=*", rank == 0 ? "infos='MPI_INFO_NULL MPI_INFO_NULL' root=0 errcodes='0 0 0'" : "");
    MPI_Comm_spawn_multiple(2, commands, lists, counts, infos, 0, MPI_COMM_WORLD, &children, codes);
    EXPECT("comm_disconnect", "comm=*");
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        MPI_Comm parent;
        UNSEEN(Init)(&argc, &argv);
        UNSEEN(Comm_get_parent)(&parent);
        UNSEEN(Comm_disconnect)(&parent);
        return UNSEEN(Finalize)();
    }
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    start(argv[0]);
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
