/* Allocates in regions, and says how much: a line `NAME allocations frees bytes_allocated bytes_freed` for each. */
#include "expect.h"

#include <errno.h>
#include <hiera.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, EACH = 20000, SMALL_REGIONS = 20000 };

typedef struct Tally {
    long allocations, frees;
    size_t allocated, freed;
} Tally;

static void *early;

/* Before the constructors of other libraries. */
__attribute__((constructor(101))) static void begin_early(void)
{
    early = calloc(3, 100);
}

static void *take(Tally *tally, void *block)
{
    *(volatile char *)block = 1;
    tally->allocations++;
    tally->allocated += malloc_usable_size(block);
    return block;
}

static void *give(Tally *tally, void *block)
{
    tally->frees++;
    tally->freed += malloc_usable_size(block);
    return block;
}

static void say(const char *name, const Tally *tally)
{
    printf("%s %ld %ld %zu %zu\n", name, tally->allocations, tally->frees, tally->allocated, tally->freed);
}

static Tally each_function(void)
{
    Tally tally = {0};
    HIERA_REGION("app", "functions", NULL);
    void *aligned;
    char *text = take(&tally, strdup("a text"));
    void *blocks[] = {take(&tally, malloc(1)), take(&tally, malloc(100000)), take(&tally, calloc(10, 100)), take(&tally, realloc(NULL, 10)),
                      take(&tally, aligned_alloc(256, 512)), take(&tally, memalign(64, 100)), take(&tally, valloc(10)), take(&tally, pvalloc(10)),
                      take(&tally, reallocarray(NULL, 7, 9)), posix_memalign(&aligned, 128, 1000) == 0 ? take(&tally, aligned) : NULL};
    give(&tally, blocks[1]);
    blocks[1] = take(&tally, realloc(blocks[1], 5000000));
    give(&tally, blocks[1]);
    blocks[1] = take(&tally, reallocarray(blocks[1], 100, 1000));
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        free(give(&tally, blocks[i]));
    free(give(&tally, text));
    free(NULL);
    free(give(&tally, early));
    volatile size_t huge = SIZE_MAX / 4;
    if (malloc(huge) || calloc(huge, 8) || reallocarray(NULL, huge, 8) || errno != ENOMEM)
        puts("too much memory");
    return tally;
}

/* What the collector itself needs meanwhile is not the program's: names, call sites, full buffers. */
static void no_function(void)
{
    HIERA_REGION("app", "nothing", NULL);
    for (int i = 0; i < SMALL_REGIONS; i++) {
        HIERA_REGION("app", "small", "%d", i);
    }
}

static void *thread(void *unused)
{
    (void)unused;
    HIERA_REGION("app", "thread", NULL);
    for (int i = 0; i < EACH; i++)
        free(take(&(Tally){0}, malloc(24)));
    return NULL;
}

static void threads(void)
{
    pthread_t all[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&all[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
    for (int i = 0; i < THREADS; i++)
        printf("thread %d %d %d %d\n", EACH, EACH, EACH * 24, EACH * 24);
}

static void child(void)
{
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        free(take(&(Tally){0}, malloc(1000)));
        _exit(7);
    }
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
        puts("the child failed");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Tally tally = each_function();
    say("functions", &tally);
    no_function();
    puts("nothing 0 0 0 0");
    threads();
    child();
    double held;
    printf("held %d\n", hiera_counter_read("malloc:held", &held) && held > 0);
    MPI_Finalize();
    return 0;
}
