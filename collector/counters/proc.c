/* Counters of /proc, and of /sys for energy.
 *
 * Names: a short one (proc:rss), a file and a key in it (proc:self/status/VmHWM), a share of CPU time (proc:cpu/user%),
 * an energy zone (proc:energy/package-0). */
#include "base/message.h"
#include "base/variable.h"
#include "counter.h"
#include "proc_cpu.h"
#include "proc_energy.h"
#include "proc_files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Values of HieraNamedCounter.source that are no index of hiera_proc_files. */
enum { SOURCE_CPU = 100, SOURCE_ENERGY };

static const char NO_SUCH[] = "/proc has nothing of that name here";

/* Bytes of a page and ns of a clock tick, set when a counter of this family is first opened. */
static uint64_t page_bytes, tick_ns;

static const char *missing(void)
{
    long ticks = sysconf(_SC_CLK_TCK);
    page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    tick_ns = 1000000000u / (uint64_t)(ticks > 0 ? ticks : 100);
    return access("/proc/self/statm", R_OK) == 0 ? NULL : "/proc is not mounted here";
}

/* --- unit and value of a number in a file --- */

static char unit_of(const HieraProcNumber *number)
{
    size_t n = number->label_length;
    if (number->is_kilobytes)
        return 'k';
    if (number->column)
        return number->column->unit;
    bool is_bytes = (n > 5 && memcmp(number->label + n - 5, "bytes", 5) == 0) ||
                    (n == 5 && (memcmp(number->label, "rchar", 5) == 0 || memcmp(number->label, "wchar", 5) == 0));
    return is_bytes ? 'B' : '#';
}

static double value_of(const HieraProcNumber *number)
{
    switch (unit_of(number)) {
    case 'k':
        return hiera_variable_of_unsigned(number->whole * 1024);
    case 'p':
        return hiera_variable_of_unsigned(number->whole * page_bytes);
    case 't':
        return hiera_variable_of_unsigned(number->whole * tick_ns);
    default:
        return number->is_real ? (double)number->whole / 100 : hiera_variable_of_unsigned(number->whole);
    }
}

static void describe(HieraNamedCounter *counter, const HieraProcFile *file, const HieraProcNumber *number)
{
    char unit = unit_of(number), help[HIERA_COUNTER_HELP];
    const char *what = number->column && number->column->help ? number->column->help : file->help ? file->help : "";
    bool has_label = number->column && number->label_length > 0 && number->column->help;
    snprintf(help, sizeof help, "%s%s%.*s", what, has_label ? ", " : "", has_label ? (int)number->label_length : 0,
             number->label);
    hiera_counter_describe(counter, unit == 't' ? "ns" : unit == 'k' || unit == 'p' || unit == 'B' ? "B" : "", help);
    counter->is_real = number->is_real;
    counter->is_level = number->column
                            ? number->column->is_level
                            : file->is_level && !hiera_proc_begins(number->label, number->label_length, file->grows);
    counter->reason = NULL;
}

/* --- opening a counter by its name --- */

typedef struct Search {
    HieraNamedCounter *counter;
    const HieraProcFile *file;
    const char *key;
} Search;

/* Whether the key names this number: a line such as "ctxt 123" of /proc/stat has one number where other lines have
 * columns. */
static bool is_called(const HieraProcNumber *number, const HieraProcFile *file, const char *key)
{
    HieraProcNumber alone = *number;
    bool is_first = number->column == file->format.columns;
    alone.column = NULL;
    return hiera_proc_is(number, key) || (is_first && number->label_length > 0 && hiera_proc_is(&alone, key));
}

static void find(void *data, const HieraProcNumber *number)
{
    Search *search = data;
    if (!search->counter->reason || !is_called(number, search->file, search->key))
        return;
    HieraProcNumber described = *number;
    static const HieraProcColumn plain = {"", '#', false, NULL};
    /* The key is the label of a line with one number, not the name of a column. */
    if (!hiera_proc_is(number, search->key)) {
        described.column = &plain;
        describe(search->counter, search->file, &described);
        search->counter->is_level = memcmp(number->label, "procs_", 6) == 0;
        search->counter->item = 1;
        return;
    }
    describe(search->counter, search->file, &described);
}

static void open_in_file(HieraNamedCounter *counter, unsigned file, const char *key)
{
    Search search = {counter, &hiera_proc_files[file], key};
    counter->source = file;
    counter->key = 0;
    if (key >= counter->name && key < counter->name + HIERA_COUNTER_NAME)
        counter->key = (uint32_t)(key - counter->name);
    counter->reason = NO_SUCH;
    int error = hiera_proc_read_file(search.file, find, &search);
    if (error != 0)
        counter->reason = hiera_message_of(error);
}

static bool open_alias(HieraNamedCounter *counter, const char *rest)
{
    const char *nothing;
    for (unsigned i = 0; i < hiera_proc_n_aliases; i++) {
        const HieraProcAlias *alias = &hiera_proc_aliases[i];
        char text[HIERA_COUNTER_NAME];
        if (strcmp(rest, alias->name) != 0)
            continue;
        snprintf(text, sizeof text, "%s/", alias->file);
        open_in_file(counter, (unsigned)hiera_proc_file_of(text, &nothing), alias->key);
        counter->address = alias->key;
        if (!counter->reason)
            hiera_counter_describe(counter, counter->unit, alias->help);
        return true;
    }
    return false;
}

static void open_counter(HieraNamedCounter *counter, const char *rest)
{
    const char *key;
    counter->reason = missing();
    if (counter->reason || open_alias(counter, rest))
        return;
    int file = hiera_proc_file_of(rest, &key);
    counter->reason = NO_SUCH;
    if (strncmp(rest, "cpu/", 4) == 0) {
        counter->source = SOURCE_CPU;
        hiera_proc_cpu_open(counter, rest + 4);
    } else if (strncmp(rest, "energy/", 7) == 0) {
        counter->source = SOURCE_ENERGY;
        hiera_proc_energy_open(counter, rest + 7);
    } else if (file >= 0) {
        open_in_file(counter, (unsigned)file, key);
    }
}

/* --- reading counters --- */

typedef struct Reading {
    HieraNamedCounter *const *counters;
    unsigned n;
    double *values;
} Reading;

static const char *key_of(const HieraNamedCounter *counter)
{
    return counter->address ? (const char *)(uintptr_t)counter->address : counter->name + counter->key;
}

static void take(void *data, const HieraProcNumber *number)
{
    Reading *reading = data;
    for (unsigned i = 0; i < reading->n; i++) {
        const HieraNamedCounter *counter = reading->counters[i];
        const HieraProcFile *file = &hiera_proc_files[counter->source];
        if (counter->item == 0 && hiera_proc_is(number, key_of(counter)))
            reading->values[i] = value_of(number);
        else if (counter->item == 1 && is_called(number, file, key_of(counter)))
            reading->values[i] = hiera_variable_of_unsigned(number->whole);
    }
}

static void read_counters(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    uint32_t source = counters[0]->source;
    if (source == SOURCE_CPU)
        hiera_proc_cpu_read(counters, n, values);
    else if (source == SOURCE_ENERGY)
        hiera_proc_energy_read(counters, n, values);
    else if (source < hiera_proc_n_files)
        hiera_proc_read_file(&hiera_proc_files[source], take, &(Reading){counters, n, values});
}

/* --- listing all counters --- */

typedef struct Listing {
    HieraCounterVisit *visit;
    void *data;
    const HieraProcFile *file;
} Listing;

static void list_number(void *data, const HieraProcNumber *number)
{
    const Listing *listing = data;
    const HieraProcFile *file = listing->file;
    char key[HIERA_COUNTER_NAME], name[HIERA_COUNTER_NAME];
    HieraNamedCounter counter = {.reason = NULL};
    bool has_columns = !file->format.columns || file->format.label != HIERA_PROC_WORD || number->label_length == 0 ||
                       strncmp(number->label, "cpu", 3) == 0;
    HieraProcNumber described = *number;
    if (file->listed && !hiera_proc_begins(number->label, number->label_length, file->listed))
        return;
    if (!has_columns) {
        if (number->column != file->format.columns)
            return;
        described.column = NULL;
    }
    hiera_proc_key(&described, key, sizeof key);
    if (snprintf(name, sizeof name, "%s/%s", file->name, key) >= (int)sizeof name)
        return;
    describe(&counter, file, &described);
    hiera_counter_name(&counter, "proc", name);
    listing->visit(listing->data, &counter);
}

static void each(HieraCounterVisit *visit, void *data)
{
    Listing listing = {visit, data, NULL};
    for (unsigned i = 0; i < hiera_proc_n_aliases; i++) {
        HieraNamedCounter counter = {.reason = NULL};
        hiera_counter_name(&counter, "proc", hiera_proc_aliases[i].name);
        open_counter(&counter, hiera_proc_aliases[i].name);
        visit(data, &counter);
    }
    hiera_proc_cpu_each(visit, data);
    hiera_proc_energy_each(visit, data);
    for (unsigned i = 0; i < hiera_proc_n_files; i++) {
        listing.file = &hiera_proc_files[i];
        hiera_proc_read_file(listing.file, list_number, &listing);
    }
}

const HieraCounterFamily hiera_counters_proc = {
    .name = "proc",
    .help = "what the kernel tells of the process and of the machine",
    .details = "vmstat/,self/smaps_rollup/,stat/cpu",
    .missing = missing,
    .each = each,
    .open = open_counter,
    .read = read_counters,
};
