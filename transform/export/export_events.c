/* See export_events.h. A stack of open operations turns rows in document order into begin and end events. */
#include "export_events.h"

/* Entry of the stack of open operations. */
typedef struct {
    guint32 row;
    gint64 begin_ns;
    gint64 finish_ns; /* finish time of the operation, at most that of its parent */
} Open;

void hiera_event_cursor_init(HieraEventCursor *cursor, const HieraTrace *trace, guint64 first, guint64 n)
{
    GArray *stack = g_array_new(FALSE, FALSE, sizeof(Open));
    *cursor = (HieraEventCursor){.trace = trace, .row = first, .end = first + n, .last_ns = G_MININT64, .stack = stack};
}

void hiera_event_cursor_clear(HieraEventCursor *cursor)
{
    g_array_unref(cursor->stack);
}

static Open *peek_top(HieraEventCursor *cursor)
{
    return cursor->stack->len ? &g_array_index(cursor->stack, Open, cursor->stack->len - 1) : NULL;
}

/* Make the begin (or end) event of the operation at the top of the stack, no earlier than the last event. */
static HieraEvent make_event(HieraEventCursor *cursor, gint64 time_ns, gboolean begins)
{
    Open *top = peek_top(cursor);
    cursor->last_ns = MAX(cursor->last_ns, time_ns);
    if (begins)
        top->begin_ns = cursor->last_ns;
    return (HieraEvent){.row = top->row,
                        .thread = cursor->thread,
                        .depth = cursor->stack->len - 1,
                        .time_ns = cursor->last_ns,
                        .begin_ns = top->begin_ns,
                        .end_ns = MAX(top->begin_ns, top->finish_ns),
                        .begins = begins};
}

static HieraEvent begin_row(HieraEventCursor *cursor)
{
    const HieraTrace *trace = cursor->trace;
    guint32 row = (guint32)cursor->row++;
    if (trace->thread[row] != cursor->thread) {
        cursor->thread = trace->thread[row];
        cursor->last_ns = G_MININT64;
    }
    const Open *parent = peek_top(cursor);
    gint64 limit_ns = parent ? parent->finish_ns : G_MAXINT64;
    const Open open = {row, 0, MIN(trace->finish_ns[row], limit_ns)};
    g_array_append_val(cursor->stack, open);
    return make_event(cursor, MIN(trace->start_ns[row], limit_ns), TRUE);
}

gboolean hiera_event_cursor_next(HieraEventCursor *cursor, HieraEvent *event)
{
    const Open *top = peek_top(cursor);
    gboolean more = cursor->row < cursor->end;
    if (top && (!more || cursor->trace->parent[cursor->row] != top->row)) {
        *event = make_event(cursor, top->finish_ns, FALSE);
        g_array_set_size(cursor->stack, cursor->stack->len - 1);
        return TRUE;
    }
    if (more)
        *event = begin_row(cursor);
    return more;
}

static gint compare_threads(gconstpointer a, gconstpointer b)
{
    const HieraEventThread *x = a, *y = b;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

GArray *hiera_event_threads_new(const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    GArray *threads = g_array_new(FALSE, FALSE, sizeof(HieraEventThread));
    HieraEventThread thread = {0, of->first, 0};
    for (guint64 row = of->first; of->threaded && row < of->first + of->n_operations; row++) {
        if (trace->thread[row] == thread.thread)
            continue;
        thread.n = row - thread.first;
        g_array_append_val(threads, thread);
        thread = (HieraEventThread){trace->thread[row], row, 0};
    }
    thread.n = of->first + of->n_operations - thread.first;
    g_array_append_val(threads, thread);
    g_array_sort(threads, compare_threads);
    return threads;
}

void hiera_events_visit(const HieraTrace *trace, guint32 processor, HieraEventVisit visit, gpointer user)
{
    g_autoptr(GArray) threads = hiera_event_threads_new(trace, processor);
    for (guint i = 0; i < threads->len; i++) {
        const HieraEventThread *thread = &g_array_index(threads, HieraEventThread, i);
        HieraEventCursor cursor;
        HieraEvent event;
        hiera_event_cursor_init(&cursor, trace, thread->first, thread->n);
        while (hiera_event_cursor_next(&cursor, &event))
            visit(&event, user);
        hiera_event_cursor_clear(&cursor);
    }
}
