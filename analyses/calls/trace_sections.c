/* See trace_sections.h. Of several processes each finds when any of its ranks computes; the one that leads tells when
 * this is so in one process alone; and then each finds in which of its ranks. */
#include "trace_sections.h"
#include "serial_sections.h"
#include "shared_sections.h"
#include "timeline.h"

/* A rank has two timelines: one is ahead, the other one follows it to the sections of the rank. */
typedef struct {
    HieraTimeline ahead, line;
    gboolean follows;      /* `line` is open */
    const HieraSpan *span; /* of `line`: the current one; NULL: it is at its end */
} Rank;

typedef struct {
    const HieraTrace *trace;
    GArray *own; /* guint32: the processors of this process, which are the ranks here */
    Rank *ranks;
    GArray
        *spans; /* HieraBusy: when one of them computes, then when none of other processes does; NULL: there are none */
    guint at;   /* the first of them that was not left behind */
    HieraSpanVisit visit;
    gpointer user;
} Job;

static gint64 next_span(guint32 rank, gint64 *end_ns, gpointer user)
{
    Rank *of = &((Job *)user)->ranks[rank];
    const HieraSpan *span = hiera_timeline_next(&of->ahead);
    while (span && span->doing != HIERA_DOES_COMPUTE)
        span = hiera_timeline_next(&of->ahead);
    if (!span)
        return HIERA_TIME_OPEN;
    *end_ns = span->end_ns;
    return span->begin_ns;
}

static void visit_section(Job *job, guint32 rank, gint64 begin_ns, gint64 end_ns)
{
    Rank *of = &job->ranks[rank];
    if (!of->follows) {
        hiera_timeline_open(&of->line, job->trace, g_array_index(job->own, guint32, rank));
        of->follows = TRUE;
        of->span = hiera_timeline_next(&of->line);
    }
    for (; of->span && of->span->begin_ns < end_ns; of->span = hiera_timeline_next(&of->line)) {
        HieraSpan alone = *of->span;
        alone.begin_ns = MAX(alone.begin_ns, begin_ns);
        alone.end_ns = MIN(alone.end_ns, end_ns);
        if (alone.begin_ns < alone.end_ns)
            job->visit(&alone, job->user);
        if (of->span->end_ns > end_ns)
            return;
    }
}

/* A rank computes alone in this process. */
static void add_alone(guint32 rank, gint64 begin_ns, gint64 end_ns, gpointer user)
{
    Job *job = user;
    if (!job->spans) {
        visit_section(job, rank, begin_ns, end_ns);
        return;
    }
    while (job->at < job->spans->len && g_array_index(job->spans, HieraBusy, job->at).end_ns <= begin_ns)
        job->at++;
    for (guint i = job->at; i < job->spans->len && g_array_index(job->spans, HieraBusy, i).begin_ns < end_ns; i++) {
        const HieraBusy *span = &g_array_index(job->spans, HieraBusy, i);
        visit_section(job, rank, MAX(span->begin_ns, begin_ns), MIN(span->end_ns, end_ns));
    }
}

static void ignore(guint32 rank, gint64 begin_ns, gint64 end_ns, gpointer user)
{
    (void)rank, (void)begin_ns, (void)end_ns, (void)user;
}

static void add_busy_span(gint64 begin_ns, gint64 end_ns, gpointer user)
{
    HieraBusy span = {begin_ns, end_ns};
    g_array_append_val(((Job *)user)->spans, span);
}

/* @param busy  find when any of the own ranks computes; else when one computes alone */
static void find_of_job(Job *job, gboolean busy)
{
    const HieraComputations of = {.n_ranks = job->own->len,
                                  .next = next_span,
                                  .alone = busy ? ignore : add_alone,
                                  .user = job,
                                  .others = job->spans != NULL,
                                  .busy = busy ? add_busy_span : NULL};
    for (guint i = 0; i < job->own->len; i++)
        hiera_timeline_open(&job->ranks[i].ahead, job->trace, g_array_index(job->own, guint32, i));
    hiera_serial_sections_find(&of);
    for (guint i = 0; i < job->own->len; i++)
        hiera_timeline_close(&job->ranks[i].ahead);
}

void hiera_serial_sections_visit(const HieraTrace *trace, const HieraScope *scope, HieraSpanVisit visit, gpointer user)
{
    g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(guint32)), spans = NULL;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scope, i))
            g_array_append_val(own, i);
    }
    Job job = {trace, own, g_new0(Rank, (gsize)own->len + 1), NULL, 0, visit, user};
    if (scope->own && trace->n_processors > 1) { /* a job of one rank has no such sections */
        job.spans = spans = g_array_new(FALSE, FALSE, sizeof(HieraBusy));
        find_of_job(&job, TRUE);
        hiera_sections_share(scope, trace, own->len > 0 ? g_array_index(own, guint32, 0) : HIERA_NONE, spans);
    }
    find_of_job(&job, FALSE);
    for (guint i = 0; i < own->len; i++) {
        if (job.ranks[i].follows)
            hiera_timeline_close(&job.ranks[i].line);
    }
    g_free(job.ranks);
}
