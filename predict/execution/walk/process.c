/* Walks through execution graphs, from vertex to vertex. See process.h. */
#include "process.h"
#include "execution/state/execute.h"
#include <string.h>

enum { DEEPEST = 2000, MOST_WITHOUT = 100000 };
#define MOST_WALKED G_GUINT64_CONSTANT(100000000) /* limit of vertices between MPI calls: some seconds */
#define STACK       0x7ffd00000000u
#define ARGUMENTS   0x7ffe00000000u

static guint count_arguments(const HieraProcess *process)
{
    return process->options->arguments ? g_strv_length(process->options->arguments) : 0;
}

/* Write argv to the memory of the process. */
static void put_arguments(HieraProcess *process)
{
    HieraProcessState *state = &process->state;
    guint n = count_arguments(process);
    guint64 text = ARGUMENTS + (guint64)(n + 2) * 8;
    for (guint i = 0; i <= n; i++) {
        const char *word = i == 0 ? process->execution->object->path : process->options->arguments[i - 1];
        hiera_known_memory_write(state->memory, ARGUMENTS + (guint64)i * 8, 8, TRUE, text);
        for (gsize k = 0; k <= strlen(word); k++)
            hiera_known_memory_write(state->memory, text + k, 1, TRUE, (guint64)(guchar)word[k]);
        text += strlen(word) + 1;
    }
    hiera_known_memory_write(state->memory, ARGUMENTS + (guint64)(n + 1) * 8, 8, TRUE, 0);
}

static void drop_runs(HieraProcess *process, guint n)
{
    for (guint i = n; i < process->runs->len; i++) {
        const HieraLoopRun *run = &g_array_index(process->runs, HieraLoopRun, i);
        process->n_skipped_runs -= run->skipped;
        hiera_ahead_free(run->ahead);
    }
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
    hiera_known_memory_free(process->state.memory);
    g_free(process->state.stores);
    g_free(process->counters);
    g_free(process->library_cycles);
    g_free(process->decided);
    g_free(process->probability);
    g_free(process->unknown);
    g_free(process->was_capped);
    g_array_unref(process->frames);
    g_array_unref(process->at_exit);
    g_array_unref(process->runs);
    if (process->moves)
        g_array_unref(process->moves);
    g_free(process->n_drawn_at);
    g_free(process->n_undecided_at);
    hiera_files_free(process->files);
    g_free(process);
}

HieraLoopRun *hiera_process_innermost(HieraProcess *process)
{
    const HieraFrameOfCall *frame = &g_array_index(process->frames, HieraFrameOfCall, process->frames->len - 1);
    return process->runs->len > frame->first_run ? &g_array_index(process->runs, HieraLoopRun, process->runs->len - 1)
                                                 : NULL;
}

/* Continue at a vertex of the same function; leaves, repeats or enters loops on the way. */
static void go_to(HieraProcess *process, guint to)
{
    const HieraExecution *execution = process->execution;
    guint loop = hiera_execution_vertex(execution, to)->loop;
    HieraLoopRun *run = hiera_process_innermost(process);
    process->at = to;
    while (run && run->loop != loop && !hiera_execution_is_inside(execution, to, run->loop)) {
        drop_runs(process, process->runs->len - 1);
        run = hiera_process_innermost(process);
    }
    if (loop == HIERA_NO_VERTEX || hiera_execution_loop(execution, loop)->header != to)
        return;
    if (run && run->loop == loop) {
        run->iterations++;
        hiera_process_look_ahead(process, run);
        return;
    }
    const HieraLoopRun entered = {
        .loop = loop, .iterations = 1, .begin = process->n_walked, .n_moves = process->moves ? process->moves->len : 0};
    process->counters[hiera_counter_of_loop(execution, loop)]++;
    g_array_append_val(process->runs, entered);
}

static void enter(HieraProcess *process, guint callee, guint return_to, gboolean is_region)
{
    const HieraFrameOfCall frame = {.return_to = return_to, .first_run = process->runs->len, .is_region = is_region};
    HieraKnown *top = &process->state.registers[HIERA_RSP];
    process->n_regions += is_region;
    g_array_append_val(process->frames, frame);
    hiera_process_note_entry(process, callee);
    top->bits -= 8;
    process->counters[hiera_counter_of_graph(process->execution, callee)]++;
    go_to(process, hiera_execution_graph(process->execution, callee)->first);
}

/* Call the next function that runs before main, which gets the same arguments; behind the last one: begin main. */
static void start(HieraProcess *process)
{
    const GArray *starts = process->execution->starts;
    HieraKnown *registers = process->state.registers;
    hiera_forget_call(&process->state);
    registers[HIERA_RDI] = (HieraKnown){TRUE, count_arguments(process) + 1};
    registers[HIERA_RSI] = (HieraKnown){TRUE, ARGUMENTS};
    registers[HIERA_RSP] = (HieraKnown){TRUE, STACK};
    if (process->n_started < starts->len) {
        guint64 address = g_array_index(starts, guint64, process->n_started++);
        enter(process, hiera_execution_find(process->execution, address, 0), HIERA_RETURN_TO_START, FALSE);
        return;
    }
    registers[HIERA_RSP].bits -= 8;
    go_to(process, hiera_execution_graph(process->execution, process->execution->main)->first);
}

HieraProcess *hiera_process_new(const HieraExecution *execution, const HieraWalkOptions *options, HieraLoopFacts *facts,
                                guint32 rank)
{
    HieraProcess *process = g_new0(HieraProcess, 1);
    guint n = execution->vertices->len;
    const HieraFrameOfCall frame = {.return_to = HIERA_NO_VERTEX};
    process->end = HIERA_NO_VERTEX;
    process->at_exit = g_array_new(FALSE, FALSE, sizeof(HieraExitCall));
    process->execution = execution;
    process->options = options;
    process->facts = facts;
    process->rank = rank;
    process->state.memory = hiera_known_memory_new(execution->modules.program);
    process->state.stores = g_new0(HieraLastStore, execution->n_stores);
    process->counters = g_new0(guint64, hiera_n_counters(execution));
    process->library_cycles = g_new0(gdouble, n);
    process->decided = g_new0(HieraDecided, n);
    process->probability = g_new(gfloat, n);
    process->unknown = g_new0(guint8, n);
    process->was_capped = g_new0(gboolean, execution->loops->len + 1);
    process->past = g_new0(struct HieraLoopPast *, execution->loops->len + 1);
    process->files = hiera_files_new();
    process->frames = g_array_new(FALSE, FALSE, sizeof(HieraFrameOfCall));
    process->runs = g_array_new(FALSE, FALSE, sizeof(HieraLoopRun));
    process->n_drawn_at = g_new0(guint32, n);
    process->n_undecided_at = g_new0(guint64, n);
    for (guint i = 0; i < n; i++)
        process->probability[i] = -1;
    process->at = hiera_execution_graph(execution, execution->main)->first;
    process->counters[hiera_counter_of_graph(execution, execution->main)] = 1;
    g_array_append_val(process->frames, frame);
    put_arguments(process);
    start(process);
    return process;
}

/* Return the graph of the function that a pointer points to. @param slot  address of the pointer; 0: not known */
static guint find_function(HieraProcess *process, guint64 pointer, guint64 slot)
{
    guint n_wanted = process->execution->wanted->len, found = hiera_execution_find(process->execution, pointer, slot);
    process->is_wanting |= process->execution->wanted->len > n_wanted;
    return found;
}

/* Return the name of a function that is not walked through; NULL: it is, or it is not known. */
static const char *name_at(const HieraProcess *process, guint64 pointer)
{
    const char *name = hiera_known_memory_name_at(process->state.memory, pointer);
    return name ? name : hiera_modules_apart(&process->execution->modules, pointer);
}

/* Call the next function that runs when the program ends. @return FALSE: there are no more */
static gboolean call_at_exit(HieraProcess *process)
{
    enum { RED_ZONE = 128, ALIGNMENT = 16 };
    const GArray *ends = process->execution->ends;
    HieraKnown *registers = process->state.registers;
    process->end = process->end == HIERA_NO_VERTEX ? process->at : process->end;
    process->at = process->end;
    for (guint n = process->at_exit->len; n > 0 || process->n_left < ends->len; n = process->at_exit->len) {
        HieraExitCall next = n > 0 ? g_array_index(process->at_exit, HieraExitCall, n - 1) : (HieraExitCall){0};
        if (n > 0)
            g_array_set_size(process->at_exit, n - 1);
        else
            next.function = (HieraKnown){TRUE, g_array_index(ends, guint64, process->n_left++)};
        const char *name = name_at(process, next.function.bits);
        guint graph = next.function.known ? find_function(process, next.function.bits, 0) : HIERA_NO_VERTEX;
        if (graph == HIERA_NO_VERTEX) {
            if (!next.function.known || !name || !hiera_library_knows(name))
                process->unknown[process->at] |= next.function.known ? HIERA_UNKNOWN_FUNCTION : HIERA_UNKNOWN_POINTER;
            continue;
        }
        hiera_forget_call(&process->state);
        registers[HIERA_RDI] = next.argument;
        registers[HIERA_RSP].bits = (registers[HIERA_RSP].bits - RED_ZONE) & ~(guint64)(ALIGNMENT - 1);
        enter(process, graph, HIERA_RETURN_TO_END, FALSE);
        return TRUE;
    }
    return FALSE;
}

static void leave(HieraProcess *process)
{
    HieraFrameOfCall frame = g_array_index(process->frames, HieraFrameOfCall, process->frames->len - 1);
    if (frame.return_to == HIERA_NO_VERTEX && call_at_exit(process))
        return;
    drop_runs(process, frame.first_run);
    hiera_process_note_exit(process);
    process->n_regions -= frame.is_region;
    g_array_set_size(process->frames, process->frames->len - 1);
    process->state.registers[HIERA_RSP].bits += 8;
    if (process->frames->len == 0 || frame.return_to == HIERA_NO_VERTEX)
        process->ended = TRUE;
    else if (frame.return_to == HIERA_RETURN_TO_START)
        start(process);
    else if (frame.return_to != HIERA_RETURN_TO_END)
        go_to(process, frame.return_to);
    else if (!call_at_exit(process)) {
        process->ended = process->ended_by != NULL;
        if (!process->ended)
            leave(process); /* main */
    }
}

void hiera_process_pass(HieraProcess *process)
{
    guint next = hiera_vertex_only_next(hiera_execution_vertex(process->execution, process->at));
    if (next == HIERA_NO_VERTEX)
        process->ended = TRUE;
    else
        go_to(process, next);
}

/* Return the graph of the function that a vertex calls, also through a pointer. @param name  receives its name, or NULL
 */
static guint callee_of(HieraProcess *process, const HieraVertex *vertex, const char **name)
{
    *name = vertex->name;
    if (vertex->callee != HIERA_NO_VERTEX || vertex->name || vertex->pointer.kind == HIERA_OPERAND_NONE)
        return vertex->callee;
    HieraKnown value = hiera_state_read(&process->state, &vertex->pointer);
    *name = value.known ? name_at(process, value.bits) : NULL;
    guint64 slot = 0;
    if (vertex->pointer.kind != HIERA_OPERAND_MEMORY || !hiera_state_address(&process->state, &vertex->pointer, &slot))
        slot = 0;
    return value.known ? find_function(process, value.bits, slot) : HIERA_NO_VERTEX;
}

static void call(HieraProcess *process, const HieraVertex *vertex)
{
    const char *name;
    guint callee = callee_of(process, vertex, &name), next = hiera_vertex_only_next(vertex);
    HieraKnown function;
    gboolean is_region = callee == HIERA_NO_VERTEX && hiera_region_begins(process, name, &function);
    if (is_region)
        callee = find_function(process, function.bits, 0);
    if (callee != HIERA_NO_VERTEX && process->frames->len < DEEPEST) {
        enter(process, callee, next, is_region);
        return;
    }
    const HieraKnown first = hiera_process_argument(process, 0);
    if (!name || !hiera_library_knows(name))
        process->unknown[process->at] |= name ? HIERA_UNKNOWN_FUNCTION : HIERA_UNKNOWN_POINTER;
    gdouble cycles = hiera_library_call(process, name);
    process->library_cycles[process->at] = MAX(cycles, 0);
    hiera_process_spend(process, MAX(cycles, 0));
    gboolean stays =
        next == HIERA_NO_VERTEX || hiera_execution_vertex(process->execution, next)->kind == HIERA_VERTEX_STOP;
    if (cycles >= 0 && !stays) {
        go_to(process, next);
        return;
    }
    process->ended_by = name;
    process->end_status = first;
    process->ended = g_strcmp0(name, "exit") != 0 || !call_at_exit(process);
}

/* Whether the process may walk on. @param first  value of n_walked at its last MPI call */
static gboolean may_go_on(HieraProcess *process, guint64 first)
{
    guint64 most = process->options->most_walked > 0 ? process->options->most_walked : MOST_WALKED;
    if (++process->n_walked - first > most) {
        process->stuck =
            "more than 100 million vertices between two calls of MPI; say how often its loops are repeated "
            "(--loops), decide branches that are not known (--decide), or give smaller --arguments";
        return FALSE;
    }
    return !process->is_wanting || ++process->n_without <= MOST_WITHOUT;
}

void hiera_process_spend(HieraProcess *process, gdouble cycles)
{
    process->cycles +=
        process->n_regions > 0 && process->options->n_threads > 1 ? cycles / process->options->n_threads : cycles;
}

static void execute(HieraProcess *process, const HieraVertex *vertex)
{
    const HieraStep *steps = (const HieraStep *)process->execution->steps->data;
    process->counters[process->at]++;
    hiera_process_spend(process, vertex->cycles);
    process->n_steps += vertex->n_steps;
    hiera_state_execute(&process->state, steps + vertex->first_step, vertex->n_steps);
    if (process->state.has_lost_store) {
        process->unknown[process->at] |= HIERA_UNKNOWN_STORE;
        process->state.has_lost_store = FALSE;
    }
}

static void go_on(HieraProcess *process, guint next)
{
    if (next == HIERA_NO_VERTEX)
        leave(process);
    else
        go_to(process, next);
}

guint hiera_process_walk(HieraProcess *process)
{
    guint64 first = process->n_walked;
    while (!process->ended) {
        const HieraVertex *vertex = hiera_execution_vertex(process->execution, process->at);
        if (!may_go_on(process, first)) {
            process->ended = TRUE;
            break;
        }
        execute(process, vertex);
        switch (vertex->kind) {
        case HIERA_VERTEX_EXECUTION:
            go_on(process, hiera_vertex_only_next(vertex) == HIERA_NO_VERTEX ? HIERA_NO_VERTEX : vertex->next[0]);
            break;
        case HIERA_VERTEX_CALL:
            call(process, vertex);
            break;
        case HIERA_VERTEX_COMMUNICATION:
            process->ended = process->is_wanting;
            if (!process->ended)
                return process->at;
            break;
        case HIERA_VERTEX_JUMP:
            go_on(process, vertex->next[1]);
            break;
        case HIERA_VERTEX_BRANCH:
            go_on(process, hiera_process_decide(process, vertex));
            break;
        case HIERA_VERTEX_SWITCH:
            go_to(process, hiera_process_choose(process, vertex));
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
