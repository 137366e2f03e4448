/* See export_stacks.h. The events of a rank move up and down a tree of stacks; the time between two events belongs to
 * the stack in between. */
#include "export_stacks.h"
#include "export_events.h"
#include "text/hash.h"

#define PROGRAM 0

void hiera_stacks_init(HieraStacks *stacks, const HieraTrace *trace)
{
    const HieraStack program = {HIERA_NONE, NULL};
    stacks->trace = trace;
    stacks->stacks = g_array_new(FALSE, FALSE, sizeof(HieraStack));
    stacks->lookup = g_hash_table_new(hiera_hash_pair, NULL);
    g_array_append_val(stacks->stacks, program);
}

void hiera_stacks_clear(HieraStacks *stacks)
{
    g_hash_table_unref(stacks->lookup);
    g_array_unref(stacks->stacks);
}

guint32 hiera_stacks_meet(HieraStacks *stacks, guint32 parent, const HieraSite *site)
{
    gpointer key = hiera_pair(parent, site ? site->id : HIERA_NONE), found = g_hash_table_lookup(stacks->lookup, key);
    if (found)
        return GPOINTER_TO_UINT(found);
    const HieraStack stack = {parent, site};
    guint32 index = stacks->stacks->len;
    g_array_append_val(stacks->stacks, stack);
    g_hash_table_insert(stacks->lookup, key, GUINT_TO_POINTER(index));
    return index;
}

typedef struct {
    HieraStacks *stacks;
    const HieraProcessor *processor;
    const HieraStackVisitor *visitor;
    gpointer user;
    guint32 stack; /* stack of the current event */
    guint32 thread;
    gint64 last_ns; /* end of the time that is already assigned to stacks */
} Walk;

/* Assign the time from the last event to `until_ns`, but only between init and finalize, to the current stack. */
static void spend(Walk *walk, gint64 until_ns)
{
    gint64 from_ns = MAX(walk->last_ns, walk->processor->init_ns), to_ns = MIN(until_ns, walk->processor->finalize_ns);
    if (to_ns > from_ns)
        walk->visitor->spend(walk->stack, hiera_minus(to_ns, from_ns), walk->user);
    walk->last_ns = MAX(walk->last_ns, until_ns);
}

/* Assign the main thread's time after its last operation to the stack of the program. */
static void end_main_thread(Walk *walk)
{
    if (walk->thread == 0)
        spend(walk, walk->processor->finalize_ns);
}

static void move(const HieraEvent *event, gpointer user)
{
    Walk *walk = user;
    if (event->thread != walk->thread) {
        end_main_thread(walk);
        walk->thread = event->thread;
        walk->stack = hiera_stacks_meet(walk->stacks, PROGRAM, NULL);
    }
    /* Skip the time before: what a further thread did outside of operations is not known. */
    if (event->thread && event->begins && event->depth == 0)
        walk->last_ns = event->time_ns;
    spend(walk, event->time_ns);
    if (!event->begins) {
        walk->stack = g_array_index(walk->stacks->stacks, HieraStack, walk->stack).parent;
        return;
    }
    walk->stack = hiera_stacks_meet(walk->stacks, walk->stack, hiera_trace_peek_site(walk->stacks->trace, event->row));
    if (walk->visitor->begin)
        walk->visitor->begin(walk->stack, event->row, walk->user);
}

/* Visit an operation that stands for several calls. Its time is subtracted from the stack around it. */
static void visit_summed(Walk *walk, GArray *around, const HieraSummed *summed)
{
    const HieraProcessor *of = walk->processor;
    gboolean inner = summed->depth > 0;
    guint32 outermost = summed->thread == 0 ? PROGRAM : hiera_stacks_meet(walk->stacks, PROGRAM, NULL);
    guint32 parent = inner ? g_array_index(around, guint32, summed->depth - 1) : outermost;
    guint32 stack = hiera_stacks_meet(walk->stacks, parent, summed->site);
    gint64 time_ns = hiera_summed_time_between(summed, of->init_ns, of->finalize_ns);
    g_array_set_size(around, summed->depth + 1);
    g_array_index(around, guint32, summed->depth) = stack;
    walk->visitor->spend(stack, time_ns, walk->user);
    if (inner || summed->thread == 0)
        walk->visitor->spend(parent, hiera_minus(0, time_ns), walk->user);
    if (walk->visitor->begin_several)
        walk->visitor->begin_several(stack, summed, walk->user);
}

static void visit_all_summed(Walk *walk, guint32 processor)
{
    const HieraTrace *trace = walk->stacks->trace;
    g_autoptr(GArray) around = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = hiera_trace_find_summed(trace, processor); i < trace->summed->len; i++) {
        const HieraSummedOf *of = &g_array_index(trace->summed, HieraSummedOf, i);
        if (of->processor != processor)
            return;
        visit_summed(walk, around, of->summed);
    }
}

void hiera_stacks_visit(HieraStacks *stacks, guint32 processor, gboolean single, const HieraStackVisitor *visitor,
                        gpointer user)
{
    const HieraProcessor *of = &stacks->trace->processors[processor];
    Walk walk = {stacks, of, visitor, user, PROGRAM, 0, of->init_ns};
    hiera_events_visit(stacks->trace, processor, move, &walk);
    end_main_thread(&walk);
    if (!single)
        visit_all_summed(&walk, processor);
}

const char *hiera_stacks_program(const HieraTrace *trace)
{
    const char *application = trace->processors[0].application;
    return application[0] ? application : "program";
}
