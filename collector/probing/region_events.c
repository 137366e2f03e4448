/* Events of regions and functions: what record/watch.h asks for. */
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
    int64_t parent; /* 0: none */
    uint64_t finish;
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
    bool has_ended = event->kind == HIERA_EVENT_REGION_STOP;
    if (variable == HIERA_PROBE_VARIABLE_START || (variable == HIERA_PROBE_VARIABLE_TIME && !has_ended))
        return hiera_value_duration(ns_of(event, event->region->start));
    if (!has_ended)
        return hiera_value_missing();
    int64_t finish_ns = ns_of(event, event->finish);
    return hiera_value_duration(variable == HIERA_PROBE_VARIABLE_DURATION ? finish_ns - ns_of(event, event->region->start)
                                                                         : finish_ns);
}

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    const Event *event = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_EVENT:
        return event->kind == HIERA_EVENT_REGION_START ? hiera_value_text("start", 5) : hiera_value_text("stop", 4);
    case HIERA_PROBE_VARIABLE_LEVEL:
        return hiera_value_text(event->level, strlen(event->level));
    case HIERA_PROBE_VARIABLE_REGION_ID:
        return id_of(event->region->id);
    case HIERA_PROBE_VARIABLE_PARENT:
        return id_of(event->parent);
    case HIERA_PROBE_VARIABLE_TIME:
    case HIERA_PROBE_VARIABLE_START:
    case HIERA_PROBE_VARIABLE_FINISH:
    case HIERA_PROBE_VARIABLE_DURATION:
        return get_time(variable, event);
    default:
        return hiera_probed_value(variable, &event->place);
    }
}

/* If a script asks for numbers of regions, all regions are watched, so that they are those of the trace. */
uint64_t hiera_watch_name(const HieraName *name)
{
    bool numbers = hiera_watchers_ask(HIERA_PROBE_VARIABLE_REGION_ID) || hiera_watchers_ask(HIERA_PROBE_VARIABLE_PARENT);
    return hiera_watchers_find(HIERA_PROBE_REGION, hiera_name_text(name)) | (numbers ? HIERA_WATCHED_ALONE : 0);
}

bool hiera_watch_functions(void)
{
    return hiera_watchers_find(HIERA_PROBE_REGION, NULL) != 0;
}

/* The innermost watched region around an entry. */
static int64_t parent_of(const HieraThread *thread, const HieraProbed *probed, uint32_t entry)
{
    while (entry-- > 0)
        if (thread->open[entry].is_watched && entry < probed->room)
            return probed->regions[entry].id;
    return 0;
}

/* Fill in what is watched; returns the clauses. */
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
    event->place.site = open->site;
    event->place.name = function->name;
    return function->clauses;
}

static void fire(Event *event, HieraClauseSet clauses)
{
    HieraThread *thread = event->place.thread;
    event->parent = parent_of(thread, event->place.probed, thread->n_open - 1);
    hiera_probed_fire(thread, clauses & ~HIERA_WATCHED_ALONE, &(HieraProbeEvent){.kind = event->kind, .get = get, .data = event});
}

/* Numbers are those of hiera-transform: the same, whichever threads run beside it. */
void hiera_watch_start(HieraThread *thread)
{
    HieraProbed *probed = hiera_probed_of(thread);
    HieraOpen *open = &thread->open[thread->n_open - 1];
    Event event = {.place = {.thread = thread, .probed = probed, .is_open = true}, .kind = HIERA_EVENT_REGION_START};
    HieraClauseSet clauses = probed ? describe(probed, open, &event) : 0;
    HieraWatchedRegion *region = clauses ? hiera_probed_region(probed, thread->n_open - 1) : NULL;
    if (!region)
        return;
    open->is_watched = true;
    *region = (HieraWatchedRegion){((int64_t)thread->number << 32) + ++probed->n_regions, hiera_clock_ticks()};
    event.region = region;
    fire(&event, clauses);
    region->start = hiera_clock_ticks();
}

void hiera_watch_stop(HieraThread *thread, const HieraOpen *open, uint64_t finish)
{
    HieraProbed *probed = hiera_probed_of(thread);
    Event event = {.place = {.thread = thread, .probed = probed, .is_open = true},
                   .kind = HIERA_EVENT_REGION_STOP,
                   .region = probed ? hiera_probed_region(probed, thread->n_open - 1) : NULL,
                   .finish = finish};
    if (event.region)
        fire(&event, describe(probed, open, &event));
}
