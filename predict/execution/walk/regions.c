/* OpenMP regions as compiled by GCC: each is a function that the runtime calls in all threads. It is walked once, as by
 * a single thread that does all the work, so that results are those of any number of threads; its time is that work
 * divided by the number of threads (HieraWalkOptions). Loops and sections that the runtime distributes are given to
 * that thread as a whole. See process.h. */
#include "library.h"
#include <string.h>

/* Functions that begin a region. `first`: index of the argument with the begin of a loop, or with the number of
 * sections. The first arguments of all are the region's function and its data. */
static const struct {
    const char *name;
    guint8 first;
    gboolean is_loop, is_sections;
} kinds[] = {
    {"GOMP_parallel", 0, FALSE, FALSE},
    {"GOMP_parallel_reductions", 0, FALSE, FALSE},
    {"GOMP_task", 0, FALSE, FALSE},
    {"GOMP_parallel_sections", 3, FALSE, TRUE},
    {"GOMP_parallel_loop_static", 3, TRUE, FALSE},
    {"GOMP_parallel_loop_dynamic", 3, TRUE, FALSE},
    {"GOMP_parallel_loop_guided", 3, TRUE, FALSE},
    {"GOMP_parallel_loop_runtime", 3, TRUE, FALSE},
    {"GOMP_parallel_loop_nonmonotonic_dynamic", 3, TRUE, FALSE},
    {"GOMP_parallel_loop_nonmonotonic_guided", 3, TRUE, FALSE},
    {"GOMP_parallel_loop_nonmonotonic_runtime", 3, TRUE, FALSE},
    {"GOMP_parallel_loop_maybe_nonmonotonic_runtime", 3, TRUE, FALSE},
};

static void share_out(HieraProcess *process, guint first)
{
    HieraKnown begin = hiera_process_argument(process, first), end = hiera_process_argument(process, first + 1);
    process->shared = (HieraShared){.has_loop = TRUE, .known = begin.known && end.known, begin.bits, end.bits};
}

static void share_sections(HieraProcess *process, guint argument)
{
    HieraKnown n = hiera_process_argument(process, argument);
    process->shared = (HieraShared){.known = n.known, .n_sections = (guint32)n.bits};
}

gboolean hiera_region_begins(HieraProcess *process, const char *name, HieraKnown *function)
{
    for (guint i = 0; name && i < G_N_ELEMENTS(kinds); i++) {
        if (strcmp(name, kinds[i].name) != 0)
            continue;
        if (kinds[i].is_loop)
            share_out(process, kinds[i].first);
        if (kinds[i].is_sections)
            share_sections(process, kinds[i].first);
        *function = hiera_process_argument(process, 0);
        process->state.registers[HIERA_RDI] = hiera_process_argument(process, 1);
        return function->known;
    }
    return FALSE;
}

/* --- what a region's function asks of the OpenMP runtime --- */

/* Give the whole loop to the caller, once: write its begin and end to where two arguments point, and return 1; then 0.
 */
static void give_loop(HieraProcess *process, HieraReturned *returned, guint first)
{
    HieraShared *shared = &process->shared;
    HieraKnown to[] = {hiera_process_argument(process, first), hiera_process_argument(process, first + 1)};
    gboolean given = shared->has_loop && (gint64)shared->begin != (gint64)shared->end;
    for (guint i = 0; given && i < G_N_ELEMENTS(to); i++)
        if (to[i].known)
            hiera_known_memory_write(process->state.memory, to[i].bits, 8, shared->known,
                                     i == 0 ? shared->begin : shared->end);
    shared->has_loop = FALSE;
    hiera_return_integer(returned, given);
}

/* GOMP_loop_…_start(begin, end, step, chunk, &from, &to) */
static void start_loop(HieraProcess *process, HieraReturned *returned)
{
    share_out(process, 0);
    give_loop(process, returned, 4);
}

/* GOMP_loop_runtime_start(begin, end, step, &from, &to) */
static void start_loop_without_chunk(HieraProcess *process, HieraReturned *returned)
{
    share_out(process, 0);
    give_loop(process, returned, 3);
}

static void next_loop(HieraProcess *process, HieraReturned *returned)
{
    give_loop(process, returned, 0);
}

static void next_section(HieraProcess *process, HieraReturned *returned)
{
    HieraShared *shared = &process->shared;
    returned->has_integer = shared->known;
    returned->integer = shared->section < shared->n_sections ? ++shared->section : 0;
}

static void start_sections(HieraProcess *process, HieraReturned *returned)
{
    share_sections(process, 0);
    next_section(process, returned);
}

static void return_zero(HieraProcess *process, HieraReturned *returned)
{
    (void)process;
    hiera_return_integer(returned, 0);
}

static void return_one(HieraProcess *process, HieraReturned *returned)
{
    (void)process;
    hiera_return_integer(returned, 1);
}

#define LOOP(kind, start)                                                                                              \
    {"GOMP_loop_" kind "_start", 200, .work = start},                                                                  \
    {                                                                                                                  \
        "GOMP_loop_" kind "_next", 50, .work = next_loop                                                               \
    }

const HieraLibraryRow hiera_region_rows[] = {
    {"omp_get_thread_num", 5, .work = return_zero},
    {"omp_get_num_threads", 5, .work = return_one},
    {"omp_get_max_threads", 5, .work = return_one},
    {"omp_get_num_procs", 5, .work = return_one},
    {"omp_get_thread_limit", 5, .work = return_one},
    {"omp_in_parallel", 5, .work = return_zero},
    {"omp_get_thread_num_", 5, .work = return_zero},
    {"omp_get_num_threads_", 5, .work = return_one},
    {"omp_get_max_threads_", 5, .work = return_one},
    {"GOMP_single_start", 50, .work = return_one},
    {"GOMP_sections_start", 200, .work = start_sections},
    {"GOMP_sections_next", 50, .work = next_section},
    LOOP("static", start_loop),
    LOOP("dynamic", start_loop),
    LOOP("guided", start_loop),
    LOOP("runtime", start_loop_without_chunk),
    LOOP("nonmonotonic_dynamic", start_loop),
    LOOP("nonmonotonic_guided", start_loop),
    LOOP("nonmonotonic_runtime", start_loop_without_chunk),
    LOOP("maybe_nonmonotonic_runtime", start_loop_without_chunk),
    LOOP("ordered_static", start_loop),
    LOOP("ordered_dynamic", start_loop),
    {.name = NULL},
};
