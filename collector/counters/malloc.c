/* The family malloc: counts of the program's malloc and free calls, from base/program_memory.h. */
#include "base/program_memory.h"
#include "base/variable.h"
#include "counter.h"

enum { ALLOCATIONS, FREES, ALLOCATED, FREED, HELD };

static const struct {
    const char *name, *unit, *help;
    bool of_process;
} rows[] = {
    [ALLOCATIONS] = {"allocations", "", "blocks that were taken from malloc", false},
    [FREES] = {"frees", "", "blocks that were given back", false},
    [ALLOCATED] = {"bytes_allocated", "B", "bytes that were taken from malloc", false},
    [FREED] = {"bytes_freed", "B", "bytes that were given back", false},
    [HELD] = {"held", "B", "bytes that all threads have taken and not given back", true},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static const char *missing(void)
{
    return hiera_program_memory_reason();
}

static double value_of(const HieraMallocCounts *counts, uint32_t item)
{
    const uint64_t numbers[] = {
        [ALLOCATIONS] = counts->allocations,
        [FREES] = counts->frees,
        [ALLOCATED] = counts->bytes_allocated,
        [FREED] = counts->bytes_freed,
        /* 0 instead of a negative number, which other threads that allocate meanwhile could cause */
        [HELD] = counts->bytes_allocated > counts->bytes_freed ? counts->bytes_allocated - counts->bytes_freed : 0};
    return hiera_variable_of_unsigned(numbers[item]);
}

static void read_counters(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    HieraMallocCounts counts;
    bool of_process = hiera_counters_are_of_process() || rows[counters[0]->item].of_process;
    if (!hiera_program_memory_read(of_process, &counts))
        return;
    for (unsigned i = 0; i < n; i++)
        values[i] = value_of(&counts, counters[i]->item);
}

static void fill(HieraNamedCounter *counter, unsigned row)
{
    counter->item = row;
    counter->source = rows[row].of_process;
    counter->is_by_thread = !rows[row].of_process;
    counter->is_level = row == HELD;
    counter->reason = hiera_program_memory_reason();
    hiera_counter_describe(counter, rows[row].unit, rows[row].help);
}

static const char *name_of(unsigned row)
{
    return rows[row].name;
}

static const HieraCounterTable table = {"malloc", N_ROWS, name_of, fill};

static void open_counter(HieraNamedCounter *counter, const char *rest)
{
    hiera_counter_table_open(&table, counter, rest);
}

static void each(HieraCounterVisit *visit, void *data)
{
    hiera_counter_table_each(&table, visit, data);
}

const HieraCounterFamily hiera_counters_malloc = {
    .name = "malloc",
    .help = "what the program takes from malloc and gives back",
    .missing = missing,
    .each = each,
    .open = open_counter,
    .read = read_counters,
};
