/* Makes the execution graphs of functions. See execution_graph.h. */
#include "execution_graph.h"
#include "costs.h"
#include "image/flow/no_return.h"
#include "image/places/readable_name.h"
#include <string.h>

enum { MOST_OF_ENTRY = 30 };

/* While the graph of a function is made. */
typedef struct {
    HieraExecution *execution;
    const HieraFlow *flow;
    guint graph;
    guint *first;      /* by block: its first vertex */
    GHashTable *calls; /* address, as guint64 → HieraCall */
    GArray *found;     /* HieraFunction *: whose graphs are wanted, too */
} Maker;

static HieraVertex *add_vertex(Maker *maker, HieraVertexKind kind, guint64 begin)
{
    const HieraVertex vertex = {.kind = kind,
                                .begin = begin,
                                .end = begin,
                                .graph = maker->graph,
                                .loop = HIERA_NO_VERTEX,
                                .callee = HIERA_NO_VERTEX,
                                .condition = HIERA_IF_UNKNOWN,
                                .first_step = maker->execution->steps->len};
    g_array_append_val(maker->execution->vertices, vertex);
    return &g_array_index(maker->execution->vertices, HieraVertex, maker->execution->vertices->len - 1);
}

static void set_next(HieraVertex *vertex, guint n, const guint *next)
{
    g_free(vertex->next);
    vertex->n_next = n;
    vertex->next = g_memdup2(next, n * sizeof *next);
}

static void follow(HieraVertex *vertex, guint next)
{
    set_next(vertex, 1, &next);
}

/* Stores have numbers; code addresses that the program takes are functions that it may call. */
static void number_steps(Maker *maker, guint from)
{
    HieraExecution *execution = maker->execution;
    for (guint i = from; i < execution->steps->len; i++) {
        HieraStep *step = &g_array_index(execution->steps, HieraStep, i);
        if (step->to.kind == HIERA_OPERAND_MEMORY || step->kind == HIERA_STEP_PUSH)
            step->number = execution->n_stores++;
        gboolean fixed = (step->kind == HIERA_STEP_ADDRESS || step->kind == HIERA_STEP_MOVE) && step->a.number > 0 &&
                         (step->a.kind == HIERA_OPERAND_NUMBER ||
                          (step->a.kind == HIERA_OPERAND_MEMORY && step->a.base == HIERA_NO_REGISTER &&
                           step->a.index == HIERA_NO_REGISTER));
        HieraFunction *taken = fixed ? hiera_functions_at(execution->functions, (guint64)step->a.number) : NULL;
        if (taken)
            g_array_append_val(maker->found, taken);
    }
}

static void name_call(Maker *maker, HieraVertex *vertex, guint64 address)
{
    const HieraCall *call = g_hash_table_lookup(maker->calls, &address);
    HieraFunction *target = call && call->target ? hiera_functions_at(maker->execution->functions, call->target) : NULL;
    vertex->name = call ? call->name : NULL;
    if (vertex->name && (g_str_has_prefix(vertex->name, "MPI_") || g_str_has_prefix(vertex->name, "PMPI_") ||
                         g_str_has_prefix(vertex->name, "mpi_") || g_str_has_prefix(vertex->name, "pmpi_")))
        vertex->kind = HIERA_VERTEX_COMMUNICATION;
    else if (target)
        g_array_append_val(maker->found, target);
    if (!call || call->target == 0)
        vertex->pointer = hiera_step_operand(maker->execution->decoder);
}

/* A vertex for an instruction that does more than execute. */
static HieraVertex *add_action(Maker *maker, HieraVertexKind kind, const HieraInstruction *instruction, gdouble cycles)
{
    HieraVertex *vertex = add_vertex(maker, kind, instruction->address);
    vertex->end = instruction->address + instruction->length;
    vertex->action = instruction->address;
    vertex->cycles = cycles;
    vertex->is_backward = (kind == HIERA_VERTEX_JUMP || kind == HIERA_VERTEX_BRANCH) && instruction->target != 0 &&
                          instruction->target <= instruction->address;
    return vertex;
}

/* Before a vertex does what it does, the stack is moved. */
static void move_stack(Maker *maker, HieraVertex *vertex, gint64 by)
{
    const HieraStep step = {
        .kind = HIERA_STEP_ADDRESS,
        .to = {.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RSP, .width = 8},
        .a = {.kind = HIERA_OPERAND_MEMORY, .base = HIERA_RSP, .index = HIERA_NO_REGISTER, .width = 8, .number = by}};
    vertex->first_step = maker->execution->steps->len;
    vertex->n_steps = 1;
    g_array_append_val(maker->execution->steps, step);
}

/* A call that ends its function: it is followed by a return, or by nothing. It is a jump, which leaves the address of
 * the return to the function that it goes to. */
static void add_tail(Maker *maker, const HieraInstruction *instruction, HieraVertexKind then, gdouble cycles)
{
    HieraVertex *vertex = add_action(maker, HIERA_VERTEX_CALL, instruction, cycles);
    name_call(maker, vertex, instruction->address);
    follow(vertex, maker->execution->vertices->len);
    move_stack(maker, vertex, 8);
    vertex = add_vertex(maker, then, instruction->address + instruction->length);
    move_stack(maker, vertex, -8);
}

static HieraVertexKind kind_of(const Maker *maker, const HieraInstruction *instruction)
{
    gboolean calls = g_hash_table_contains(maker->calls, &instruction->address);
    switch ((HieraFlowKind)instruction->kind) {
    case HIERA_FLOW_CALL:
    case HIERA_FLOW_CALL_POINTER:
        return HIERA_VERTEX_CALL;
    case HIERA_FLOW_JUMP:
        return calls ? HIERA_VERTEX_CALL : HIERA_VERTEX_JUMP;
    case HIERA_FLOW_JUMP_POINTER:
        return calls ? HIERA_VERTEX_CALL : HIERA_VERTEX_SWITCH;
    case HIERA_FLOW_BRANCH:
        return HIERA_VERTEX_BRANCH;
    case HIERA_FLOW_RETURN:
        return HIERA_VERTEX_RETURN;
    case HIERA_FLOW_STOP:
        return calls ? HIERA_VERTEX_CALL : HIERA_VERTEX_STOP;
    default:
        return HIERA_VERTEX_EXECUTION;
    }
}

/* Vertices of a block; their edges out of the block are set by link_block. */
static void add_block(Maker *maker, guint number)
{
    HieraExecution *execution = maker->execution;
    const HieraBlock *block = &g_array_index(maker->flow->blocks, HieraBlock, number);
    HieraVertex *vertex = NULL; /* an execution that is open */
    maker->first[number] = execution->vertices->len;
    for (guint i = block->first; i < block->first + block->n; i++) {
        const HieraInstruction *instruction = &g_array_index(maker->flow->instructions, HieraInstruction, i);
        HieraInstruction again;
        hiera_decoder_decode(execution->decoder, instruction->address, &again);
        gdouble cycles = hiera_cost_of(execution->decoder, instruction);
        HieraVertexKind kind = kind_of(maker, instruction);
        guint last = execution->vertices->len - 1, n_steps = execution->steps->len;
        if (kind == HIERA_VERTEX_EXECUTION) {
            if (!vertex)
                vertex = add_vertex(maker, kind, instruction->address);
            vertex->cycles += cycles;
            vertex->end = instruction->address + instruction->length;
            hiera_steps_append(execution->decoder, execution->steps);
            vertex->n_steps += execution->steps->len - n_steps;
            number_steps(maker, n_steps);
            continue;
        }
        if (vertex)
            follow(vertex, last + 1);
        vertex = NULL;
        if (kind == HIERA_VERTEX_CALL && instruction->kind != HIERA_FLOW_CALL &&
            instruction->kind != HIERA_FLOW_CALL_POINTER) {
            add_tail(maker, instruction, instruction->kind == HIERA_FLOW_STOP ? HIERA_VERTEX_STOP : HIERA_VERTEX_RETURN,
                     cycles);
            continue;
        }
        HieraVertex *action = add_action(maker, kind, instruction, cycles);
        if (kind == HIERA_VERTEX_CALL) {
            name_call(maker, action, instruction->address);
            follow(action, execution->vertices->len);
        } else if (kind == HIERA_VERTEX_BRANCH) {
            action->condition = (guint8)hiera_steps_append(execution->decoder, execution->steps);
            g_array_set_size(execution->steps, n_steps);
        } else if (kind == HIERA_VERTEX_SWITCH) {
            action->pointer = hiera_step_operand(execution->decoder);
        }
    }
    /* A call at the end of a block goes on in the next one. */
    if (execution->vertices->len == maker->first[number])
        add_vertex(maker, HIERA_VERTEX_EXECUTION, block->begin);
}

static guint vertex_at(const Maker *maker, guint64 address)
{
    guint block = hiera_flow_block(maker->flow, address);
    gboolean begins = block != HIERA_NO_NODE && g_array_index(maker->flow->blocks, HieraBlock, block).begin == address;
    return begins ? maker->first[block] : HIERA_NO_VERTEX;
}

static void link_switch(Maker *maker, guint number, guint64 end, guint64 address)
{
    g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(guint));
    guint first = vertex_at(maker, end);
    g_array_append_val(next, first);
    for (guint i = 0; i < maker->flow->table_edges->len; i++) {
        const HieraTableEdge *edge = &g_array_index(maker->flow->table_edges, HieraTableEdge, i);
        guint target = edge->from == address ? vertex_at(maker, edge->to) : HIERA_NO_VERTEX;
        if (target != HIERA_NO_VERTEX)
            g_array_append_val(next, target);
    }
    HieraVertex *vertex = hiera_execution_vertex(maker->execution, number);
    set_next(vertex, next->len, (const guint *)next->data);
    if (next->len == 1)
        vertex->kind = HIERA_VERTEX_RETURN; /* nobody knows where it goes: a doubt of the function */
}

static void link_block(Maker *maker, guint number, guint n_vertices)
{
    const HieraBlock *block = &g_array_index(maker->flow->blocks, HieraBlock, number);
    const HieraInstruction *last =
        &g_array_index(maker->flow->instructions, HieraInstruction, block->first + block->n - 1);
    guint at = n_vertices - 1, both[2] = {vertex_at(maker, block->end), HIERA_NO_VERTEX};
    HieraVertex *vertex = hiera_execution_vertex(maker->execution, at);
    switch (vertex->kind) {
    case HIERA_VERTEX_EXECUTION:
    case HIERA_VERTEX_CALL:
    case HIERA_VERTEX_COMMUNICATION:
        follow(vertex, both[0]);
        if (both[0] == HIERA_NO_VERTEX)
            vertex->n_next = 0;
        break;
    case HIERA_VERTEX_JUMP:
        both[1] = vertex_at(maker, last->target);
        set_next(vertex, 2, both);
        break;
    case HIERA_VERTEX_BRANCH:
        both[1] = vertex_at(maker, last->target);
        if (both[1] == HIERA_NO_VERTEX) { /* a call that ends the function */
            both[1] = maker->execution->vertices->len;
            add_tail(maker, last, HIERA_VERTEX_RETURN, 0);
            vertex = hiera_execution_vertex(maker->execution, at);
        }
        set_next(vertex, 2, both);
        break;
    case HIERA_VERTEX_SWITCH:
        link_switch(maker, at, block->end, last->address);
        break;
    default:
        break;
    }
}

static void add_loops(Maker *maker, HieraPlaces *places)
{
    HieraExecution *execution = maker->execution;
    guint base = execution->loops->len;
    for (guint i = 0; i < maker->flow->loops->len; i++) {
        const HieraLoop *loop = maker->flow->loops->pdata[i];
        HieraLines lines = places ? hiera_places_loop(places, maker->flow, loop) : (HieraLines){NULL, 0, 0};
        const HieraExecutionLoop added = {.graph = maker->graph,
                                          .header = maker->first[loop->header],
                                          .parent =
                                              loop->parent == HIERA_NO_NODE ? HIERA_NO_VERTEX : base + loop->parent,
                                          .depth = loop->depth,
                                          .file = g_strdup(lines.file),
                                          .first_line = lines.first,
                                          .last_line = lines.last,
                                          .begin = g_array_index(maker->flow->blocks, HieraBlock, loop->header).begin};
        g_array_append_val(execution->loops, added);
        for (guint n = 0; n < loop->nodes->len; n++) {
            guint node = g_array_index(loop->nodes, guint, n);
            guint end =
                node + 1 < maker->flow->blocks->len ? maker->first[node + 1] : maker->first[maker->flow->blocks->len];
            for (guint v = maker->first[node]; v < end; v++)
                hiera_execution_vertex(execution, v)->loop = base + i; /* inner loops come later */
        }
    }
}

static void add_function(HieraExecution *execution, const HieraFunction *function, HieraPlaces *places, GArray *found)
{
    g_autoptr(HieraFlow) flow = hiera_flow_decode(execution->functions, function, execution->decoder);
    hiera_flow_finish(flow);
    guint n_blocks = flow->blocks->len;
    Maker maker = {.execution = execution, .flow = flow, .graph = execution->graphs->len, .found = found};
    maker.first = g_new(guint, n_blocks + 1);
    maker.calls = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < flow->calls->len; i++) {
        HieraCall *call = &g_array_index(flow->calls, HieraCall, i);
        g_hash_table_insert(maker.calls, &call->address, call);
    }
    HieraLines lines = places ? hiera_places_function(places, flow) : (HieraLines){NULL, 0, 0};
    HieraFunctionGraph graph = {.function = function,
                                .name = function->name,
                                .first = execution->vertices->len,
                                .first_loop = execution->loops->len,
                                .n_loops = flow->loops->len,
                                .file = g_strdup(lines.file),
                                .first_line = lines.first,
                                .last_line = lines.last,
                                .doubt = flow->doubts->len > 0 ? g_strdup(flow->doubts->pdata[0]) : NULL};
    for (guint i = 0; i < n_blocks; i++)
        add_block(&maker, i);
    if (n_blocks == 0) { /* the file is damaged: nothing is where the function begins */
        add_vertex(&maker, HIERA_VERTEX_STOP, function->address);
        if (!graph.doubt)
            graph.doubt = g_strdup("it has no code");
    }
    maker.first[n_blocks] = execution->vertices->len;
    for (guint i = 0; i < n_blocks; i++)
        link_block(&maker, i, maker.first[i + 1]);
    add_loops(&maker, places);
    graph.n = execution->vertices->len - graph.first;
    g_array_append_val(execution->graphs, graph);
    g_hash_table_insert(execution->by_address, g_memdup2(&function->address, sizeof(guint64)),
                        GUINT_TO_POINTER(execution->graphs->len));
    g_hash_table_unref(maker.calls);
    g_free(maker.first);
}

static guint graph_at(const HieraExecution *execution, guint64 address)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(execution->by_address, &address)) - 1;
}

/* Calls know their graphs once all are made. */
static void link_calls(HieraExecution *execution)
{
    for (guint i = 0; i < execution->vertices->len; i++) {
        HieraVertex *vertex = hiera_execution_vertex(execution, i);
        HieraInstruction call;
        if (vertex->kind != HIERA_VERTEX_CALL || !hiera_decoder_decode(execution->decoder, vertex->action, &call) ||
            call.target == 0)
            continue;
        const char *stub = hiera_decoder_stub(execution->decoder, call.target);
        HieraFunction *target = hiera_functions_at(execution->functions, call.target);
        if (!target && stub)
            target = hiera_functions_named(execution->functions, stub);
        if (target && (call.kind == HIERA_FLOW_CALL || call.kind == HIERA_FLOW_JUMP || call.kind == HIERA_FLOW_BRANCH ||
                       call.kind == HIERA_FLOW_STOP))
            vertex->callee = graph_at(execution, target->address);
    }
}

/* The entry of a program gives main to the C library, as the first argument of a call. */
static HieraFunction *find_first_argument(const HieraExecution *execution)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(HieraStep));
    guint64 at = execution->object->entry, address = 0;
    HieraInstruction instruction;
    for (guint i = 0; i < MOST_OF_ENTRY && hiera_decoder_decode(execution->decoder, at, &instruction); i++) {
        if (instruction.kind != HIERA_FLOW_ON)
            break;
        hiera_steps_append(execution->decoder, steps);
        at += instruction.length;
    }
    for (guint i = 0; i < steps->len; i++) {
        const HieraStep *step = &g_array_index(steps, HieraStep, i);
        gboolean sets = step->to.kind == HIERA_OPERAND_REGISTER && step->to.base == HIERA_RDI,
                 is_address = step->kind == HIERA_STEP_ADDRESS && step->a.base == HIERA_NO_REGISTER,
                 is_number = step->kind == HIERA_STEP_MOVE && step->a.kind == HIERA_OPERAND_NUMBER;
        if (sets && (is_address || is_number))
            address = (guint64)step->a.number;
    }
    return address ? hiera_functions_at(execution->functions, address) : NULL;
}

static HieraFunction *find_main(const HieraExecution *execution)
{
    for (guint i = 0; i < execution->functions->functions->len; i++) {
        HieraFunction *function = execution->functions->functions->pdata[i];
        if (strcmp(function->name, "main") == 0)
            return function;
    }
    return find_first_argument(execution);
}

static void add_reachable(HieraExecution *execution, HieraFunction *from, HieraPlaces *places)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(HieraFunction *));
    GHashTableIter iterator;
    gpointer address;
    g_array_append_val(found, from);
    g_hash_table_iter_init(&iterator, execution->object->pointers);
    while (g_hash_table_iter_next(&iterator, NULL, &address)) {
        HieraFunction *function = hiera_functions_at(execution->functions, *(guint64 *)address);
        if (function && function->named && function->name[0] != '_')
            g_array_append_val(found, function);
    }
    for (guint i = 0; i < found->len; i++) {
        const HieraFunction *function = g_array_index(found, HieraFunction *, i);
        if (graph_at(execution, function->address) == HIERA_NO_VERTEX)
            add_function(execution, function, places, found);
    }
}

/* Vertices from which all ways lead to the end of the program, other than by returning from main. */
static gboolean *find_hopeless(const HieraExecution *execution)
{
    guint n = execution->vertices->len;
    gboolean *hopeless = g_new0(gboolean, n);
    for (gboolean again = TRUE; again;) {
        again = FALSE;
        for (guint i = n; i-- > 0;) {
            const HieraVertex *vertex = hiera_execution_vertex(execution, i);
            guint first = vertex->kind == HIERA_VERTEX_JUMP || vertex->kind == HIERA_VERTEX_SWITCH ? 1 : 0;
            gboolean all = vertex->n_next > first && vertex->kind != HIERA_VERTEX_RETURN;
            for (guint k = first; k < vertex->n_next; k++)
                all &= vertex->next[k] != HIERA_NO_VERTEX && hopeless[vertex->next[k]];
            all |= vertex->kind == HIERA_VERTEX_STOP ||
                   (vertex->kind == HIERA_VERTEX_COMMUNICATION && vertex->name && strstr(vertex->name, "Abort"));
            if (all && !hopeless[i])
                hopeless[i] = again = TRUE;
        }
    }
    return hopeless;
}

HieraExecution *hiera_execution_new(const char *path, GError **error)
{
    g_autoptr(HieraExecution) execution = g_new0(HieraExecution, 1);
    g_autoptr(HieraPlaces) places = NULL;
    execution->vertices = g_array_new(FALSE, FALSE, sizeof(HieraVertex));
    execution->graphs = g_array_new(FALSE, FALSE, sizeof(HieraFunctionGraph));
    execution->loops = g_array_new(FALSE, FALSE, sizeof(HieraExecutionLoop));
    execution->steps = g_array_new(FALSE, FALSE, sizeof(HieraStep));
    execution->by_address = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    execution->n_stores = 1;
    execution->object = hiera_object_open(path, error);
    execution->functions = execution->object ? hiera_functions_new(execution->object, error) : NULL;
    execution->decoder = execution->functions ? hiera_decoder_new(execution->object, error) : NULL;
    if (!execution->decoder)
        return NULL;
    hiera_no_return_find(execution->functions, execution->decoder);
    HieraFunction *main_function = find_main(execution);
    if (!main_function) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s: has no function 'main'; name the executable of a program", path);
        return NULL;
    }
    places = hiera_places_new(path);
    add_reachable(execution, main_function, places);
    link_calls(execution);
    execution->main = graph_at(execution, main_function->address);
    execution->hopeless = find_hopeless(execution);
    return g_steal_pointer(&execution);
}

void hiera_execution_free(HieraExecution *execution)
{
    if (!execution)
        return;
    for (guint i = 0; i < execution->vertices->len; i++)
        g_free(hiera_execution_vertex(execution, i)->next);
    for (guint i = 0; i < execution->graphs->len; i++) {
        g_free(hiera_execution_graph(execution, i)->file);
        g_free(hiera_execution_graph(execution, i)->doubt);
    }
    for (guint i = 0; i < execution->loops->len; i++)
        g_free(hiera_execution_loop(execution, i)->file);
    g_free(execution->hopeless);
    g_array_unref(execution->vertices);
    g_array_unref(execution->graphs);
    g_array_unref(execution->loops);
    g_array_unref(execution->steps);
    g_hash_table_unref(execution->by_address);
    hiera_decoder_free(execution->decoder);
    hiera_functions_free(execution->functions);
    hiera_object_free(execution->object);
    g_free(execution);
}

gboolean hiera_execution_is_inside(const HieraExecution *execution, guint vertex, guint loop)
{
    guint at = hiera_execution_vertex(execution, vertex)->loop;
    while (at != HIERA_NO_VERTEX && at != loop)
        at = hiera_execution_loop(execution, at)->parent;
    return at == loop;
}
