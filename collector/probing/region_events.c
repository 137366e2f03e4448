/* Reports begin, end and waits of regions and functions to probe scripts: the functions of record/watch.h. */
#include "base/clock.h"
#include "base/settings.h"
#include "function_names.h"
#include "probed.h"
#include "record/open_regions.h"
#include "record/watch.h"

#include <string.h>

typedef struct Event {
    HieraProbedPlace place;
    const char *level;
    HieraProbeEventKind kind;
    const HieraWatchedRegion *region;
    int64_t parent;         /* number of the innermost watched region around the region or wait of the event; 0: none */
    const char *call;       /* name of the MPI call in which the thread waits; NULL: the event is not a wait */
    uint64_t start, finish; /* times of the region or of the wait, in ticks; finish 0: not ended */
    bool has_counts;
    HieraMallocCounts counts; /* allocations of the thread from the region's begin to the event */
} Event;

static HieraValue id_of(int64_t id)
{
    return id > 0 ? hiera_value_integer(id) : hiera_value_missing();
}

static int64_t ns_of(const Event *event, uint64_t ticks)
{
    return hiera_probed_ns(event->place.probed, ticks);
}

static HieraValue get_time(HieraProbeVariableId variable, const Event *event)
{
    bool has_ended = event->finish != 0;
    if (variable == HIERA_PROBE_VARIABLE_START || (variable == HIERA_PROBE_VARIABLE_TIME && !has_ended))
        return hiera_value_duration(ns_of(event, event->start));
    if (!has_ended)
        return hiera_value_missing();
    int64_t finish_ns = ns_of(event, event->finish);
    return hiera_value_duration(variable == HIERA_PROBE_VARIABLE_DURATION ? finish_ns - ns_of(event, event->start)
                                                                          : finish_ns);
}

static HieraValue text_of(const char *text)
{
    return text ? hiera_value_text(text, strlen(text)) : hiera_value_missing();
}

static HieraValue get_allocated(HieraProbeVariableId variable, const Event *event)
{
    const HieraMallocCounts *now = &event->counts, *before = &event->region->before;
    if (!event->has_counts)
        return hiera_value_missing();
    switch (variable) {
    case HIERA_PROBE_VARIABLE_ALLOCATIONS:
        return hiera_value_integer((int64_t)(now->allocations - before->allocations));
    case HIERA_PROBE_VARIABLE_FREES:
        return hiera_value_integer((int64_t)(now->frees - before->frees));
    case HIERA_PROBE_VARIABLE_BYTES_ALLOCATED:
        return hiera_value_integer((int64_t)(now->bytes_allocated - before->bytes_allocated));
    default: /* HIERA_PROBE_VARIABLE_BYTES_FREED */
        return hiera_value_integer((int64_t)(now->bytes_freed - before->bytes_freed));
    }
}

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    const Event *event = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_EVENT:
        return text_of(event->kind == HIERA_EVENT_REGION_START     ? "start"
                       : event->kind == HIERA_EVENT_REGION_STOP    ? "stop"
                       : event->kind == HIERA_EVENT_REGION_SUSPEND ? "suspend"
                                                                   : "resume");
    case HIERA_PROBE_VARIABLE_LEVEL:
        return text_of(event->level);
    case HIERA_PROBE_VARIABLE_CALL:
        return text_of(event->call);
    case HIERA_PROBE_VARIABLE_REGION_ID:
        return id_of(event->region->id);
    case HIERA_PROBE_VARIABLE_PARENT:
        return id_of(event->parent);
    case HIERA_PROBE_VARIABLE_TIME:
    case HIERA_PROBE_VARIABLE_START:
    case HIERA_PROBE_VARIABLE_FINISH:
    case HIERA_PROBE_VARIABLE_DURATION:
        return get_time(variable, event);
    case HIERA_PROBE_VARIABLE_ALLOCATIONS:
    case HIERA_PROBE_VARIABLE_FREES:
    case HIERA_PROBE_VARIABLE_BYTES_ALLOCATED:
    case HIERA_PROBE_VARIABLE_BYTES_FREED:
        return get_allocated(variable, event);
    default:
        return hiera_probed_value(variable, &event->place);
    }
}

/* Return the clauses for a region. All regions are watched if a script uses their numbers, which count all regions. */
uint64_t hiera_watch_name(const HieraName *name)
{
    bool numbers =
        hiera_watchers_ask(HIERA_PROBE_VARIABLE_REGION_ID) || hiera_watchers_ask(HIERA_PROBE_VARIABLE_PARENT);
    return hiera_watchers_find(HIERA_PROBE_REGION, hiera_name_text(name)) | (numbers ? HIERA_WATCHED_ALONE : 0);
}

bool hiera_watch_functions(void)
{
    return hiera_watchers_find(HIERA_PROBE_REGION, NULL) != 0;
}

/* Return the number of the innermost watched region around element `entry` of thread->open; 0: none. */
static int64_t parent_of(const HieraThread *thread, const HieraProbed *probed, uint32_t entry)
{
    while (entry-- > 0)
        if (thread->open[entry].is_watched && entry < probed->room)
            return probed->regions[entry].id;
    return 0;
}

/* Set what *event says about a watched region or function; returns the clauses that may take the event. */
static HieraClauseSet describe(HieraProbed *probed, const HieraOpen *open, Event *event)
{
    if (open->name) {
        event->level = open->name->level;
        event->place.site = open->name->site;
        event->place.name = hiera_name_text(open->name);
        return open->name->watched;
    }
    const HieraProbedFunction *function = hiera_probed_function_of(probed, open->function);
    if (!function)
        return 0;
    event->level = "function";
    event->place.site = hiera_open_place(open);
    event->place.name = function->name;
    return function->clauses;
}

static void fire(Event *event, HieraClauseSet clauses)
{
    HieraThread *thread = event->place.thread;
    event->parent = parent_of(thread, event->place.probed, event->place.n_around);
    hiera_probed_fire(thread, clauses & ~HIERA_WATCHED_ALONE,
                      &(HieraProbeEvent){.kind = event->kind, .get = get, .data = event});
}

/* Return the clauses that may take a region or function which cannot be described for lack of memory. */
static HieraClauseSet clauses_of(const HieraOpen *open)
{
    return open->name ? open->name->watched : hiera_watchers_find(HIERA_PROBE_REGION, NULL);
}

/* Count the events of a region's begin and end as lost. */
static void lose(HieraClauseSet clauses)
{
    hiera_probed_lose(clauses & ~HIERA_WATCHED_ALONE, HIERA_EVENT_REGION_START);
    hiera_probed_lose(clauses & ~HIERA_WATCHED_ALONE, HIERA_EVENT_REGION_STOP);
}

/* Number a region that has begun, and report the event. hiera-transform gives the region the same number. */
void hiera_watch_start(HieraThread *thread)
{
    HieraProbed *probed = hiera_probed_of(thread);
    uint32_t entry = thread->n_open - 1;
    HieraOpen *open = &thread->open[entry];
    Event event = {.place = {.thread = thread, .probed = probed, .n_around = entry}, .kind = HIERA_EVENT_REGION_START};
    HieraClauseSet clauses = probed ? describe(probed, open, &event) : 0;
    HieraWatchedRegion *region = clauses ? hiera_probed_region(probed, entry) : NULL;
    if (!region && (clauses || !event.place.name))
        lose(clauses ? clauses : clauses_of(open));
    if (!region)
        return;
    open->is_watched = true;
    *region =
        (HieraWatchedRegion){.id = ((int64_t)thread->number << 32) + ++probed->n_regions, .start = hiera_clock_ticks()};
    event.region = region;
    event.start = region->start;
    fire(&event, clauses);
    hiera_program_memory_read(false, &region->before);
    region->start = hiera_clock_ticks();
}

void hiera_watch_stop(HieraThread *thread, const HieraOpen *open, uint64_t finish)
{
    HieraProbed *probed = hiera_probed_of(thread);
    uint32_t entry = thread->n_open - 1;
    HieraWatchedRegion *region = probed ? hiera_probed_region(probed, entry) : NULL;
    Event event = {.place = {.thread = thread, .probed = probed, .n_around = entry},
                   .kind = HIERA_EVENT_REGION_STOP,
                   .region = region,
                   .start = region ? region->start : 0,
                   .finish = finish};
    event.has_counts = hiera_program_memory_read(false, &event.counts);
    if (region)
        fire(&event, describe(probed, open, &event));
}

/* --- waits of a thread in MPI calls --- */

static void report_wait(HieraThread *thread, uint32_t entry, const HieraWaitingCall *wait)
{
    HieraProbed *probed = hiera_probed_of(thread);
    const HieraOpen *open = &thread->open[entry];
    if (!open->is_watched || !probed || entry >= probed->room)
        return;
    Event event = {.place = {.thread = thread, .probed = probed, .n_around = entry},
                   .kind = wait->finish ? HIERA_EVENT_REGION_RESUME : HIERA_EVENT_REGION_SUSPEND,
                   .region = &probed->regions[entry],
                   .call = wait->call,
                   .start = wait->start,
                   .finish = wait->finish};
    fire(&event, describe(probed, open, &event));
}

void hiera_probed_suspend(HieraThread *thread, const HieraWaitingCall *wait)
{
    for (uint32_t i = thread->n_open; i-- > 0;)
        report_wait(thread, i, wait);
}

void hiera_probed_resume(HieraThread *thread, const HieraWaitingCall *wait)
{
    for (uint32_t i = 0; i < thread->n_open; i++)
        report_wait(thread, i, wait);
}
