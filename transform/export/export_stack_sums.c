/* See export_stack_sums.h.
 *
 * Each process numbers the stacks that it meets. Process 0 renumbers them as a single process would: it
 * goes through the processors in their order, and through the stacks of each in the order of their numbers, because new
 * stacks of a processor have rising numbers. */
#include "export_stack_sums.h"

/* A call stack as one process sends it to another: number of its parent, and id of the call site at its top. */
typedef struct {
    guint32 parent, site;
} Step;

typedef struct {
    GArray *steps;  /* Step, by the sending process's number of the stack; entry 0 is not used */
    GArray *joined; /* guint32, by the sending process's number of the stack: its number in the result */
} Source;

typedef struct {
    const Source *source;
    GArray *sums; /* HieraStackSum, by the sending process's number of the stack */
} Found;

typedef struct {
    HieraStacks *stacks;
    const HieraScope *scope;
    gboolean by_processor;
    GPtrArray *rows;    /* rows of the result; before join_all(), sums of this process alone */
    GPtrArray *sources; /* Source: the stacks of each process */
    GArray *found;      /* Found: the sums received, by processor if `by_processor`, else by process */
    GArray *row;        /* row to which the current processor's sums are added */
} Sums;

static HieraStackSum *find_sum(GArray *row, guint32 stack)
{
    if (stack >= row->len)
        g_array_set_size(row, stack + 1);
    return &g_array_index(row, HieraStackSum, stack);
}

static void spend(guint32 stack, gint64 time_ns, gpointer user)
{
    HieraStackSum *sum = find_sum(((Sums *)user)->row, stack);
    sum->time_ns = hiera_plus(sum->time_ns, time_ns);
}

static void begin(guint32 stack, guint32 row, gpointer user)
{
    const Sums *sums = user;
    HieraStackSum *sum = find_sum(sums->row, stack);
    gint64 bytes = sums->stacks->trace->bytes[row];
    sum->visits++;
    if (bytes > 0)
        sum->bytes = hiera_plus(sum->bytes, bytes);
}

static void begin_several(guint32 stack, const HieraSummed *summed, gpointer user)
{
    HieraStackSum *sum = find_sum(((Sums *)user)->row, stack);
    sum->visits = hiera_plus(sum->visits, summed->calls);
    sum->bytes = hiera_plus(sum->bytes, MAX(summed->bytes, 0));
}

static GPtrArray *make_rows(guint n)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(rows, g_array_new(FALSE, TRUE, sizeof(HieraStackSum)));
    return rows;
}

static void visit_own(Sums *sums)
{
    static const HieraStackVisitor visitor = {spend, begin, begin_several};
    const HieraTrace *trace = sums->stacks->trace;
    gboolean single = hiera_scope_count_operations(sums->scope, trace) > 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        sums->row = sums->rows->pdata[sums->by_processor ? i : 0];
        if (hiera_scope_is_own(sums->scope, i))
            hiera_stacks_visit(sums->stacks, i, single, &visitor, sums);
    }
}

/* --- stacks and sums of several processes --- */

static void pack_stacks(HieraPacker *to, const HieraStacks *stacks)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(Step));
    for (guint i = 0; i < stacks->stacks->len; i++) {
        const HieraStack *stack = &g_array_index(stacks->stacks, HieraStack, i);
        const Step step = {stack->parent, stack->site ? stack->site->id : HIERA_NONE};
        g_array_append_val(steps, step);
    }
    hiera_pack_array(to, steps);
}

static void pack_sums(HieraPacker *to, gpointer user)
{
    const Sums *sums = user;
    pack_stacks(to, sums->stacks);
    for (guint i = 0; i < sums->rows->len; i++) {
        if (sums->by_processor && !sums->scope->share.own[i])
            continue;
        hiera_pack_number(to, (gint64)i + 1);
        hiera_pack_array(to, sums->rows->pdata[i]);
    }
    hiera_pack_number(to, 0);
}

static void free_source(gpointer data)
{
    Source *source = data;
    g_array_unref(source->steps);
    g_array_unref(source->joined);
    g_free(source);
}

static void unpack_sums(HieraUnpacker *from, gpointer user)
{
    const Sums *sums = user;
    Source *source = g_new(Source, 1);
    *source = (Source){g_array_new(FALSE, FALSE, sizeof(Step)), g_array_new(FALSE, FALSE, sizeof(guint32))};
    g_ptr_array_add(sums->sources, source);
    hiera_unpack_array(from, source->steps);
    for (gint64 number; (number = hiera_unpack_number(from)) > 0;) {
        const Found found = {source, g_array_new(FALSE, TRUE, sizeof(HieraStackSum))};
        hiera_unpack_array(from, found.sums);
        if (sums->by_processor)
            g_array_index(sums->found, Found, number - 1) = found;
        else
            g_array_append_val(sums->found, found);
    }
}

/* Return the number in the result of a process's stack. The stack's parent must have such a number. */
static guint32 join_stack(HieraStacks *stacks, const Source *source, guint32 stack)
{
    const Step *step = &g_array_index(source->steps, Step, stack);
    guint32 joined = 0;
    if (stack < source->joined->len)
        return g_array_index(source->joined, guint32, stack);
    if (stack > 0)
        joined = hiera_stacks_meet(
            stacks, g_array_index(source->joined, guint32, step->parent),
            step->site == HIERA_NONE ? NULL : hiera_catalog_peek_site(stacks->trace->catalog, step->site));
    g_array_append_val(source->joined, joined);
    return joined;
}

static void join(HieraStacks *stacks, const Found *found, GArray *row)
{
    for (guint32 i = 0; i < found->sums->len; i++) {
        const HieraStackSum *from = &g_array_index(found->sums, HieraStackSum, i);
        HieraStackSum *to = find_sum(row, join_stack(stacks, found->source, i));
        to->time_ns = hiera_plus(to->time_ns, from->time_ns);
        to->visits = hiera_plus(to->visits, from->visits);
        to->bytes = hiera_plus(to->bytes, from->bytes);
    }
}

/* Replace the stacks and sums of this process by those of all processes. */
static void join_all(Sums *sums)
{
    HieraStacks *stacks = sums->stacks;
    const HieraTrace *trace = stacks->trace;
    guint n = sums->rows->len;
    hiera_stacks_clear(stacks);
    hiera_stacks_init(stacks, trace);
    g_ptr_array_unref(sums->rows);
    sums->rows = make_rows(n);
    for (guint i = 0; i < sums->found->len; i++) {
        const Found *found = &g_array_index(sums->found, Found, i);
        join(stacks, found, sums->rows->pdata[sums->by_processor ? i : 0]);
        g_array_unref(found->sums);
    }
}

static void gather(Sums *sums)
{
    const HieraTrace *trace = sums->stacks->trace;
    sums->sources = g_ptr_array_new_with_free_func(free_source);
    sums->found = g_array_new(FALSE, TRUE, sizeof(Found));
    if (sums->by_processor)
        g_array_set_size(sums->found, trace->n_processors);
    hiera_scope_gather(sums->scope, trace, pack_sums, unpack_sums, sums);
    if (sums->sources->len > 0)
        join_all(sums);
    g_array_unref(sums->found);
    g_ptr_array_unref(sums->sources);
}

GPtrArray *hiera_stack_sums_find(HieraStacks *stacks, const HieraScope *scope, gboolean by_processor)
{
    Sums sums = {.stacks = stacks, .scope = scope, .by_processor = by_processor};
    sums.rows = make_rows(by_processor ? stacks->trace->n_processors : 1);
    visit_own(&sums);
    gather(&sums);
    return sums.rows;
}
