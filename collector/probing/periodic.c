/* Events at intervals: timers, readings of memory, of /proc and of counters, and at the end the list of
 * counters. The helper thread reports them. A counter that the program samples itself is reported in the program's
 * thread. */
#include "base/message.h"
#include "base/settings.h"
#include "counters/counters.h"
#include "helper/helper.h"
#include "probed.h"

#include <stdio.h>
#include <string.h>

/* A clause of a script whose events the helper thread reports at intervals. */
typedef struct Task {
    const HieraWatcher *watcher; /* watcher that the clause belongs to; NULL: the element is free */
    HieraClauseSet clause;
    HieraProbeKind kind;
    int id; /* number of the task in the helper thread */
    HieraCounterSet counters;
} Task;

static Task tasks[HIERA_HELPER_SLOTS];
static HieraProbed own; /* state of the helper thread, as other threads have one in HieraThread */

/* --- values of the variables in a counter's event --- */

typedef struct Event {
    HieraProbed *probed;
    uint64_t now;
    const HieraNamedCounter *counter; /* the counter whose value this is; NULL: the event has no counter */
    double value;
} Event;

static HieraValue text_of(const char *text)
{
    return hiera_value_text(text, strlen(text));
}

static HieraValue allocated(void)
{
    HieraMallocCounts counts;
    bool known = hiera_program_memory_read(true, &counts) && counts.bytes_allocated >= counts.bytes_freed;
    return known ? hiera_value_integer((int64_t)(counts.bytes_allocated - counts.bytes_freed)) : hiera_value_missing();
}

static HieraValue value_of_counter(HieraProbeVariableId variable, const Event *event)
{
    static const char proc[] = "proc:";
    const char *name = event->counter->name;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_RESIDENT:
        return hiera_value_integer((int64_t)event->value);
    case HIERA_PROBE_VARIABLE_ALLOCATED:
        return allocated();
    case HIERA_PROBE_VARIABLE_PROC_NAME:
        return text_of(strncmp(name, proc, sizeof proc - 1) == 0 ? name + sizeof proc - 1 : name);
    case HIERA_PROBE_VARIABLE_PROC_VALUE:
    case HIERA_PROBE_VARIABLE_COUNTER_VALUE:
        return hiera_value_number(event->value);
    default:
        return hiera_probe_part_of_counter(variable, name);
    }
}

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    const Event *event = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_TIME:
        return hiera_value_duration(hiera_probed_ns(event->probed, event->now));
    case HIERA_PROBE_VARIABLE_RANK:
    case HIERA_PROBE_VARIABLE_HOST:
        return hiera_probed_value(variable, &(HieraProbedPlace){.probed = event->probed});
    default:
        return event->counter ? value_of_counter(variable, event) : hiera_value_missing();
    }
}

static void report(HieraProbed *probed, HieraClauseSet set, HieraProbeEventKind kind, const HieraNamedCounter *counter,
                   double value)
{
    const Event event = {probed, hiera_clock_ticks(), counter, value};
    hiera_probed_report(probed, set, &(HieraProbeEvent){.kind = kind, .get = get, .data = &event});
}

/* --- tasks of the helper thread --- */

static HieraProbeEventKind event_of(HieraProbeKind kind)
{
    if (kind == HIERA_PROBE_TIMER)
        return HIERA_EVENT_TICK;
    if (kind == HIERA_PROBE_MEMORY)
        return HIERA_EVENT_MEMORY_SAMPLE;
    if (kind == HIERA_PROBE_PROC)
        return HIERA_EVENT_PROC_READING;
    return HIERA_EVENT_COUNTER_CREATE_READING;
}

static void run(void *data)
{
    const Task *task = data;
    double values[HIERA_COUNTER_SET];
    if (hiera_may_be_idle())
        return; /* while the program has paused recording, nothing is reported */
    if (task->kind == HIERA_PROBE_TIMER) {
        report(&own, task->clause, HIERA_EVENT_TICK, NULL, 0);
        return;
    }
    hiera_counters_read(&task->counters, values);
    for (unsigned i = 0; i < task->counters.n; i++)
        if (values[i] == values[i]) /* skip NaN: the value is not known */
            report(&own, task->clause, event_of(task->kind), task->counters.counters[i], values[i]);
}

/* --- counters that the program samples itself --- */

static void observe(HieraNamedCounter *counter, double value)
{
    HieraThread *thread = hiera_helper_is_me() ? NULL : hiera_thread;
    HieraProbed *probed = thread ? hiera_probed_of(thread) : hiera_helper_is_me() ? &own : NULL;
    HieraClauseSet exact = hiera_watchers_find(HIERA_PROBE_COUNTER, counter->name),
                   type = hiera_watchers_find(HIERA_PROBE_COUNTER_TYPE, counter->name);
    if (!probed || !(exact | type) || hiera_may_be_idle() || (thread && thread->inside))
        return;
    if (thread)
        thread->inside = (uintptr_t)__builtin_frame_address(
            0); /* as in a recorded call: from here on, a signal handler of the program reports no event */
    report(probed, exact, HIERA_EVENT_COUNTER_READING, counter, value);
    report(probed, type, HIERA_EVENT_COUNTER_TYPE_READING, counter, value);
    if (thread)
        thread->inside = 0;
}

/* --- listing the counters to a script --- */

typedef struct Listing {
    const HieraCounterFamily *family;
    HieraProbed *probed;
    HieraClauseSet set;
} Listing;

/* Report a counter to the clauses that list counters. Without a name, a clause gets those of hiera-run --counters. */
static void list(void *data, const HieraNamedCounter *counter)
{
    const Listing *listing = data;
    HieraClauseSet set =
        counter->reason ? 0 : listing->set & hiera_watchers_find(HIERA_PROBE_COUNTER_LIST, counter->name);
    bool detail = set && hiera_counters_detail(listing->family, counter->name) >= 0;
    for (HieraClauseSet left = detail ? set : 0; left; left &= left - 1) {
        const HieraWatcherClause *clause = &hiera_watcher_clauses[__builtin_ctzll(left)];
        if (!hiera_probe_clause_name(clause->watcher->script, clause->clause))
            set &= ~(left & -left);
    }
    if (set)
        report(listing->probed, set, HIERA_EVENT_COUNTER_LISTED, counter, 0);
}

void hiera_probed_list_counters(const HieraWatcher *watcher)
{
    HieraProbed *probed = hiera_thread ? hiera_probed_of(hiera_thread) : NULL;
    Listing listing = {NULL, probed, hiera_watcher_set(watcher) & hiera_watchers_find(HIERA_PROBE_COUNTER_LIST, NULL)};
    for (size_t i = 0; listing.set && probed && hiera_counter_families[i]; i++) {
        listing.family = hiera_counter_families[i];
        if (!listing.family->missing())
            listing.family->each(list, &listing);
    }
}

/* --- begin and end of a watcher (a script, or a function that hiera_on() has added) --- */

static void blame(void *data, const char *name, size_t length, const char *reason)
{
    (void)data;
    hiera_message("the probe script reads no %.*s: %s", (int)length, name, reason);
}

/* Choose the counters that a clause reads. `name`: name in the clause, or NULL. */
static void choose(Task *task, const char *name)
{
    char list[256];
    if (task->kind == HIERA_PROBE_MEMORY)
        snprintf(list, sizeof list, "proc:rss");
    else if (task->kind == HIERA_PROBE_PROC && name)
        snprintf(list, sizeof list, "proc:*%s*", name);
    else if (task->kind == HIERA_PROBE_PROC)
        snprintf(list, sizeof list, "proc:rss,proc:vsize,proc:threads,proc:cpu/*,proc:energy*");
    else
        snprintf(list, sizeof list, "%s", name ? name : "");
    if (task->kind != HIERA_PROBE_TIMER)
        hiera_counters_add(&task->counters, list, blame, NULL);
}

static void begin(const HieraWatcher *watcher, unsigned clause, HieraClauseSet bit)
{
    HieraProbeKind kind = hiera_probe_clause_kind(watcher->script, clause);
    bool counts = kind == HIERA_PROBE_COUNTER || kind == HIERA_PROBE_COUNTER_TYPE;
    bool comes = kind == HIERA_PROBE_TIMER || kind == HIERA_PROBE_MEMORY || kind == HIERA_PROBE_PROC ||
                 kind == HIERA_PROBE_COUNTER_CREATE;
    int64_t period = hiera_probe_clause_period_ns(watcher->script, clause);
    Task *task = tasks;
    if (counts)
        hiera_counters_observer = observe;
    if (!comes || !hiera_probe_clause_takes(watcher->script, clause, event_of(kind), watcher->host.rank))
        return;
    while (task < tasks + HIERA_HELPER_SLOTS && task->watcher)
        task++;
    if (task < tasks + HIERA_HELPER_SLOTS) {
        *task = (Task){.watcher = watcher, .clause = bit, .kind = kind};
        choose(task, hiera_probe_clause_name(watcher->script, clause));
        task->id = hiera_helper_every(period > 0 ? (uint64_t)period : hiera_settings.probe_period_ns, run, task);
    }
    if (task == tasks + HIERA_HELPER_SLOTS || task->id == 0)
        hiera_message("the probe script has no timer for one of its clauses");
}

void hiera_probed_has_begun(HieraWatcher *watcher)
{
    for (HieraClauseSet set = hiera_watcher_set(watcher); set; set &= set - 1)
        begin(watcher, hiera_watcher_clauses[__builtin_ctzll(set)].clause, set & -set);
}

void hiera_probed_has_ended(const HieraWatcher *watcher)
{
    for (Task *task = tasks; task < tasks + HIERA_HELPER_SLOTS; task++)
        if (task->watcher == watcher) {
            hiera_helper_cancel(task->id);
            task->watcher = NULL;
        }
}
