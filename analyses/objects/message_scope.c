#include "message_scope.h"
#include "values/outermost.h"

struct HieraMessageScope {
    const HieraTrace *trace;
    const HieraScope *scope;
    guint8 *outside; /* by row: 1 if it is in no operation of the scope's level and depth; NULL: the scope has none */
};

static void mark_processor(HieraMessageScope *messages, const HieraProcessor *processor)
{
    const HieraTrace *trace = messages->trace;
    HieraInside unit = HIERA_OUTSIDE;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
        guint32 depth = trace->depth[row], thread = trace->thread[row];
        if (hiera_inside_holds(&unit, depth, thread))
            continue;
        if (hiera_scope_accepts_row(messages->scope, trace, (guint32)row))
            hiera_inside_enter(&unit, depth, thread);
        else
            messages->outside[row] = 1;
    }
}

HieraMessageScope *hiera_message_scope_new(const HieraTrace *trace, const HieraScope *scope)
{
    HieraMessageScope *messages = g_new0(HieraMessageScope, 1);
    *messages = (HieraMessageScope){trace, scope, NULL};
    if (!hiera_scope_has_units(scope))
        return messages;
    messages->outside = g_new0(guint8, (gsize)trace->n_operations + 1);
    for (guint32 i = 0; i < trace->n_processors; i++)
        mark_processor(messages, &trace->processors[i]);
    return messages;
}

void hiera_message_scope_free(HieraMessageScope *messages)
{
    g_free(messages->outside);
    g_free(messages);
}

static gboolean accepts_place(const HieraMessageScope *messages, guint32 row)
{
    gint64 start_ns = messages->trace->start_ns[row];
    return start_ns >= messages->scope->from_ns && start_ns < messages->scope->to_ns &&
           !(messages->outside && messages->outside[row]);
}

static gboolean accepts_own_rank(const HieraMessageScope *messages, guint32 row)
{
    const HieraTrace *trace = messages->trace;
    return !messages->scope->ranks ||
           hiera_scope_accepts_rank(messages->scope, trace->processors[hiera_trace_find_processor(trace, row)].rank);
}

gboolean hiera_message_scope_accepts(const HieraMessageScope *messages, guint32 row, guint32 rank)
{
    return accepts_place(messages, row) &&
           (accepts_own_rank(messages, row) || hiera_scope_accepts_rank(messages->scope, rank));
}

gboolean hiera_message_scope_accepts_row(const HieraMessageScope *messages, guint32 row)
{
    return accepts_place(messages, row) && accepts_own_rank(messages, row);
}
