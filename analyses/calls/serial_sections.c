/* Serial sections; see serial_sections.h. The ranks are read side by side: a heap tells whose computation begins or ends
 * next. What happens while two others compute does not matter, so most computations never come into the heap. */
#include "serial_sections.h"
#include "timeline.h"

/* When a rank begins to compute, or ceases. HIERA_TIME_OPEN: never again. */
typedef struct {
    gint64 at_ns;
    guint32 rank;
} Turn;

typedef struct {
    const HieraComputations *of;
    gint64 *end_ns;     /* by rank: of the current computation, or of the next one */
    gboolean *computes; /* by rank */
    Turn *heap;         /* the next one of each rank; none comes before the one at half its place */
    guint32 n;
    gint64 last_end_ns; /* of all computations that have begun, the latest end … */
    gint64 busy_ns;     /* … and the second one: until then, at least two ranks compute */
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

/* Return when the next computation of a rank begins that may matter. */
static gint64 find_computation(const Race *race, guint32 rank)
{
    gint64 begin_ns;
    do
        begin_ns = race->of->next(rank, &race->end_ns[rank], race->of->user);
    while (begin_ns != HIERA_TIME_OPEN && race->end_ns[rank] <= race->busy_ns);
    return begin_ns;
}

static void begin_computation(Race *race, guint32 rank)
{
    gint64 end_ns = race->end_ns[rank];
    race->computes[rank] = TRUE;
    race->busy_ns = MAX(race->busy_ns, MIN(end_ns, race->last_end_ns));
    race->last_end_ns = MAX(race->last_end_ns, end_ns);
}

/* Let the rank turn whose turn it is. @return TRUE if it began to compute, or ceased */
static gboolean turn_first(Race *race)
{
    Turn next = race->heap[0];
    gboolean computed = race->computes[next.rank], begins = !computed && race->end_ns[next.rank] > race->busy_ns;
    race->computes[next.rank] = FALSE;
    if (begins)
        begin_computation(race, next.rank);
    next.at_ns = begins ? race->end_ns[next.rank] : find_computation(race, next.rank);
    sink(race, 0, next);
    return begins || computed;
}

static void race_init(Race *race, const HieraComputations *of)
{
    *race = (Race){.of = of, .n = of->n_ranks, .last_end_ns = G_MININT64, .busy_ns = G_MININT64};
    race->end_ns = g_new0(gint64, (gsize)race->n + 1);
    race->computes = g_new0(gboolean, (gsize)race->n + 1);
    race->heap = g_new(Turn, (gsize)race->n + 1);
    for (guint32 i = 0; i < race->n; i++)
        race->heap[i] = (Turn){find_computation(race, i), i};
    for (guint32 place = race->n; place-- > 0;)
        sink(race, place, race->heap[place]);
}

static void race_clear(Race *race)
{
    g_free(race->end_ns);
    g_free(race->computes);
    g_free(race->heap);
}

void hiera_serial_sections_find(const HieraComputations *of)
{
    Race race;
    guint32 n_active = 0, mixed = 0; /* exclusive or of the active ones: if there is one, this one */
    if (of->n_ranks < 2)
        return;
    race_init(&race, of);
    for (Turn now; (now = race.heap[0]).at_ns != HIERA_TIME_OPEN;) {
        if (turn_first(&race)) {
            n_active += race.computes[now.rank] ? 1 : (guint32)-1;
            mixed ^= now.rank;
        }
        if (n_active == 1 && now.at_ns < race.heap[0].at_ns)
            of->alone(mixed, now.at_ns, race.heap[0].at_ns, of->user);
    }
    race_clear(&race);
}

/* --- of a trace --- */

typedef struct {
    HieraTimeline line;
    HieraSpan span; /* of computation: the current one, or the next one */
} Rank;

typedef struct {
    Rank *ranks;
    HieraSpanVisit visit;
    gpointer user;
} Job;

static gint64 next_span(guint32 rank, gint64 *end_ns, gpointer user)
{
    Rank *of = &((Job *)user)->ranks[rank];
    const HieraSpan *span = hiera_timeline_next(&of->line);
    while (span && span->doing != HIERA_DOES_COMPUTE)
        span = hiera_timeline_next(&of->line);
    if (!span)
        return HIERA_TIME_OPEN;
    of->span = *span;
    *end_ns = span->end_ns;
    return span->begin_ns;
}

static void visit_span(guint32 rank, gint64 begin_ns, gint64 end_ns, gpointer user)
{
    const Job *job = user;
    HieraSpan alone = job->ranks[rank].span;
    alone.begin_ns = begin_ns;
    alone.end_ns = end_ns;
    job->visit(&alone, job->user);
}

void hiera_serial_sections_visit(const HieraTrace *trace, HieraSpanVisit visit, gpointer user)
{
    Job job = {g_new0(Rank, (gsize)trace->n_processors + 1), visit, user};
    const HieraComputations of = {trace->n_processors, next_span, visit_span, &job};
    for (guint32 i = 0; i < trace->n_processors; i++)
        hiera_timeline_open(&job.ranks[i].line, trace, i);
    hiera_serial_sections_find(&of);
    for (guint32 i = 0; i < trace->n_processors; i++)
        hiera_timeline_close(&job.ranks[i].line);
    g_free(job.ranks);
}
