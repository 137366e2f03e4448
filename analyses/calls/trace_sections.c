#include "trace_sections.h"
#include "shared_sections.h"
#include "timeline.h"

/* A rank is read twice: `ahead` finds its computations; `line`, later, the spans inside its serial sections. */
typedef struct {
    HieraTimeline ahead, line;
    gboolean follows;          /* TRUE if `line` is open */
    const HieraTimeSpan *span; /* span of `line` that was read last; NULL: no more */
} Rank;

typedef struct {
    const HieraTrace *trace;
    GArray *own; /* guint32: processors of this process; a rank of the search is an index here */
    Rank *ranks;
    HieraSpanVisit visit;
    gpointer user;
} Job;

static gint64 next_span(guint32 rank, gint64 *end_ns, gpointer user)
{
    Rank *of = &((Job *)user)->ranks[rank];
    const HieraTimeSpan *span = hiera_timeline_next(&of->ahead);
    while (span && span->doing != HIERA_DOES_COMPUTE)
        span = hiera_timeline_next(&of->ahead);
    if (!span)
        return HIERA_TIME_OPEN;
    *end_ns = span->end_ns;
    return span->begin_ns;
}

/* Visit the parts of a rank's spans that lie in one of its serial sections. */
static void visit_section(Job *job, const HieraSection *section)
{
    Rank *of = &job->ranks[section->rank];
    if (!of->follows) {
        hiera_timeline_open(&of->line, job->trace, g_array_index(job->own, guint32, section->rank));
        of->follows = TRUE;
        of->span = hiera_timeline_next(&of->line);
    }
    for (; of->span && of->span->begin_ns < section->end_ns; of->span = hiera_timeline_next(&of->line)) {
        HieraTimeSpan alone = *of->span;
        alone.begin_ns = MAX(alone.begin_ns, section->begin_ns);
        alone.end_ns = MIN(alone.end_ns, section->end_ns);
        if (alone.begin_ns < alone.end_ns)
            job->visit(&alone, job->user);
        if (of->span->end_ns > section->end_ns)
            return;
    }
}

static void find_of_job(Job *job, const HieraScope *scope)
{
    for (guint i = 0; i < job->own->len; i++)
        hiera_timeline_open(&job->ranks[i].ahead, job->trace, g_array_index(job->own, guint32, i));
    g_autoptr(GArray) sections = hiera_sections_find(scope, job->trace, job->own, next_span, job);
    for (guint i = 0; i < sections->len; i++)
        visit_section(job, &g_array_index(sections, HieraSection, i));
    for (guint i = 0; i < job->own->len; i++)
        hiera_timeline_close(&job->ranks[i].ahead);
}

void hiera_serial_sections_visit(const HieraTrace *trace, const HieraScope *scope, HieraSpanVisit visit, gpointer user)
{
    g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scope, i))
            g_array_append_val(own, i);
    }
    Job job = {trace, own, g_new0(Rank, (gsize)own->len + 1), visit, user};
    find_of_job(&job, scope);
    for (guint i = 0; i < own->len; i++) {
        if (job.ranks[i].follows)
            hiera_timeline_close(&job.ranks[i].line);
    }
    g_free(job.ranks);
}
