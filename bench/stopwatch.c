/* Run a program and report one line: wall time until the process has ended (with the destructors of libraries),
 * processor time, peak memory, page faults, and times that the program reports itself.
 *
 * Usage: stopwatch PROGRAM [ARGUMENT…], also under mpirun. stopwatch is a small process, because the kernel counts peak
 * memory from the size of the process that forks. */
#include "bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
    int report[2];
    pid_t child;
    if (argc < 2 || pipe(report) != 0)
        return 2;
    char number[16], said[256] = "";
    snprintf(number, sizeof number, "%d", report[1]);
    setenv(BENCH_REPORT_FD, number, 1);
    fcntl(report[0], F_SETFD, FD_CLOEXEC);

    int64_t begin = bench_now_ns();
    if (posix_spawnp(&child, argv[1], NULL, NULL, argv + 1, environ) != 0) {
        perror(argv[1]);
        return 2;
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0)
        ;
    int64_t end = bench_now_ns();
    fcntl(report[0], F_SETFL, O_NONBLOCK);
    ssize_t n = read(report[0], said, sizeof said - 1);
    said[n > 0 ? n : 0] = '\0';
    said[strcspn(said, "\n")] = '\0';
    long long processor = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ll +
                          (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ll;
    printf("\nbench: begin=%lld end=%lld all_processor=%lld kb=%ld faults=%ld status=%d %s\n", (long long)begin,
           (long long)end, processor, usage.ru_maxrss, usage.ru_minflt + usage.ru_majflt, status, said);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
