/* Serial sections; see serial_sections.h. The timelines of all ranks are read side by side: a heap tells whose
 * computation begins or ends next. */
#include "serial_sections.h"
#include "timeline.h"

typedef struct {
    HieraTimeline line;
    HieraSpan span; /* of computation: the current one, or the next one */
    gboolean computes;
} Rank;

/* When a rank begins to compute, or ceases. HIERA_TIME_OPEN: never again. */
typedef struct {
    gint64 at_ns;
    guint32 rank;
} Turn;

typedef struct {
    Rank *ranks;
    Turn *heap; /* the next one of each rank; none comes before the one at half its place */
    guint32 n;
} Race;

/* Put a turn into a place of the heap, or below it. */
static void sink(const Race *race, guint32 place, Turn turn)
{
    for (guint32 below; (below = 2 * place + 1) < race->n; place = below) {
        below += below + 1 < race->n && race->heap[below + 1].at_ns < race->heap[below].at_ns;
        if (turn.at_ns <= race->heap[below].at_ns)
            break;
        race->heap[place] = race->heap[below];
    }
    race->heap[place] = turn;
}

/* Go on to the next computation of a rank. @return when it begins */
static gint64 find_computation(Rank *rank)
{
    const HieraSpan *span = hiera_timeline_next(&rank->line);
    while (span && span->doing != HIERA_DOES_COMPUTE)
        span = hiera_timeline_next(&rank->line);
    if (!span)
        return HIERA_TIME_OPEN;
    rank->span = *span;
    return span->begin_ns;
}

/* Let the rank turn whose turn it is. @return it */
static Rank *turn_first(const Race *race)
{
    Turn next = race->heap[0];
    Rank *rank = &race->ranks[next.rank];
    rank->computes = !rank->computes;
    next.at_ns = rank->computes ? rank->span.end_ns : find_computation(rank);
    sink(race, 0, next);
    return rank;
}

static void race_init(Race *race, const HieraTrace *trace)
{
    race->n = trace->n_processors;
    race->ranks = g_new0(Rank, (gsize)race->n + 1);
    race->heap = g_new(Turn, (gsize)race->n + 1);
    for (guint32 i = 0; i < race->n; i++) {
        hiera_timeline_open(&race->ranks[i].line, trace, i);
        race->heap[i] = (Turn){find_computation(&race->ranks[i]), i};
    }
    for (guint32 place = race->n; place-- > 0;)
        sink(race, place, race->heap[place]);
}

static void race_clear(Race *race)
{
    for (guint32 i = 0; i < race->n; i++)
        hiera_timeline_close(&race->ranks[i].line);
    g_free(race->ranks);
    g_free(race->heap);
}

void hiera_serial_sections_visit(const HieraTrace *trace, HieraSpanVisit visit, gpointer user)
{
    Race race;
    guint32 n_active = 0, mixed = 0; /* exclusive or of the active ones: if there is one, this one */
    if (trace->n_processors < 2)
        return;
    race_init(&race, trace);
    for (Turn now; (now = race.heap[0]).at_ns != HIERA_TIME_OPEN;) {
        n_active += turn_first(&race)->computes ? 1 : (guint32)-1;
        mixed ^= now.rank;
        HieraSpan alone = race.ranks[n_active == 1 ? mixed : 0].span;
        alone.begin_ns = now.at_ns;
        alone.end_ns = race.heap[0].at_ns;
        if (n_active == 1 && alone.begin_ns < alone.end_ns)
            visit(&alone, user);
    }
    race_clear(&race);
}
