/* Which way a process goes at branches: by their operands if these are known, otherwise at random. See process.h. */
#include "process.h"
#include <math.h>
#include <string.h>

enum { NEAR = 6 };

/* Whether an edge leads out of a loop. @param to  vertex at the edge's end */
static gboolean leaves(const HieraProcess *process, guint to, guint loop)
{
    return to == HIERA_NO_VERTEX || !hiera_execution_is_inside(process->execution, to, loop);
}

/* Random numbers for a decision. Processes run the same program: what none of them can know must be equal in all, or
 * they would not meet in their MPI calls. So the numbers depend on the current vertex and on `turn`; on the process
 * only with the option `apart`. @param turn  number of the decision at the vertex; 0: for a number that is the same for
 * all decisions there */
static HieraRandom random_here(HieraProcess *process, guint64 turn)
{
    const HieraWalkOptions *options = process->options;
    const guint64 seeds[] = {options->seed, options->apart ? process->rank + 1 : 0, process->at, turn};
    return hiera_random_new(seeds, G_N_ELEMENTS(seeds));
}

/* Return a random number generator for the next random decision at the current vertex. */
static HieraRandom next_random(HieraProcess *process)
{
    return random_here(process, ++process->n_drawn_at[process->at]);
}

/* Draw how often a loop is repeated: at random, or by the profile. @param at_end  the exit is tested at the end */
static guint64 draw_limit(HieraProcess *process, guint loop, gboolean at_end)
{
    HieraRandom random = next_random(process);
    const gdouble *visits = process->options->visits;
    if (!visits || visits[loop] < 0)
        return hiera_draw_loop(&process->options->loops, &random);
    gdouble n = MAX(visits[loop] - (at_end ? 0 : 1), 0);
    return (guint64)n + (hiera_random_double(&random) < n - floor(n));
}

/* Whether a loop with MPI calls has another exit that will be taken: a known decision whose operands change, such as
 * that of a counter. In the first iterations this cannot be seen yet, and is assumed. */
static gboolean ends_otherwise(HieraProcess *process, const HieraLoopRun *run)
{
    HieraLoopFacts *facts = &process->facts[run->loop];
    if (!facts->ready)
        hiera_loop_facts_find(process->execution, run->loop, facts);
    for (guint i = 0; facts->communicates && i < facts->branches->len; i++) {
        guint number = g_array_index(facts->branches, guint, i);
        const HieraVertex *vertex = hiera_execution_vertex(process->execution, number);
        const HieraDecided *decided = &process->decided[number];
        if (number == process->at ||
            leaves(process, vertex->next[0], run->loop) == leaves(process, vertex->next[1], run->loop))
            continue;
        if (decided->known ? (decided->n_known < 2 || decided->changes) && decided->iteration + 1 >= run->iterations
                           : decided->iteration == 0 && run->iterations <= 1)
            return TRUE;
    }
    return FALSE;
}

/* Decide at random whether a branch leaves its loop. @param way_out  index of the edge that does */
static gboolean draw_exit(HieraProcess *process, const HieraVertex *vertex, HieraLoopRun *run, guint way_out)
{
    const HieraExecutionLoop *loop = hiera_execution_loop(process->execution, run->loop);
    gboolean at_end = vertex->next[!way_out] == loop->header;
    if (ends_otherwise(process, run)) {
        gboolean capped = run->iterations >= process->options->loops.max;
        process->n_capped += capped;
        process->was_capped[run->loop] |= capped;
        process->unknown[process->at] |= HIERA_UNKNOWN_EARLIER;
        return capped;
    }
    process->unknown[process->at] |= HIERA_UNKNOWN_DRAWN;
    if (!run->has_limit) {
        run->has_limit = TRUE;
        run->limit = draw_limit(process, run->loop, at_end);
        if (run->limit >= process->options->loops.max && !process->options->visits) {
            process->n_capped++;
            process->was_capped[run->loop] = TRUE;
        }
    }
    return run->iterations >= run->limit + !at_end;
}

/* Whether an edge leads into a loop, after at most NEAR vertices. @param from  the branch, which is not in that loop */
static gboolean enters_loop(const HieraProcess *process, guint to, guint from)
{
    for (guint i = 0; i < NEAR && to != HIERA_NO_VERTEX; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(process->execution, to);
        if (vertex->loop != HIERA_NO_VERTEX && hiera_execution_loop(process->execution, vertex->loop)->header == to &&
            !hiera_execution_is_inside(process->execution, from, vertex->loop))
            return TRUE;
        to = vertex->kind == HIERA_VERTEX_JUMP        ? vertex->next[1]
             : vertex->kind == HIERA_VERTEX_EXECUTION ? hiera_vertex_only_next(vertex)
                                                      : HIERA_NO_VERTEX;
    }
    return FALSE;
}

/* Find the edge that the compiler takes for likely, for example where errors are handled. A loop must end, though.
 * @return 2: none */
static guint find_likely(const HieraProcess *process, const HieraVertex *vertex, const HieraLoopRun *run)
{
    gboolean cold[2];
    for (guint k = 0; k < 2; k++)
        cold[k] = hiera_execution_vertex(process->execution, vertex->next[k])->is_cold;
    if (cold[0] == cold[1] || (run && run->iterations > process->options->loops.max))
        return 2;
    return cold[0] ? 1 : 0;
}

static void count_drawn(HieraProcess *process)
{
    guint64 n = process->n_last_drawn;
    if (n == 0 || process->last_drawn[(n - 1) % HIERA_LAST_DRAWN] != process->at)
        process->last_drawn[process->n_last_drawn++ % HIERA_LAST_DRAWN] = process->at;
    process->n_drawn++;
    process->n_undecided_at[process->at]++;
    process->unknown[process->at] |= HIERA_UNKNOWN_DECISION;
}

/* Decide a branch at random. @return index of the edge */
static guint draw(HieraProcess *process, const HieraVertex *vertex)
{
    HieraLoopRun *run = hiera_process_innermost(process);
    gfloat *probability = &process->probability[process->at];
    count_drawn(process);
    for (guint k = 0; k < 2; k++)
        if (vertex->next[k] == HIERA_NO_VERTEX ||
            (process->execution->hopeless[vertex->next[k]] && !process->execution->hopeless[vertex->next[!k]]))
            return !k;
    guint likely = find_likely(process, vertex, run);
    if (likely < 2)
        return likely;
    if (run) {
        gboolean out[] = {leaves(process, vertex->next[0], run->loop), leaves(process, vertex->next[1], run->loop)};
        if (out[0] != out[1]) {
            guint way_out = out[1] ? 1 : 0;
            return draw_exit(process, vertex, run, way_out) ? way_out : !way_out;
        }
    }
    process->unknown[process->at] |= HIERA_UNKNOWN_DRAWN;
    /* A branch that may bypass a loop is not drawn, but enters the loop: the drawn number of repetitions may be 0. */
    gboolean enters[] = {enters_loop(process, vertex->next[0], process->at),
                         enters_loop(process, vertex->next[1], process->at)};
    if (enters[0] != enters[1])
        return enters[1] ? 1 : 0;
    HieraRandom once = random_here(process, 0), random = next_random(process);
    if (*probability < 0)
        *probability = (gfloat)hiera_draw_probability(&process->options->branches, &once);
    return (guint)hiera_draw_taken(&process->options->branches, (gdouble)*probability, &random);
}

static gboolean rule_for(const HieraProcess *process, gboolean *taken)
{
    gint8 number = process->options->decided ? process->options->decided[process->at] : -1;
    if (number < 0)
        return FALSE;
    const HieraDecisionRule *rule = &g_array_index(process->options->rules, HieraDecisionRule, (guint)number);
    *taken = rule->taken;
    return process->rank >= rule->first_rank && process->rank <= rule->last_rank;
}

guint hiera_process_decide(HieraProcess *process, const HieraVertex *vertex)
{
    HieraDecided *decided = &process->decided[process->at];
    const HieraLoopRun *run = hiera_process_innermost(process);
    gboolean taken;
    const HieraFlags before = decided->flags;
    decided->iteration = run ? run->iterations : 0;
    decided->turn = process->n_walked;
    decided->flags = process->state.flags;
    decided->changes = before.a != decided->flags.a || before.b != decided->flags.b;
    decided->known = rule_for(process, &taken) ||
                     hiera_flags_decide(&process->state.flags, (HieraStepCondition)vertex->condition, &taken);
    decided->n_known = decided->known ? (guint8)MIN(decided->n_known + 1, 2) : 0;
    if (!decided->known)
        taken = (gboolean)draw(process, vertex);
    decided->taken = taken;
    return vertex->next[taken];
}

/* Choose the edge of a jump through a table, whose pointer is rarely known: all edges are equally likely, except those
 * that end the program. */
guint hiera_process_choose(HieraProcess *process, const HieraVertex *vertex)
{
    guint n = vertex->n_next - 1;
    HieraKnown pointer = hiera_state_read(&process->state, &vertex->pointer);
    for (guint i = 1; pointer.known && i <= n; i++) {
        const HieraVertex *way = hiera_execution_vertex(process->execution, vertex->next[i]);
        if (way->begin == pointer.bits)
            return vertex->next[i];
    }
    HieraRandom random = next_random(process);
    count_drawn(process);
    process->unknown[process->at] |= HIERA_UNKNOWN_DRAWN;
    guint hoped[64], n_hoped = 0;
    for (guint i = 1; i <= n && n_hoped < G_N_ELEMENTS(hoped); i++)
        if (vertex->next[i] != HIERA_NO_VERTEX && !process->execution->hopeless[vertex->next[i]])
            hoped[n_hoped++] = vertex->next[i];
    if (n_hoped == 0)
        return vertex->next[1 + (guint)(hiera_random_double(&random) * n)];
    return hoped[(guint)(hiera_random_double(&random) * n_hoped)];
}

/* --- finding the user's rules --- */

static gint8 rule_at(const HieraWalkOptions *options, const GArray *frames)
{
    for (guint f = 0; f < frames->len; f++) {
        const HieraFrame *frame = &g_array_index(frames, HieraFrame, f);
        g_autofree char *name = frame->file ? g_path_get_basename(frame->file) : NULL;
        for (guint i = 0; name && i < options->rules->len; i++) {
            const HieraDecisionRule *rule = &g_array_index(options->rules, HieraDecisionRule, i);
            if (rule->address == 0 && rule->line == frame->line && strcmp(rule->file, name) == 0)
                return (gint8)i;
        }
    }
    return -1;
}

/* Return the index of the rule for an address in an executable or library; -1: there is none. */
static gint8 rule_at_address(const HieraWalkOptions *options, const HieraObject *object, guint64 address)
{
    g_autofree char *name = g_path_get_basename(object->path);
    for (guint i = 0; i < options->rules->len; i++) {
        const HieraDecisionRule *rule = &g_array_index(options->rules, HieraDecisionRule, i);
        if (rule->address != 0 && rule->address == address - object->base && strcmp(rule->file, name) == 0)
            return (gint8)i;
    }
    return -1;
}

void hiera_walk_prepare(const HieraExecution *execution, HieraWalkOptions *options)
{
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    if (!options->rules || options->rules->len == 0)
        return;
    g_free(options->decided);
    options->decided = g_new(gint8, execution->vertices->len);
    memset(options->decided, -1, execution->vertices->len);
    for (guint i = 0; i < execution->vertices->len; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        if (vertex->kind != HIERA_VERTEX_BRANCH)
            continue;
        options->decided[i] =
            rule_at_address(options, hiera_execution_graph(execution, vertex->graph)->object, vertex->action);
        HieraPlaces *places =
            options->decided[i] < 0 ? hiera_modules_places(&execution->modules, vertex->action) : NULL;
        if (!places)
            continue;
        hiera_places_find(places, vertex->action, frames);
        options->decided[i] = rule_at(options, frames);
    }
}
