/* See waits.h. Nodes only point to their waits, because most nodes have none. */
#include "waits.h"

#include "memory/signal_safe_memory.h"

static HieraProfileWaits *make(HieraProfileWaits **waits)
{
    if (!*waits && (*waits = hiera_memory_new(sizeof **waits)))
        (*waits)->members.min_ns = (*waits)->completion.min_ns = UINT64_MAX;
    return *waits;
}

static void add(HieraWaitSum *to, uint64_t ns)
{
    to->calls++;
    to->count += ns > 0;
    to->time_ns += ns;
    to->min_ns = ns < to->min_ns ? ns : to->min_ns;
    to->max_ns = ns > to->max_ns ? ns : to->max_ns;
    hiera_spread_add(&to->times, hiera_spread_bin(ns), 1);
}

void hiera_waits_add(HieraProfileWaits **waits, uint64_t members_ns, uint64_t completion_ns, uint64_t exchange_ns)
{
    HieraProfileWaits *to = make(waits);
    if (!to)
        return;
    add(&to->members, members_ns);
    add(&to->completion, completion_ns);
    to->exchange_ns += exchange_ns;
}

static void merge(HieraWaitSum *to, const HieraWaitSum *from)
{
    to->calls += from->calls;
    to->count += from->count;
    to->time_ns += from->time_ns;
    to->min_ns = from->min_ns < to->min_ns ? from->min_ns : to->min_ns;
    to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
    hiera_spread_merge(&to->times, &from->times);
}

void hiera_waits_merge(HieraProfileWaits **to, const HieraProfileWaits *from)
{
    if (!from || !make(to))
        return;
    merge(&(*to)->members, &from->members);
    merge(&(*to)->completion, &from->completion);
    (*to)->exchange_ns += from->exchange_ns;
}

void hiera_waits_free(HieraProfileWaits *waits)
{
    if (!waits)
        return;
    hiera_spread_free(&waits->members.times);
    hiera_spread_free(&waits->completion.times);
    hiera_memory_free(waits, sizeof *waits);
}
