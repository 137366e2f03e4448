/* Damaged executables that are predicted: execution graphs, with all reductions, and two processes that walk through
 * them. The bytes are a file in memory. */
#include "execution/graph/graph_report.h"
#include "execution/run.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PROCESSES = 2, MOST_RUNS = 4 };

static void walk(HieraExecution *execution)
{
    char word[] = "4", *arguments[] = {word, NULL};
    HieraWalkOptions options = {.loops = {HIERA_DRAW_EXPONENTIAL, 5, 2, 50},
                                .branches = {HIERA_DRAW_NORMAL, 0.5, 0.1},
                                .cycle_ps = 500,
                                .factor = 1,
                                .message_bytes = 1000,
                                .arguments = arguments,
                                .n_processes = PROCESSES,
                                .seed = 1,
                                .most_walked = 100000};
    const HieraNetwork network = {.latency_ps = 1000000, .ps_per_byte = 100, .eager_bytes = 65536};
    const HieraMachine machine = {.n_ranks = PROCESSES, .between = network, .inside = network};
    for (guint i = 0; i < MOST_RUNS && (i == 0 || hiera_execution_extend(execution)); i++) {
        g_auto(HieraExecutionRun) run = {0};
        hiera_walk_prepare(execution, &options);
        if (hiera_execution_run(execution, &options, &machine, NULL, &run, NULL) && run.result.end_ps < 0)
            abort();
    }
    g_free(options.decided);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("executable", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const HieraReductions all[] = {0, HIERA_REDUCE_PASSAGES | HIERA_REDUCE_GROUPINGS | HIERA_REDUCE_BRANCHES};
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        g_autoptr(HieraExecution) execution = hiera_execution_new(path, NULL, NULL);
        if (!execution)
            break;
        if (all[i])
            hiera_execution_reduce(execution, all[i]);
        walk(execution);
    }
    close(fd);
    return 0;
}
