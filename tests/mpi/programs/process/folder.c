/* Programs for unusual folders and for limits. The first argument says which. The case checks output and exit
 * code. */
#include <hiera.h>
#include <mpi.h>
#include <fcntl.h>
#include <pthread.h>
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

/* The first argument is the file size limit. The program's own writes beyond it must still raise SIGXFSZ. */
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

/* Wait until a file "go" exists. */
static int waits(void)
{
    steps(argument);
    while (access("go", F_OK) != 0)
        usleep(1000);
    steps(argument);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("waited\n");
    return 0;
}

static struct rlimit before;

/* Limit memory to what is used now and `more` bytes. The limit is lifted before MPI, which does not check for it,
 * ends. */
static void limit_memory(long more)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        exit(94);
    fclose(file);
    getrlimit(RLIMIT_AS, &before);
    struct rlimit limit = before;
    limit.rlim_cur = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + more);
    setrlimit(RLIMIT_AS, &limit);
}

static void give_memory_back(void)
{
    setrlimit(RLIMIT_AS, &before);
}

/* Nested regions, each with a barrier before and after. */
static void scopes(int depth)
{
    HIERA_REGION("app", "scope", NULL);
    steps(1);
    if (depth > 1)
        scopes(depth - 1);
    steps(1);
}

static void plain(int depth)
{
    for (int i = 0; i < depth; i++) {
        hiera_begin("app", "plain", NULL);
        steps(1);
    }
    for (int i = 0; i < depth; i++) {
        steps(1);
        hiera_end();
    }
}

/* Let the stack grow beforehand by as much as the nested regions need. */
static void grow_stack(void)
{
    volatile char room[6 << 20];
    for (size_t i = 0; i < sizeof room; i += 4096)
        room[i] = 0;
}

/* The second argument: by how many bytes memory may grow. The limit is lifted at the end. */
static int nested(void)
{
    steps(1);
    grow_stack();
    limit_memory(second);
    plain(argument);
    scopes(argument);
    hiera_begin("app", "last", NULL);
    hiera_end();
    give_memory_back();
    printf("nested %d\n", argument);
    return 0;
}

static pthread_barrier_t together;

static void *unattached(void *none)
{
    pthread_barrier_wait(&together);
    pthread_barrier_wait(&together);
    steps(argument);
    return none;
}

static int thread_without_memory(void)
{
    pthread_t thread;
    steps(1);
    pthread_barrier_init(&together, NULL, 2);
    pthread_create(&thread, NULL, unattached, NULL);
    pthread_barrier_wait(&together);
    limit_memory(0);
    pthread_barrier_wait(&together);
    pthread_join(thread, NULL);
    give_memory_back();
    printf("joined\n");
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} modes[] = {{"lots", lots}, {"limited", limited}, {"waits", waits}, {"lingers", lots}, {"nested", nested},
           {"thread-without-memory", thread_without_memory}};

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
    if (argc > 1 && strcmp(argv[1], "lingers") == 0)
        usleep(300000);
    return result;
}
