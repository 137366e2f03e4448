/* Waiting in collectives: a member depends on the starts of the members from which it needs data. */
#include "collective_needs.h"
#include "waiting_parts.h"
#include <string.h>

/* State while the dependences of one collective are found. */
typedef struct {
    const HieraWaiting *waiting;
    HieraWaitClass class;
    HieraDependence joins[2]; /* by join: the member that begins last; two joins are used in turn */
    guint32 n_joins;
} Needs;

static void need_one(guint32 row, guint32 on, gpointer user)
{
    const Needs *needs = user;
    hiera_waiting_later(&needs->waiting->needs[row], needs->waiting->trace->start_ns[on], on, needs->class);
}

static guint32 new_join(guint32 after, gpointer user)
{
    Needs *needs = user;
    guint32 join = needs->n_joins++ % G_N_ELEMENTS(needs->joins);
    needs->joins[join] =
        after == HIERA_NONE ? (HieraDependence){HIERA_NEVER, HIERA_NONE, HIERA_N_WAITS} : needs->joins[after];
    return join;
}

static void add_to_join(guint32 join, guint32 row, gpointer user)
{
    Needs *needs = user;
    hiera_waiting_later(&needs->joins[join], needs->waiting->trace->start_ns[row], row, needs->class);
}

static void need_join(guint32 row, guint32 join, gpointer user)
{
    const Needs *needs = user;
    const HieraDependence *last = &needs->joins[join];
    if (last->causer != HIERA_NONE)
        hiera_waiting_later(&needs->waiting->needs[row], last->until_ns, last->causer, needs->class);
}

/* Return the class of waiting in a collective in which each member needs all others. */
static HieraWaitClass class_of_all(const HieraTrace *trace, const HieraCollective *of)
{
    static const struct {
        const char *operation;
        HieraWaitClass class;
    } names[] = {{"barrier", HIERA_WAIT_BARRIER},
                 {"ibarrier", HIERA_WAIT_BARRIER},
                 {"barrier_init", HIERA_WAIT_BARRIER},
                 {"win_fence", HIERA_WAIT_FENCE}};
    const char *operation = hiera_trace_peek_site(trace, of->made_by)->operation;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i].operation, operation) == 0)
            return names[i].class;
    }
    return HIERA_WAIT_N_X_N;
}

static HieraWaitClass class_of(const HieraTrace *trace, const HieraCollective *of)
{
    switch (of->kind) {
    case HIERA_KIND_ONE_TO_ALL:
        return HIERA_WAIT_LATE_BROADCAST;
    case HIERA_KIND_ALL_TO_ONE:
        return HIERA_WAIT_EARLY_REDUCE;
    case HIERA_KIND_PREFIX:
        return HIERA_WAIT_EARLY_SCAN;
    case HIERA_KIND_NEIGHBOR:
        return HIERA_WAIT_NEIGHBORS;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        return class_of_all(trace, of);
    default: /* other kinds: no member waits */
        return HIERA_N_WAITS;
    }
}

/* Return the time from which members could leave a blocking collective: all have come, and one has left. */
static gint64 completion_of(const HieraWaiting *waiting, guint32 number)
{
    guint n;
    const HieraTrace *trace = waiting->trace;
    const guint32 *members = hiera_match_peek_members(waiting->match, number, &n);
    gint64 latest_ns = HIERA_NEVER, earliest_ns = G_MAXINT64;
    for (guint i = 0; i < n; i++) {
        if (hiera_waiting_is_start(trace, members[i]))
            return HIERA_NEVER;
        latest_ns = MAX(latest_ns, trace->start_ns[members[i]]);
        earliest_ns = MIN(earliest_ns, trace->finish_ns[members[i]]);
    }
    return MAX(latest_ns, earliest_ns);
}

void hiera_waiting_collectives(const HieraWaiting *waiting)
{
    guint n;
    const HieraCollective *collectives = hiera_match_peek_collectives(waiting->match, &n);
    for (guint i = 0; i < n; i++) {
        Needs needs = {.waiting = waiting, .class = class_of(waiting->trace, &collectives[i])};
        HieraCollectiveNeeds visitor = {need_one, new_join, add_to_join, need_join, &needs};
        gboolean completes = needs.class == HIERA_WAIT_BARRIER || needs.class == HIERA_WAIT_N_X_N;
        hiera_collective_needs_visit(waiting->match, i, &visitor);
        waiting->complete_ns[i] = completes ? completion_of(waiting, i) : HIERA_NEVER;
    }
}
