/* sum(…), mean(…), min(…) and max(…) of counters: each is a counter that reads the listed counters, its members. */
#include "base/lock.h"
#include "counter_names.h"
#include "counters.h"
#include "memory/signal_safe_memory.h"

#include <math.h>
#include <string.h>

typedef struct Aggregate {
    HieraAggregate what;
    HieraCounterSet members;
} Aggregate;

static const char *missing(void)
{
    return NULL;
}

static void each(HieraCounterVisit *visit, void *data)
{
    (void)visit;
    (void)data;
}

static Aggregate *new_aggregate(void)
{
    if (!hiera_lock_enter())
        return NULL;
    Aggregate *aggregate = hiera_memory_new(sizeof *aggregate);
    hiera_lock_leave();
    return aggregate;
}

static void note_reason(void *data, const char *name, size_t length, const char *reason)
{
    HieraNamedCounter *counter = data;
    (void)name;
    (void)length;
    counter->reason = reason;
}

/* Set the flags of an aggregate from those of its members, and refuse an aggregate as a member. */
static void take_after(HieraNamedCounter *counter, const Aggregate *aggregate)
{
    for (unsigned i = 0; i < aggregate->members.n; i++) {
        const HieraNamedCounter *member = aggregate->members.counters[i];
        counter->is_level |= member->is_level;
        counter->is_real |= member->is_real;
        counter->is_by_thread |= member->is_by_thread;
        counter->is_of_thread_alone |= member->is_of_thread_alone;
        counter->is_pending |= member->is_pending;
        if (member->family == &hiera_counters_aggregate)
            counter->reason = "an aggregate cannot be part of one";
        hiera_counter_describe(counter, member->unit, "an aggregate of counters");
    }
    counter->is_real |= aggregate->what == HIERA_COUNTER_MEAN || counter->is_pending;
    counter->is_pending = false;
}

static void open_counter(HieraNamedCounter *counter, const char *rest)
{
    char list[HIERA_COUNTER_NAME];
    const char *inner;
    size_t length;
    HieraAggregate what = hiera_names_aggregate(rest, strlen(rest), &inner, &length);
    Aggregate *aggregate = new_aggregate();
    counter->reason = aggregate ? NULL : "there is no memory";
    if (!aggregate)
        return;
    memcpy(list, inner, length);
    list[length] = '\0';
    aggregate->what = what;
    hiera_counters_add(&aggregate->members, list, note_reason, counter);
    if (aggregate->members.n > 0)
        counter->reason = NULL; /* one member is enough to read the aggregate */
    take_after(counter, aggregate);
    counter->data = aggregate;
    /* Each aggregate is a source of its own, since counters of one source are read together. */
    counter->source = (uint32_t)((uintptr_t)aggregate >> 4);
}

static void read_counters(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    double members[HIERA_COUNTER_SET];
    for (unsigned i = 0; i < n; i++) {
        const Aggregate *aggregate = counters[i]->data;
        hiera_counters_read(&aggregate->members, members);
        /* A member's is_level is set when the program registers that counter, perhaps late. */
        for (unsigned k = 0; k < aggregate->members.n; k++)
            counters[i]->is_level |= aggregate->members.counters[k]->is_level;
        values[i] = hiera_names_combine(aggregate->what, members, aggregate->members.n);
    }
}

const HieraCounterFamily hiera_counters_aggregate = {
    .name = "",
    .help = "",
    .missing = missing,
    .each = each,
    .open = open_counter,
    .read = read_counters,
};
