/* Which operations are in the scope of a measure: ranks, level, depth and time interval. */
#include "base/ranks.h"
#include "hiera_measure.h"
#include <string.h>

gboolean hiera_scope_accepts_rank(const HieraScope *scope, gint64 rank)
{
    return !scope->ranks || hiera_ranks_contain(scope->ranks, rank);
}

gboolean hiera_scope_accepts_site(const HieraScope *scope, const HieraSite *site)
{
    return (!scope->level || strcmp(scope->level, site->level) == 0) &&
           (!scope->without || strcmp(scope->without, site->level) != 0);
}

static gboolean accepts_place(const HieraScope *scope, const HieraSite *site, guint32 depth)
{
    return hiera_scope_accepts_site(scope, site) && (scope->depth < 0 || scope->depth == depth);
}

gboolean hiera_scope_accepts_operation(const HieraScope *scope, const HieraOperation *operation)
{
    return !operation->refused && accepts_place(scope, operation->site, operation->depth);
}

gboolean hiera_scope_accepts_summed(const HieraScope *scope, const HieraSummed *summed)
{
    return accepts_place(scope, summed->site, summed->depth);
}

gboolean hiera_scope_accepts_row(const HieraScope *scope, const HieraTrace *trace, guint32 row)
{
    return (!scope->chosen || scope->chosen[row]) &&
           accepts_place(scope, hiera_trace_peek_site(trace, row), trace->depth[row]);
}

gboolean hiera_scope_accepts_time(const HieraScope *scope, gint64 start_ns)
{
    return start_ns >= scope->from_ns && start_ns < scope->to_ns;
}

gboolean hiera_scope_touches(const HieraScope *scope, gint64 start_ns, gint64 finish_ns)
{
    return start_ns < scope->to_ns && (finish_ns > scope->from_ns || start_ns >= scope->from_ns);
}

gint64 hiera_scope_clip(const HieraScope *scope, gint64 start_ns, gint64 finish_ns)
{
    gint64 first = MAX(start_ns, scope->from_ns), last = MIN(finish_ns, scope->to_ns);
    return last > first ? last - first : 0;
}

gint hiera_scope_find_by(const HieraScope *scope, const char *words)
{
    gsize length = scope->options.by ? strlen(scope->options.by) : 0;
    gint index = 0;
    for (const char *word = words; scope->options.by && word; word = strchr(word, ','), index++) {
        word += *word == ',';
        if (strcspn(word, ",") == length && strncmp(word, scope->options.by, length) == 0)
            return index;
    }
    return scope->options.by ? -1 : 0;
}
