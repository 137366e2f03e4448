#include "proc_cpu.h"

#include "proc_files.h"

#include <math.h>
#include <string.h>

/* The columns of /proc/stat that are used. The first IN_WHOLE make up the whole time; guest time is already part of
 * user and nice. */
enum { COLUMNS = 10, IN_WHOLE = 8 };

static const struct {
    const char *key, *help;
} shares[COLUMNS] = {
    {"user%", "processors in programs, since the last reading"},
    {"nice%", "processors in programs of low priority, since the last reading"},
    {"system%", "processors in the kernel, since the last reading"},
    {"idle%", "processors that had nothing to do, since the last reading"},
    {"iowait%", "processors that waited for a disk, since the last reading"},
    {"irq%", "processors in interrupts, since the last reading"},
    {"softirq%", "processors in soft interrupts, since the last reading"},
    {"steal%", "processors that another virtual machine had, since the last reading"},
    {"guest%", "processors in virtual machines, since the last reading"},
    {"guest_nice%", "processors in those of low priority, since the last reading"},
};

static const HieraProcFile *file(void)
{
    const char *key;
    return &hiera_proc_files[hiera_proc_file_of("stat/", &key)];
}

/* Store the columns of the line "cpu" in /proc/stat, which sums up all processors. */
static void take(void *data, const HieraProcNumber *number)
{
    uint64_t *ticks = data;
    if (number->label_length == 3 && memcmp(number->label, "cpu", 3) == 0)
        ticks[number->column - file()->format.columns] = number->whole;
}

static uint64_t read_ticks(uint64_t ticks[COLUMNS])
{
    uint64_t whole = 0;
    memset(ticks, 0, COLUMNS * sizeof *ticks);
    if (hiera_proc_read_file(file(), take, ticks) != 0)
        return 0;
    for (int i = 0; i < IN_WHOLE; i++)
        whole += ticks[i];
    return whole;
}

static uint64_t swap(uint64_t *word, uint64_t value)
{
    return __atomic_exchange_n(word, value, __ATOMIC_RELAXED);
}

double hiera_proc_share(uint64_t before[3], uint64_t part, uint64_t whole)
{
    if (__atomic_load_n(&before[1], __ATOMIC_RELAXED) != whole) {
        uint64_t passed = whole - swap(&before[1], whole), of_it = part - swap(&before[0], part);
        if (passed < UINT64_C(1) << 40)
            swap(&before[2], of_it <= passed ? of_it * 10000 / passed : 10000);
    }
    return (double)__atomic_load_n(&before[2], __ATOMIC_RELAXED) / 100;
}

/* Stores the times since the machine was started, so that a share covers the time since the reading before. */
void hiera_proc_cpu_open(HieraNamedCounter *counter, const char *key)
{
    for (uint32_t i = 0; i < COLUMNS; i++) {
        if (strcmp(key, shares[i].key) != 0)
            continue;
        uint64_t ticks[COLUMNS], whole = read_ticks(ticks);
        counter->item = i;
        counter->is_level = counter->is_real = true;
        counter->reason = whole > 0 ? NULL : "/proc/stat cannot be read";
        if (whole > 0)
            hiera_proc_share(counter->before, ticks[i], whole);
        hiera_counter_describe(counter, "%", shares[i].help);
    }
}

void hiera_proc_cpu_read(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    uint64_t ticks[COLUMNS], whole = read_ticks(ticks);
    for (unsigned i = 0; i < n && whole > 0; i++)
        values[i] = hiera_proc_share(counters[i]->before, ticks[counters[i]->item], whole);
}

void hiera_proc_cpu_each(HieraCounterVisit *visit, void *data)
{
    for (uint32_t i = 0; i < COLUMNS; i++) {
        char name[32] = "cpu/";
        HieraNamedCounter counter = {.is_level = true};
        strcat(name, shares[i].key);
        hiera_counter_name(&counter, "proc", name);
        hiera_counter_describe(&counter, "%", shares[i].help);
        visit(data, &counter);
    }
}
