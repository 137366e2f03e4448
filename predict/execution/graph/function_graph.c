#include "function_graph.h"
#include "costs.h"
#include <string.h>

/* State while the graph of one function is made. */
typedef struct {
    HieraExecution *execution;
    HieraModule *module;
    const HieraFlow *flow;
    guint graph;
    guint *first;      /* by basic block: index of its first vertex */
    GHashTable *calls; /* address of a call instruction, as guint64 → HieraCall */
    GArray *found;     /* guint64: addresses of functions that this one may call, whose graphs are needed, too */
} Maker;

/* Whether an address is in a part that the compiler moved out of the function as unlikely (.cold), such as error
 * handling. */
static gboolean is_cold(const HieraFunction *function, guint64 address)
{
    const HieraCodeRange *body = &g_array_index(function->ranges, HieraCodeRange, 0);
    return address < body->begin || address >= body->end;
}

static HieraVertex *add_vertex(Maker *maker, HieraVertexKind kind, guint64 begin)
{
    const HieraVertex vertex = {.kind = kind,
                                .begin = begin,
                                .end = begin,
                                .is_cold = is_cold(maker->flow->function, begin),
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

/* Number the steps that may store. Collect functions whose addresses the code uses: it may call them by pointers. */
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
        guint64 taken = (guint64)step->a.number;
        if (fixed && !maker->module->no_return && hiera_functions_at(maker->module->functions, taken))
            g_array_append_val(maker->found, taken);
    }
}

/* Return the address of the function that a call instruction goes to, in any analysed file; 0: not known. */
static guint64 find_target(Maker *maker, guint64 address)
{
    HieraInstruction call;
    const char *name;
    gboolean chosen;
    if (!hiera_decoder_decode(maker->module->decoder, address, &call) || call.target == 0)
        return 0;
    gboolean is_pointer = call.kind == HIERA_FLOW_CALL_POINTER || call.kind == HIERA_FLOW_JUMP_POINTER;
    if (!is_pointer && hiera_functions_at(maker->module->functions, call.target))
        return call.target;
    guint64 target =
        hiera_modules_import(&maker->execution->modules, maker->module, call.target, is_pointer, &name, &chosen);
    if (chosen)
        hiera_execution_note(
            maker->execution,
            "%s is chosen when the program is loaded (IFUNC): it has the cost of any function of a library", name);
    return target;
}

/* Whether a function throws. Exceptions are not followed: a process that throws one ends there, even if the C++ runtime
 * is analysed. */
static gboolean is_thrown(const char *name)
{
    static const char *const throws[] = {"__cxa_throw", "__cxa_rethrow", "_Unwind_Resume", "_ZSt9terminatev", NULL};
    return name && g_strv_contains(throws, name);
}

static void name_call(Maker *maker, HieraVertex *vertex, guint64 address)
{
    const HieraCall *call = g_hash_table_lookup(maker->calls, &address);
    vertex->name = call ? call->name : NULL;
    if (!call || call->target == 0)
        vertex->pointer = hiera_step_operand(maker->module->decoder);
    vertex->target = is_thrown(vertex->name) ? 0 : find_target(maker, address);
    if (vertex->name && (g_str_has_prefix(vertex->name, "MPI_") || g_str_has_prefix(vertex->name, "PMPI_") ||
                         g_str_has_prefix(vertex->name, "mpi_") || g_str_has_prefix(vertex->name, "pmpi_")))
        vertex->kind = HIERA_VERTEX_COMMUNICATION;
    else if (vertex->target != 0)
        g_array_append_val(maker->found, vertex->target);
}

/* Add a vertex for one instruction that is not EXECUTION: call, jump, branch, return. */
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

/* Give a vertex a step that adds to the stack pointer, before the vertex' call or return. */
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

/* Add a call that ends its function, followed by a return or by nothing. The instruction is a jump, so the called
 * function finds the return address on the stack. */
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

/* Add the vertices of a basic block, with the edges between them; link_block() adds the edges to other blocks. */
static void add_block(Maker *maker, guint number)
{
    HieraExecution *execution = maker->execution;
    const HieraBlock *block = &g_array_index(maker->flow->blocks, HieraBlock, number);
    HieraVertex *vertex = NULL; /* EXECUTION vertex to which the next instructions are added; NULL: they begin one */
    maker->first[number] = execution->vertices->len;
    for (guint i = block->first; i < block->first + block->n; i++) {
        const HieraInstruction *instruction = &g_array_index(maker->flow->instructions, HieraInstruction, i);
        HieraInstruction again;
        hiera_decoder_decode(maker->module->decoder, instruction->address, &again);
        gdouble cycles = hiera_cost_of(maker->module->decoder, instruction);
        guint accesses = hiera_accesses_of(maker->module->decoder);
        HieraVertexKind kind = kind_of(maker, instruction);
        guint last = execution->vertices->len - 1, n_steps = execution->steps->len;
        if (kind == HIERA_VERTEX_EXECUTION) {
            if (!vertex)
                vertex = add_vertex(maker, kind, instruction->address);
            vertex->cycles += cycles;
            vertex->accesses += accesses;
            vertex->end = instruction->address + instruction->length;
            hiera_steps_append(maker->module->decoder, execution->steps);
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
        action->accesses = accesses;
        if (kind == HIERA_VERTEX_CALL) {
            name_call(maker, action, instruction->address);
            follow(action, execution->vertices->len);
        } else if (kind == HIERA_VERTEX_BRANCH) {
            action->condition = (guint8)hiera_steps_append(maker->module->decoder, execution->steps);
            g_array_set_size(execution->steps, n_steps);
        } else if (kind == HIERA_VERTEX_SWITCH) {
            action->pointer = hiera_step_operand(maker->module->decoder);
        }
    }
    /* A block without vertices of its own (behind a call) needs one at which the process continues. */
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
        vertex->kind = HIERA_VERTEX_RETURN; /* no target is known: the graph has a `doubt` */
}

/* Whether a target is a moved part, which in files without symbols looks like a function without a name. Functions
 * rarely end with conditional calls. */
static gboolean is_part_without_name(const Maker *maker, guint64 address)
{
    const HieraFunction *function = hiera_functions_at(maker->module->functions, address);
    return function && !function->named;
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
        if (both[1] ==
            HIERA_NO_VERTEX) { /* the branch leaves the function: make it lead to a call (of its target) and a return */
            both[1] = maker->execution->vertices->len;
            add_tail(maker, last, HIERA_VERTEX_RETURN, 0);
            vertex = hiera_execution_vertex(maker->execution, at);
            hiera_execution_vertex(maker->execution, both[1])->is_cold |= is_part_without_name(maker, last->target);
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
                hiera_execution_vertex(execution, v)->loop =
                    base + i; /* inner loops come after outer ones, so the innermost loop is what remains */
        }
    }
}

void hiera_function_graph_add(HieraExecution *execution, const HieraFunction *function, GArray *found)
{
    HieraModule *module = hiera_modules_at(&execution->modules, function->address);
    HieraPlaces *places = hiera_modules_places(&execution->modules, function->address);
    g_autoptr(HieraFlow) flow = hiera_flow_decode(module->functions, function, module->decoder);
    hiera_flow_finish(flow);
    guint n_blocks = flow->blocks->len;
    Maker maker = {
        .execution = execution, .module = module, .flow = flow, .graph = execution->graphs->len, .found = found};
    maker.first = g_new(guint, n_blocks + 1);
    maker.calls = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < flow->calls->len; i++) {
        HieraCall *call = &g_array_index(flow->calls, HieraCall, i);
        g_hash_table_insert(maker.calls, &call->address, call);
    }
    HieraLines lines = places ? hiera_places_function(places, flow) : (HieraLines){NULL, 0, 0};
    HieraFunctionGraph graph = {.function = function,
                                .object = module->object,
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
    if (n_blocks == 0) { /* a damaged file has no code where the function begins */
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
