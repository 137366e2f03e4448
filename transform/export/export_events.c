/* A stack for each thread turns rows in document order into begins and ends. */
#include "export_events.h"

/* An operation that has begun. */
typedef struct {
    guint32 row;
    gint64 begin_ns;
    gint64 finish_ns; /* not beyond its parent's */
} Open;

typedef struct {
    const HieraTrace *trace;
    HieraEventVisit visit;
    gpointer user;
    GArray *stack; /* Open */
    guint32 thread;
    gint64 last_ns; /* time of the last event of the thread */
} Events;

static Open *peek_top(Events *events)
{
    return events->stack->len ? &g_array_index(events->stack, Open, events->stack->len - 1) : NULL;
}

/* Visit the begin or the end of the operation that is at the top of the stack. */
static void say(Events *events, gint64 time_ns, gboolean begins)
{
    Open *top = peek_top(events);
    events->last_ns = MAX(events->last_ns, time_ns);
    if (begins)
        top->begin_ns = events->last_ns;
    const HieraEvent event = {top->row, events->thread, events->stack->len - 1, events->last_ns, top->begin_ns, begins};
    events->visit(&event, events->user);
}

/* End what is open, up to the parent of the next row. */
static void end_until(Events *events, guint32 parent)
{
    for (Open *top = peek_top(events); top && top->row != parent; top = peek_top(events)) {
        say(events, top->finish_ns, FALSE);
        g_array_set_size(events->stack, events->stack->len - 1);
    }
}

static void begin(Events *events, guint32 row)
{
    const HieraTrace *trace = events->trace;
    const Open *parent = peek_top(events);
    gint64 limit_ns = parent ? parent->finish_ns : G_MAXINT64;
    const Open open = {row, 0, MIN(trace->finish_ns[row], limit_ns)};
    g_array_append_val(events->stack, open);
    say(events, MIN(trace->start_ns[row], limit_ns), TRUE);
}

void hiera_events_visit(const HieraTrace *trace, guint32 processor, HieraEventVisit visit, gpointer user)
{
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Open));
    const HieraProcessor *of = &trace->processors[processor];
    Events events = {.trace = trace, .visit = visit, .user = user, .stack = stack, .last_ns = G_MININT64};
    for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
        end_until(&events, trace->parent[row]);
        if (trace->thread[row] != events.thread) {
            events.thread = trace->thread[row];
            events.last_ns = G_MININT64;
        }
        begin(&events, (guint32)row);
    }
    end_until(&events, HIERA_NONE);
}
