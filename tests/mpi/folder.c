/* Programs for hostile folders and limits; the first argument names which. Their output and exit code are part of the
 * test. */
#include <hiera.h>
#include <mpi.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int rank, argument, second;
static volatile sig_atomic_t signals;

static void steps(int n)
{
    for (int i = 0; i < n; i++) {
        hiera_begin("app", "step", NULL);
        MPI_Barrier(MPI_COMM_SELF);
        hiera_end();
    }
}

static int lots(void)
{
    steps(argument);
    printf("done %d\n", argument);
    return 0;
}

static void on_limit(int number)
{
    (void)number;
    signals++;
}

/* The first argument is the size that no file may exceed. A write of the program's own is answered as ever. */
static int limited(void)
{
    char bytes[16] = "";
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)argument, (rlim_t)argument});
    steps(second / 2);
    signal(SIGXFSZ, on_limit);
    steps(second - second / 2);
    int before = signals, file = open("own", O_RDWR | O_CREAT, 0666);
    ssize_t written = pwrite(file, bytes, sizeof bytes, argument);
    printf("done %d, signals %d, own write %zd, signals %d\n", second, before, written, (int)signals);
    return 3;
}

static const struct {
    const char *name;
    int (*run)(void);
} modes[] = {{"lots", lots}, {"limited", limited}};

int main(int argc, char **argv)
{
    int result = 95;
    argument = argc > 2 ? atoi(argv[2]) : 0;
    second = argc > 3 ? atoi(argv[3]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
            result = modes[i].run();
    MPI_Finalize();
    return result;
}
