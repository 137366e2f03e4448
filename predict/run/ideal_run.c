#include "ideal_run.h"
#include "paths/replay.h"

#define LONGEST_NS (HIERA_SIM_LONGEST_PS / HIERA_PS_PER_NS)

typedef struct {
    const RecordedRun *run;
    const Speeds *speeds;
    const SpanFollower *follower;
    const HieraDependences *of;
    guint8 *busy; /* by call site: whether calls take their recorded time after waiting (from hiera_ideal_find_busy) */
    HieraIdealRun ideal;
    guint32 call; /* index in `of` (the dependences) of the next call */
    gint64 at_ns; /* simulated end of the rank's last span */
    RankTimes *times;
} Progress;

static gint64 computed_ns(const Speeds *speeds, const HieraTimeSpan *span)
{
    gint64 duration_ns = span->end_ns - span->begin_ns;
    gdouble speed = speeds_of(speeds, span);
    return speed == 1 ? duration_ns : (gint64)MIN((gdouble)duration_ns / speed + 0.5, (gdouble)LONGEST_NS + 1);
}

/* --- recorded times with changed computation --- */

typedef struct {
    const Speeds *speeds;
    gint64 *start_ns, *finish_ns;
    guint32 call;
    gint64 at_ns;
} Paced;

static void pace(const HieraTimeSpan *span, gpointer user)
{
    Paced *paced = user;
    if (span->doing == HIERA_DOES_COMPUTE) {
        paced->at_ns = hiera_plus(paced->at_ns, computed_ns(paced->speeds, span));
        return;
    }
    paced->start_ns[paced->call] = paced->at_ns;
    paced->at_ns = hiera_plus(paced->at_ns, span->end_ns - span->begin_ns);
    paced->finish_ns[paced->call++] = paced->at_ns;
}

static void find_ideal(Progress *progress)
{
    const HieraTrace *trace = progress->run->trace;
    g_autofree gint64 *start_ns = g_new(gint64, (gsize)progress->of->n_calls + 1);
    g_autofree gint64 *finish_ns = g_new(gint64, (gsize)progress->of->n_calls + 1);
    g_autofree gint64 *finalize_ns = g_new(gint64, (gsize)trace->n_processors + 1);
    Paced paced = {progress->speeds, start_ns, finish_ns, 0, 0};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        paced.at_ns = trace->processors[i].init_ns;
        hiera_timeline_visit(trace, i, pace, &paced);
        finalize_ns[i] = paced.at_ns;
    }
    hiera_ideal_run_init(&progress->ideal, progress->of, &(const HieraRunTimes){start_ns, finish_ns, finalize_ns});
}

/* --- times on the ideal network --- */

static gint64 follow_call(Progress *progress)
{
    gint64 duration_ns = progress->ideal.duration_ns[progress->call];
    gint64 busy_ns = hiera_ideal_busy_ns(progress->of, progress->busy, progress->call++);
    progress->times->mpi += duration_ns;
    progress->times->waiting += duration_ns - busy_ns;
    return duration_ns;
}

static void follow(const HieraTimeSpan *span, gpointer user)
{
    Progress *progress = user;
    gboolean computes = span->doing == HIERA_DOES_COMPUTE;
    gint64 duration_ns = computes ? computed_ns(progress->speeds, span) : follow_call(progress);
    gint64 begin_ns = progress->at_ns;
    progress->at_ns += duration_ns;
    progress->times->total += duration_ns;
    progress->times->compute += computes ? duration_ns : 0;
    if (progress->follower)
        progress->follower->span(progress->follower->user, span, begin_ns * HIERA_PS_PER_NS,
                                 progress->at_ns * HIERA_PS_PER_NS);
}

static gboolean is_short(const Progress *progress, gint64 first_ns, GError **error)
{
    for (guint32 i = 0; i < progress->run->trace->n_processors; i++) {
        if (hiera_minus(progress->ideal.finalize_ns[i], first_ns) > LONGEST_NS) {
            g_set_error(error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_OPERATION,
                        "the run would take longer than 26 days, which cannot be simulated");
            return FALSE;
        }
    }
    return TRUE;
}

RankTimes *ideal_run_simulate(const RecordedRun *run, const Speeds *speeds, const SpanFollower *follower,
                              HieraSimResult *result, GError **error)
{
    const HieraTrace *trace = run->trace;
    g_autofree RankTimes *times = g_new0(RankTimes, (gsize)trace->n_processors + 1);
    g_autofree guint8 *busy = hiera_ideal_find_busy(trace);
    Progress progress = {run, speeds, follower, hiera_dependences_find(run->match), busy, .times = NULL};
    gint64 first_ns = G_MAXINT64;
    for (guint32 i = 0; i < trace->n_processors; i++)
        first_ns = MIN(first_ns, trace->processors[i].init_ns);
    find_ideal(&progress);
    gboolean good = is_short(&progress, first_ns, error);
    *result =
        (HieraSimResult){.ranks = g_new0(HieraSimRank, (gsize)trace->n_processors + 1), .n_ranks = trace->n_processors};
    for (guint32 i = 0; good && i < trace->n_processors; i++) {
        progress.at_ns = trace->processors[i].init_ns - first_ns;
        progress.times = &times[i];
        hiera_timeline_visit(trace, i, follow, &progress);
        result->ranks[i].end_ps = progress.at_ns * HIERA_PS_PER_NS;
        result->end_ps = MAX(result->end_ps, result->ranks[i].end_ps);
    }
    hiera_ideal_run_clear(&progress.ideal);
    return good ? g_steal_pointer(&times) : NULL;
}

guint64 ideal_run_count_unsure(const RecordedRun *run)
{
    const HieraDependences *of = hiera_dependences_find(run->match);
    guint64 n = 0;
    for (guint32 call = 0; call < of->n_calls; call++)
        n += hiera_dependences_is_unsure(of, call);
    return n;
}
