/* Finds which counters, stores and branches belong to a loop: once, for all processes. See process.h. */
#include "process.h"

/* --- vector registers with several integers --- */

static void mark_lanes(HieraLoopFacts *facts, const HieraStepOperand *to, guint8 width)
{
    guint high = to->base + HIERA_XMM_HIGH - HIERA_XMM;
    if (width == 0 || width == 8 || to->kind != HIERA_OPERAND_REGISTER || to->base < HIERA_XMM ||
        to->base >= HIERA_N_REGISTERS)
        return;
    facts->lanes[to->base] = width;
    if (high < HIERA_N_REGISTERS)
        facts->lanes[high] = width;
}

/* Return the width in bytes of the lanes that a step writes; 0: one number, or not known (some moves). */
static guint8 lanes_of(const HieraLoopFacts *facts, const HieraStep *step)
{
    if (step->kind == HIERA_STEP_LANES)
        return step->condition <= HIERA_LANES_RIGHT_SIGNED ? step->lane : 0;
    gboolean copies =
        step->kind == HIERA_STEP_MOVE && step->a.kind == HIERA_OPERAND_REGISTER && step->a.base < HIERA_N_REGISTERS;
    return copies ? facts->lanes[step->a.base] : 0;
}

static gboolean computes_address(const HieraStepOperand *place)
{
    return place->kind == HIERA_OPERAND_MEMORY &&
           (place->index != HIERA_NO_REGISTER ||
            (place->base != HIERA_NO_REGISTER && place->base != HIERA_RSP && place->base != HIERA_RBP));
}

static void add_step(HieraLoopFacts *facts, const HieraStep *step)
{
    guint8 lanes = 0;
    facts->reads |= step->kind != HIERA_STEP_ADDRESS && (computes_address(&step->a) || computes_address(&step->b));
    if (step->number == 0)
        return;
    g_array_append_val(facts->stores, step->number);
    g_array_append_val(facts->store_lanes, lanes);
    guint counter = facts->counters->len - 1; /* index of the counter of the vertex that is being added */
    g_array_append_val(facts->store_counters, counter);
}

/* Find the lanes that the steps of a vertex leave in registers. Moves depend on one another, so several passes are
 * needed. */
static void find_lanes(const HieraExecution *execution, HieraLoopFacts *facts, const HieraVertex *vertex)
{
    for (guint s = vertex->first_step; s < vertex->first_step + vertex->n_steps; s++) {
        const HieraStep *step = &g_array_index(execution->steps, HieraStep, s);
        guint8 lanes = lanes_of(facts, step);
        mark_lanes(facts, &step->to, lanes);
        for (guint i = 0; step->number > 0 && lanes > 0 && i < facts->stores->len; i++) {
            if (g_array_index(facts->stores, guint, i) == step->number)
                g_array_index(facts->store_lanes, guint8, i) = lanes;
        }
    }
}

static void find_all_lanes(const HieraExecution *execution, HieraLoopFacts *facts)
{
    enum { PASSES = 3 };
    for (guint pass = 0; pass < PASSES; pass++) {
        for (guint i = 0; i < facts->counters->len; i++) {
            guint vertex = g_array_index(facts->counters, guint, i);
            if (vertex < execution->vertices->len)
                find_lanes(execution, facts, hiera_execution_vertex(execution, vertex));
        }
    }
}

/* --- vertices that a loop executes --- */

/* Whether a vertex does what must be done each time: a call of MPI, of atexit, or through a pointer. */
static gboolean is_lasting(const HieraVertex *vertex)
{
    gboolean is_outside = vertex->kind == HIERA_VERTEX_CALL && vertex->callee == HIERA_NO_VERTEX;
    return vertex->kind == HIERA_VERTEX_COMMUNICATION ||
           (is_outside && (!vertex->name || g_str_has_suffix(vertex->name, "atexit")));
}

/* Add the vertices, loops and stores of a function, and of all functions that it calls. */
static void add_function(const HieraExecution *execution, HieraLoopFacts *facts, guint graph, gboolean *seen)
{
    const HieraFunctionGraph *of = hiera_execution_graph(execution, graph);
    g_autoptr(GArray) to_visit = g_array_new(FALSE, FALSE, sizeof(guint));
    if (seen[graph])
        return;
    seen[graph] = TRUE;
    g_array_append_val(to_visit, graph);
    for (guint at = 0; at < to_visit->len; at++) {
        guint number = g_array_index(to_visit, guint, at), counter = hiera_counter_of_graph(execution, number);
        of = hiera_execution_graph(execution, number);
        g_array_append_val(facts->counters, counter);
        for (guint i = of->first_loop; i < of->first_loop + of->n_loops; i++) {
            counter = hiera_counter_of_loop(execution, i);
            g_array_append_val(facts->counters, counter);
        }
        for (guint i = of->first; i < of->first + of->n; i++) {
            const HieraVertex *vertex = hiera_execution_vertex(execution, i);
            g_array_append_val(facts->counters, i);
            facts->communicates |= is_lasting(vertex);
            for (guint s = vertex->first_step; s < vertex->first_step + vertex->n_steps; s++)
                add_step(facts, &g_array_index(execution->steps, HieraStep, s));
            if (vertex->kind == HIERA_VERTEX_CALL && vertex->callee != HIERA_NO_VERTEX && !seen[vertex->callee]) {
                seen[vertex->callee] = TRUE;
                g_array_append_val(to_visit, vertex->callee);
            }
        }
    }
}

void hiera_loop_facts_find(const HieraExecution *execution, guint loop, HieraLoopFacts *facts)
{
    guint graph = hiera_execution_loop(execution, loop)->graph;
    const HieraFunctionGraph *of = hiera_execution_graph(execution, graph);
    g_autofree gboolean *seen = g_new0(gboolean, execution->graphs->len);
    facts->ready = TRUE;
    facts->counters = g_array_new(FALSE, FALSE, sizeof(guint));
    facts->stores = g_array_new(FALSE, FALSE, sizeof(guint));
    facts->store_lanes = g_array_new(FALSE, FALSE, sizeof(guint8));
    facts->store_counters = g_array_new(FALSE, FALSE, sizeof(guint));
    facts->branches = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = of->first; i < of->first + of->n; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        if (vertex->is_gone || !hiera_execution_is_inside(execution, i, loop))
            continue;
        g_array_append_val(facts->counters, i);
        for (guint s = vertex->first_step; s < vertex->first_step + vertex->n_steps; s++)
            add_step(facts, &g_array_index(execution->steps, HieraStep, s));
        if (vertex->kind == HIERA_VERTEX_BRANCH && vertex->loop == loop)
            g_array_append_val(facts->branches, i);
        facts->communicates |= is_lasting(vertex);
        if (vertex->kind == HIERA_VERTEX_CALL && vertex->callee != HIERA_NO_VERTEX)
            add_function(execution, facts, vertex->callee, seen);
    }
    for (guint i = loop + 1; i < of->first_loop + of->n_loops; i++) {
        guint at = i, counter = hiera_counter_of_loop(execution, i);
        while (at != HIERA_NO_VERTEX && at != loop)
            at = hiera_execution_loop(execution, at)->parent;
        if (at == loop)
            g_array_append_val(facts->counters, counter);
    }
    facts->communicates |= seen[graph]; /* recursive calls count as MPI calls: no iteration is skipped */
    find_all_lanes(execution, facts);
}

HieraLoopFacts *hiera_loop_facts_new(const HieraExecution *execution)
{
    return g_new0(HieraLoopFacts, execution->loops->len + 1);
}

void hiera_loop_facts_free(const HieraExecution *execution, HieraLoopFacts *facts)
{
    for (guint i = 0; facts && i < execution->loops->len; i++) {
        if (!facts[i].ready)
            continue;
        g_array_unref(facts[i].counters);
        g_array_unref(facts[i].stores);
        g_array_unref(facts[i].store_lanes);
        g_array_unref(facts[i].store_counters);
        g_array_unref(facts[i].branches);
    }
    g_free(facts);
}
