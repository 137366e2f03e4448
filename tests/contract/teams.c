/* teams N...: of each N, so many empty parallel regions, or if it is negative, locks that nobody else has; then how
 * much memory the process has taken by now, and for callgrind a dump. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS
#endif

static void run(int n)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i > n; i--) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < n; i++) {
#pragma omp parallel
        __asm__ volatile("" : : "g"(i) : "memory");
    }
}

static long most_kb(void)
{
    char line[256];
    long kb = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kb = atol(line + 6);
    if (file)
        fclose(file);
    return kb;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        CALLGRIND_START_INSTRUMENTATION;
        run(atoi(argv[i]));
        CALLGRIND_STOP_INSTRUMENTATION;
        CALLGRIND_DUMP_STATS;
        printf("kb %ld\n", most_kb());
    }
    return 0;
}
