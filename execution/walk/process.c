/* Walks from vertex to vertex. See process.h. */
#include "process.h"
#include "execution/state/execute.h"
#include <math.h>
#include <string.h>

enum { DEEPEST = 2000, NEAR = 6 };
#define MOST_WALKED G_GUINT64_CONSTANT(100000000) /* some seconds */
#define STACK       0x7ffd00000000u
#define ARGUMENTS   0x7ffe00000000u

/* argc, argv. */
static void put_arguments(HieraProcess *process)
{
    HieraProcessState *state = &process->state;
    guint n = process->options->arguments ? g_strv_length(process->options->arguments) : 0;
    guint64 text = ARGUMENTS + (guint64)(n + 2) * 8;
    for (guint i = 0; i <= n; i++) {
        const char *word = i == 0 ? process->execution->object->path : process->options->arguments[i - 1];
        hiera_memory_write(state->memory, ARGUMENTS + (guint64)i * 8, 8, TRUE, text);
        for (gsize k = 0; k <= strlen(word); k++)
            hiera_memory_write(state->memory, text + k, 1, TRUE, (guint64)(guchar)word[k]);
        text += strlen(word) + 1;
    }
    hiera_memory_write(state->memory, ARGUMENTS + (guint64)(n + 1) * 8, 8, TRUE, 0);
    state->registers[HIERA_RDI] = (HieraKnown){TRUE, n + 1};
    state->registers[HIERA_RSI] = (HieraKnown){TRUE, ARGUMENTS};
    state->registers[HIERA_RSP] = (HieraKnown){TRUE, STACK - 8};
}

HieraProcess *hiera_process_new(const HieraExecution *execution, const HieraWalkOptions *options, HieraLoopFacts *facts,
                                guint32 rank)
{
    HieraProcess *process = g_new0(HieraProcess, 1);
    guint n = execution->vertices->len;
    const HieraFrameOfCall frame = {HIERA_NO_VERTEX, 0};
    process->execution = execution;
    process->options = options;
    process->facts = facts;
    process->rank = rank;
    process->state.memory = hiera_memory_new(execution->object);
    process->state.stores = g_new0(HieraLastStore, execution->n_stores);
    process->counters = g_new0(guint64, hiera_n_counters(execution));
    process->library_cycles = g_new0(gdouble, n);
    process->decided = g_new0(HieraDecided, n);
    process->probability = g_new(gfloat, n);
    process->was_drawn = g_new0(gboolean, n);
    process->was_capped = g_new0(gboolean, execution->loops->len + 1);
    process->past = g_new0(struct HieraLoopPast *, execution->loops->len + 1);
    process->files = hiera_files_new();
    process->frames = g_array_new(FALSE, FALSE, sizeof(HieraFrameOfCall));
    process->runs = g_array_new(FALSE, FALSE, sizeof(HieraLoopRun));
    process->n_drawn_at = g_new0(guint32, n);
    for (guint i = 0; i < n; i++)
        process->probability[i] = -1;
    process->at = hiera_execution_graph(execution, execution->main)->first;
    process->counters[hiera_counter_of_graph(execution, execution->main)] = 1;
    g_array_append_val(process->frames, frame);
    put_arguments(process);
    return process;
}

static void drop_runs(HieraProcess *process, guint n)
{
    for (guint i = n; i < process->runs->len; i++)
        hiera_ahead_free(g_array_index(process->runs, HieraLoopRun, i).ahead);
    g_array_set_size(process->runs, n);
}

void hiera_process_free(HieraProcess *process)
{
    if (!process)
        return;
    drop_runs(process, 0);
    for (guint i = 0; i < process->execution->loops->len; i++)
        hiera_loop_past_free(process->past[i]);
    g_free(process->past);
    hiera_memory_free(process->state.memory);
    g_free(process->state.stores);
    g_free(process->counters);
    g_free(process->library_cycles);
    g_free(process->decided);
    g_free(process->probability);
    g_free(process->was_drawn);
    g_free(process->was_capped);
    g_array_unref(process->frames);
    g_array_unref(process->runs);
    g_free(process->n_drawn_at);
    hiera_files_free(process->files);
    g_free(process);
}

/* The innermost loop of the function that the process is in, NULL if it is in none. */
static HieraLoopRun *innermost(HieraProcess *process)
{
    const HieraFrameOfCall *frame = &g_array_index(process->frames, HieraFrameOfCall, process->frames->len - 1);
    return process->runs->len > frame->first_run ? &g_array_index(process->runs, HieraLoopRun, process->runs->len - 1)
                                                 : NULL;
}

/* Loops that are left or entered on the way to a vertex of the same function. */
static void go_to(HieraProcess *process, guint to)
{
    const HieraExecution *execution = process->execution;
    guint loop = hiera_execution_vertex(execution, to)->loop;
    HieraLoopRun *run = innermost(process);
    process->at = to;
    while (run && run->loop != loop && !hiera_execution_is_inside(execution, to, run->loop)) {
        drop_runs(process, process->runs->len - 1);
        run = innermost(process);
    }
    if (loop == HIERA_NO_VERTEX || hiera_execution_loop(execution, loop)->header != to)
        return;
    if (run && run->loop == loop) {
        run->iterations++;
        hiera_process_look_ahead(process, run);
        return;
    }
    const HieraLoopRun entered = {.loop = loop, .iterations = 1, .begin = process->n_walked};
    process->counters[hiera_counter_of_loop(execution, loop)]++;
    g_array_append_val(process->runs, entered);
}

static void enter(HieraProcess *process, guint callee, guint return_to)
{
    const HieraFrameOfCall frame = {return_to, process->runs->len};
    HieraKnown *top = &process->state.registers[HIERA_RSP];
    g_array_append_val(process->frames, frame);
    top->bits -= 8;
    process->counters[hiera_counter_of_graph(process->execution, callee)]++;
    go_to(process, hiera_execution_graph(process->execution, callee)->first);
}

static void leave(HieraProcess *process)
{
    HieraFrameOfCall frame = g_array_index(process->frames, HieraFrameOfCall, process->frames->len - 1);
    drop_runs(process, frame.first_run);
    g_array_set_size(process->frames, process->frames->len - 1);
    process->state.registers[HIERA_RSP].bits += 8;
    if (process->frames->len == 0 || frame.return_to == HIERA_NO_VERTEX)
        process->ended = TRUE;
    else
        go_to(process, frame.return_to);
}

static guint only_next(const HieraVertex *vertex)
{
    return vertex->n_next > 0 ? vertex->next[0] : HIERA_NO_VERTEX;
}

void hiera_process_pass(HieraProcess *process)
{
    guint next = only_next(hiera_execution_vertex(process->execution, process->at));
    if (next == HIERA_NO_VERTEX)
        process->ended = TRUE;
    else
        go_to(process, next);
}

/* The graph of a function that a pointer points to. */
static guint callee_of(HieraProcess *process, const HieraVertex *vertex, const char **name)
{
    *name = vertex->name;
    if (vertex->callee != HIERA_NO_VERTEX || vertex->name || vertex->pointer.kind == HIERA_OPERAND_NONE)
        return vertex->callee;
    HieraKnown value = hiera_state_read(&process->state, &vertex->pointer);
    *name = value.known ? hiera_memory_name_at(process->state.memory, value.bits) : NULL;
    return value.known ? GPOINTER_TO_UINT(g_hash_table_lookup(process->execution->by_address, &value.bits)) - 1
                       : HIERA_NO_VERTEX;
}

static void call(HieraProcess *process, const HieraVertex *vertex)
{
    const char *name;
    guint callee = callee_of(process, vertex, &name), next = only_next(vertex);
    if (callee != HIERA_NO_VERTEX && process->frames->len < DEEPEST) {
        enter(process, callee, next);
        return;
    }
    gdouble cycles = hiera_library_call(process, name);
    process->library_cycles[process->at] = MAX(cycles, 0);
    process->cycles += MAX(cycles, 0);
    if (cycles < 0 || next == HIERA_NO_VERTEX)
        process->ended = TRUE;
    else
        go_to(process, next);
}

/* --- decisions --- */

/* Whether a way leaves a loop. */
static gboolean leaves(const HieraProcess *process, guint to, guint loop)
{
    return to == HIERA_NO_VERTEX || !hiera_execution_is_inside(process->execution, to, loop);
}

/* Random numbers for a decision. Processes run the same program: what none of them can know is the same for all, or
 * they would not meet in their calls of MPI. So the place and the turn decide, not the process. */
static HieraRandom random_here(HieraProcess *process, guint64 turn)
{
    const HieraWalkOptions *options = process->options;
    const guint64 seeds[] = {options->seed, options->apart ? process->rank + 1 : 0, process->at, turn};
    return hiera_random_new(seeds, G_N_ELEMENTS(seeds));
}

/* For the next decision at this vertex. */
static HieraRandom next_random(HieraProcess *process)
{
    return random_here(process, ++process->n_drawn_at[process->at]);
}

/* How often a loop is repeated: as in a profile, or by lot. */
static guint64 draw_limit(HieraProcess *process, guint loop, gboolean at_end)
{
    HieraRandom random = next_random(process);
    const gdouble *visits = process->options->visits;
    if (!visits || visits[loop] < 0)
        return hiera_draw_loop(&process->options->loops, &random);
    gdouble n = MAX(visits[loop] - (at_end ? 0 : 1), 0);
    return (guint64)n + (hiera_random_double(&random) < n - floor(n));
}

/* Whether a loop with calls of MPI has another end that will come: a decision that is known, and whose operands change,
 * such as that of a counter. In its first iterations that cannot be told yet, and is assumed. */
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

/* One of two ways leaves the loop. */
static gboolean draw_exit(HieraProcess *process, const HieraVertex *vertex, HieraLoopRun *run, guint way_out)
{
    const HieraExecutionLoop *loop = hiera_execution_loop(process->execution, run->loop);
    gboolean at_end = vertex->next[!way_out] == loop->header;
    if (ends_otherwise(process, run)) {
        gboolean capped = run->iterations >= process->options->loops.max;
        process->n_capped += capped;
        process->was_capped[run->loop] |= capped;
        return capped;
    }
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

/* Whether a way leads straight into a loop that is not around the decision. */
static gboolean enters_loop(const HieraProcess *process, guint to, guint from)
{
    for (guint i = 0; i < NEAR && to != HIERA_NO_VERTEX; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(process->execution, to);
        if (vertex->loop != HIERA_NO_VERTEX && hiera_execution_loop(process->execution, vertex->loop)->header == to &&
            !hiera_execution_is_inside(process->execution, from, vertex->loop))
            return TRUE;
        to = vertex->kind == HIERA_VERTEX_JUMP        ? vertex->next[1]
             : vertex->kind == HIERA_VERTEX_EXECUTION ? only_next(vertex)
                                                      : HIERA_NO_VERTEX;
    }
    return FALSE;
}

/* Decide what is not known. @return which edge */
static guint draw(HieraProcess *process, const HieraVertex *vertex)
{
    HieraLoopRun *run = innermost(process);
    gfloat *probability = &process->probability[process->at];
    process->n_drawn++;
    process->was_drawn[process->at] = TRUE;
    for (guint k = 0; k < 2; k++)
        if (vertex->next[k] == HIERA_NO_VERTEX ||
            (process->execution->hopeless[vertex->next[k]] && !process->execution->hopeless[vertex->next[!k]]))
            return !k;
    if (run) {
        gboolean out[] = {leaves(process, vertex->next[0], run->loop), leaves(process, vertex->next[1], run->loop)};
        if (out[0] != out[1]) {
            guint way_out = out[1] ? 1 : 0;
            return draw_exit(process, vertex, run, way_out) ? way_out : !way_out;
        }
    }
    /* Compilers put a test before loops: whether they are repeated at all. That is drawn with the number. */
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

static void branch(HieraProcess *process, const HieraVertex *vertex)
{
    HieraDecided *decided = &process->decided[process->at];
    const HieraLoopRun *run = innermost(process);
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
    guint next = vertex->next[taken];
    if (next == HIERA_NO_VERTEX)
        leave(process);
    else
        go_to(process, next);
}

/* The pointer of a jump by a table is seldom known: each way is as likely. */
static void switch_to(HieraProcess *process, const HieraVertex *vertex)
{
    guint n = vertex->n_next - 1;
    HieraKnown pointer = hiera_state_read(&process->state, &vertex->pointer);
    for (guint i = 1; pointer.known && i <= n; i++) {
        const HieraVertex *way = hiera_execution_vertex(process->execution, vertex->next[i]);
        if (way->begin == pointer.bits) {
            go_to(process, vertex->next[i]);
            return;
        }
    }
    HieraRandom random = next_random(process);
    process->n_drawn++;
    go_to(process, vertex->next[1 + (guint)(hiera_random_double(&random) * n)]);
}

guint hiera_process_walk(HieraProcess *process)
{
    const HieraExecution *execution = process->execution;
    const HieraStep *steps = (const HieraStep *)execution->steps->data;
    guint64 first = process->n_walked;
    guint64 most = process->options->most_walked > 0 ? process->options->most_walked : MOST_WALKED;
    while (!process->ended) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, process->at);
        if (++process->n_walked - first > most) {
            process->stuck = "it walks for too long; give the mean of its loops, or smaller arguments";
            process->ended = TRUE;
            break;
        }
        process->counters[process->at]++;
        process->cycles += vertex->cycles;
        process->n_steps += vertex->n_steps;
        hiera_state_execute(&process->state, steps + vertex->first_step, vertex->n_steps);
        switch (vertex->kind) {
        case HIERA_VERTEX_EXECUTION:
            if (only_next(vertex) == HIERA_NO_VERTEX)
                leave(process);
            else
                go_to(process, vertex->next[0]);
            break;
        case HIERA_VERTEX_CALL:
            call(process, vertex);
            break;
        case HIERA_VERTEX_COMMUNICATION:
            return process->at;
        case HIERA_VERTEX_JUMP:
            if (vertex->next[1] == HIERA_NO_VERTEX)
                leave(process);
            else
                go_to(process, vertex->next[1]);
            break;
        case HIERA_VERTEX_BRANCH:
            branch(process, vertex);
            break;
        case HIERA_VERTEX_SWITCH:
            switch_to(process, vertex);
            break;
        case HIERA_VERTEX_RETURN:
            leave(process);
            break;
        default:
            process->ended = TRUE;
            break;
        }
    }
    return HIERA_NO_VERTEX;
}

/* --- before walking --- */

static gint8 rule_at(const HieraWalkOptions *options, const GArray *frames)
{
    for (guint f = 0; f < frames->len; f++) {
        const HieraFrame *frame = &g_array_index(frames, HieraFrame, f);
        g_autofree char *name = frame->file ? g_path_get_basename(frame->file) : NULL;
        for (guint i = 0; name && i < options->rules->len; i++) {
            const HieraDecisionRule *rule = &g_array_index(options->rules, HieraDecisionRule, i);
            if (rule->line == frame->line && strcmp(rule->file, name) == 0)
                return (gint8)i;
        }
    }
    return -1;
}

void hiera_walk_prepare(const HieraExecution *execution, HieraWalkOptions *options, HieraPlaces *places)
{
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    if (!options->rules || options->rules->len == 0)
        return;
    options->decided = g_new(gint8, execution->vertices->len);
    memset(options->decided, -1, execution->vertices->len);
    for (guint i = 0; places && i < execution->vertices->len; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        if (vertex->kind != HIERA_VERTEX_BRANCH)
            continue;
        hiera_places_find(places, vertex->action, frames);
        options->decided[i] = rule_at(options, frames);
    }
}
