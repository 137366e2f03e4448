/* Follows the flow of control through a function. See flow.h. */
#include "walk.h"
#include "jump_values.h"
#include "no_return.h"
#include <stdarg.h>

/* Greatest number of doubts of a function that are kept, and of bytes that are shown; more do not help. */
enum { DOUBTS_MAX = 16, BYTES_SHOWN = 8 };

static guint32 *find_mark(const HieraWalk *walk, guint64 address)
{
    const GArray *ranges = walk->flow->function->ranges;
    for (guint i = 0; i < ranges->len; i++) {
        const HieraCodeRange *range = &g_array_index(ranges, HieraCodeRange, i);
        if (address >= range->begin && address < range->end)
            return &walk->marks[i][address - range->begin];
    }
    return NULL;
}

const HieraInstruction *hiera_walk_at(const HieraWalk *walk, guint64 address)
{
    const guint32 *mark = find_mark(walk, address);
    return mark && *mark ? &g_array_index(walk->flow->instructions, HieraInstruction, *mark - 1) : NULL;
}

void hiera_flow_doubt(HieraFlow *flow, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (flow->doubts->len >= DOUBTS_MAX || g_ptr_array_find_with_equal_func(flow->doubts, text, g_str_equal, NULL))
        g_free(text);
    else
        g_ptr_array_add(flow->doubts, text);
}

/* Name of the function that the stub at an address calls, NULL if there is no stub. */
static const char *stub_at(const HieraWalk *walk, guint64 target)
{
    const HieraObject *object = walk->functions->object;
    const HieraCodeSection *section = hiera_object_section(object, target);
    return section && (section->stubs || !object->has_sections) ? hiera_decoder_stub(walk->decoder, target) : NULL;
}

static const char *name_of(const HieraWalk *walk, guint64 target)
{
    const HieraFunction *function = hiera_functions_at(walk->functions, target);
    return function ? function->name : stub_at(walk, target);
}

/* Add a call to the flow. @return  whether the called function never returns */
static gboolean add_call(HieraWalk *walk, const HieraInstruction *at, gboolean pointer, gboolean tail)
{
    HieraCall call = {.address = at->address, .target = pointer ? 0 : at->target, .tail = tail};
    const HieraFunction *function = pointer ? NULL : hiera_functions_at(walk->functions, at->target);
    const char *name = pointer ? hiera_decoder_import(walk->decoder, at->target) : name_of(walk, at->target);
    if (!function && (function = hiera_functions_named(walk->functions, name)))
        call.target = function->address;
    call.name = name;
    call.stays = function ? function->stays : hiera_no_return_is_known(call.name);
    g_array_append_val(walk->flow->calls, call);
    walk->flow->returns |= tail && !call.stays;
    return call.stays;
}

static void visit_later(HieraWalk *walk, guint64 address)
{
    g_array_append_val(walk->to_visit, address);
}

static void go_to(HieraWalk *walk, const HieraInstruction *jump, gboolean by_table)
{
    if (find_mark(walk, jump->target)) {
        visit_later(walk, jump->target);
        return;
    }
    if (!walk->flow->part && !stub_at(walk, jump->target))
        walk->flow->part = hiera_part_find(walk, jump->target, by_table);
    add_call(walk, jump, FALSE, TRUE);
}

/* Add the edge from a call to its landing pad, where an exception that leaves the call continues. */
static void land(HieraWalk *walk, const HieraInstruction *call)
{
    const HieraTableEdge edge = {call->address, hiera_function_landing(walk->flow->function, call->address)};
    if (edge.to == 0)
        return;
    if (!find_mark(walk, edge.to)) {
        hiera_flow_doubt(walk->flow, "call at 0x%" G_GINT64_MODIFIER "x: its landing pad is not in the function",
                         call->address);
        return;
    }
    g_array_append_val(walk->flow->landing_edges, edge);
    visit_later(walk, edge.to);
}

/* Process an instruction. @return  whether the next instruction may be executed after it */
static gboolean pass(HieraWalk *walk, HieraInstruction *instruction)
{
    switch ((HieraFlowKind)instruction->kind) {
    case HIERA_FLOW_ON:
        return TRUE;
    case HIERA_FLOW_BRANCH:
        go_to(walk, instruction, FALSE);
        return TRUE;
    case HIERA_FLOW_CALL:
    case HIERA_FLOW_CALL_POINTER:
        land(walk, instruction);
        if (!add_call(walk, instruction, instruction->kind == HIERA_FLOW_CALL_POINTER, FALSE))
            return TRUE;
        instruction->kind = HIERA_FLOW_STOP;
        return FALSE;
    case HIERA_FLOW_JUMP:
        go_to(walk, instruction, FALSE);
        return FALSE;
    case HIERA_FLOW_JUMP_POINTER:
        if (instruction->target && hiera_decoder_import(walk->decoder, instruction->target))
            add_call(walk, instruction, TRUE, TRUE);
        else
            g_array_append_val(walk->unresolved, *instruction);
        return FALSE;
    case HIERA_FLOW_RETURN:
        walk->flow->returns = TRUE;
        return FALSE;
    case HIERA_FLOW_STOP:
        return FALSE;
    }
    return FALSE;
}

/* Handle a function whose end is reached without a jump. The compiler knew that a call there does not return; in
 * assembly code a function may continue in the next one. */
static void leave(HieraWalk *walk, HieraInstruction *last)
{
    if (last->kind == HIERA_FLOW_CALL || last->kind == HIERA_FLOW_CALL_POINTER) {
        last->kind = HIERA_FLOW_STOP;
        return;
    }
    HieraInstruction next = *last;
    next.target = last->address + last->length;
    if (hiera_functions_at(walk->functions, next.target)) {
        add_call(walk, &next, FALSE, TRUE);
        return;
    }
    walk->flow->returns = TRUE;
    hiera_flow_doubt(walk->flow, "runs past its end at 0x%" G_GINT64_MODIFIER "x", last->address);
}

/* Doubt an instruction that is not known, with its first bytes, so that a disassembler or a manual can tell its name.
 */
static void doubt_instruction(HieraWalk *walk, guint64 address)
{
    gsize n = 0;
    const guint8 *bytes = hiera_object_bytes(walk->functions->object, address, 1, &n);
    g_autoptr(GString) text = g_string_new(NULL);
    for (gsize i = 0; bytes && i < MIN(n, BYTES_SHOWN); i++)
        g_string_append_printf(text, " %02x", bytes[i]);
    hiera_flow_doubt(walk->flow, "no instruction that is known at 0x%" G_GINT64_MODIFIER "x (bytes%s)", address,
                     text->str);
}

static void visit(HieraWalk *walk, guint64 address)
{
    guint last = G_MAXUINT;
    for (guint32 *mark; (mark = find_mark(walk, address)) && *mark == 0;) {
        HieraInstruction instruction;
        if (!hiera_decoder_decode(walk->decoder, address, &instruction)) {
            doubt_instruction(walk, address);
            return;
        }
        gboolean on = pass(walk, &instruction);
        g_array_append_val(walk->flow->instructions, instruction);
        *mark = last = walk->flow->instructions->len;
        if (!on)
            return;
        address += instruction.length;
    }
    if (last != G_MAXUINT && !find_mark(walk, address))
        leave(walk, &g_array_index(walk->flow->instructions, HieraInstruction, last - 1));
}

static void resolve(HieraWalk *walk, const HieraInstruction *jump)
{
    g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_autofree char *doubt = NULL;
    HieraJumpKind kind = hiera_jump_find(walk, jump, targets, &doubt);
    if (doubt)
        hiera_flow_doubt(walk->flow, "%s", doubt);
    if (kind == HIERA_JUMP_OUT)
        add_call(walk, jump, TRUE, TRUE);
    if (kind == HIERA_JUMP_UNKNOWN)
        walk->flow->returns = TRUE;
    for (guint i = 0; kind == HIERA_JUMP_TABLE && i < targets->len; i++) {
        const HieraTableEdge edge = {jump->address, g_array_index(targets, guint64, i)};
        HieraInstruction element = *jump;
        element.target = edge.to;
        g_array_append_val(walk->flow->table_edges, edge);
        go_to(walk, &element, TRUE);
    }
}

/* Walk through all code. Jumps to pointers come last, because the code decoded by then shows their tables. */
static void walk_all(HieraWalk *walk)
{
    while (walk->to_visit->len > 0 || walk->unresolved->len > 0) {
        if (walk->to_visit->len > 0) {
            guint64 address = g_array_index(walk->to_visit, guint64, walk->to_visit->len - 1);
            g_array_set_size(walk->to_visit, walk->to_visit->len - 1);
            visit(walk, address);
            continue;
        }
        HieraInstruction jump = g_array_index(walk->unresolved, HieraInstruction, walk->unresolved->len - 1);
        g_array_set_size(walk->unresolved, walk->unresolved->len - 1);
        resolve(walk, &jump);
    }
}

/* Add a doubt for landing pads that no call reaches. Compilers may let other instructions throw, and it is not known
 * which of them. */
static void doubt_landings(HieraWalk *walk)
{
    const GArray *landings = walk->flow->function->landings;
    for (guint i = 0; i < landings->len; i++) {
        const HieraLanding *landing = &g_array_index(landings, HieraLanding, i);
        if (!hiera_walk_at(walk, landing->pad) && hiera_walk_at(walk, landing->begin))
            hiera_flow_doubt(walk->flow, "no call leads to the landing pad at 0x%" G_GINT64_MODIFIER "x", landing->pad);
    }
}

static HieraFlow *decode(const HieraFunctions *functions, const HieraFunction *function, HieraDecoder *decoder,
                         GHashTable *lengths)
{
    HieraFlow *flow = g_new0(HieraFlow, 1);
    guint n_ranges = function->ranges->len;
    g_autofree guint32 **marks = g_new0(guint32 *, n_ranges);
    HieraWalk walk = {.flow = flow, .functions = functions, .decoder = decoder, .marks = marks, .lengths = lengths};
    flow->functions = functions;
    flow->function = function;
    flow->decoder = decoder;
    flow->instructions = g_array_new(FALSE, FALSE, sizeof(HieraInstruction));
    flow->calls = g_array_new(FALSE, FALSE, sizeof(HieraCall));
    flow->table_edges = g_array_new(FALSE, FALSE, sizeof(HieraTableEdge));
    flow->landing_edges = g_array_new(FALSE, FALSE, sizeof(HieraTableEdge));
    flow->pointer_jumps = g_array_new(FALSE, FALSE, sizeof(HieraPointerJump));
    flow->doubts = g_ptr_array_new_with_free_func(g_free);
    walk.to_visit = g_array_new(FALSE, FALSE, sizeof(guint64));
    walk.unresolved = g_array_new(FALSE, FALSE, sizeof(HieraInstruction));
    for (guint i = 0; i < n_ranges; i++) {
        const HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, i);
        marks[i] = g_new0(guint32, range->end - range->begin);
    }
    if (function->bad_lsda)
        hiera_flow_doubt(flow, "its table of landing pads cannot be read");
    visit_later(&walk, function->address);
    walk_all(&walk);
    doubt_landings(&walk);
    for (guint i = 0; i < n_ranges; i++)
        g_free(marks[i]);
    g_array_unref(walk.to_visit);
    g_array_unref(walk.unresolved);
    return flow;
}

/* Find lengths of tables that no nearby comparison gives but all paths prove. Calls hiera_flow_finish().
 * @return whether there are more lengths than before */
static gboolean find_lengths(HieraFlow *flow, GHashTable *lengths)
{
    guint n = g_hash_table_size(lengths);
    hiera_flow_finish(flow);
    for (guint i = 0; i < flow->pointer_jumps->len; i++) {
        const HieraPointerJump *jump = &g_array_index(flow->pointer_jumps, HieraPointerJump, i);
        if (!jump->leaves && jump->n == 0 && jump->value.n > 0 && jump->value.n <= jump->n_read)
            g_hash_table_replace(lengths, g_memdup2(&jump->address, sizeof jump->address),
                                 GUINT_TO_POINTER((guint)jump->value.n));
    }
    return g_hash_table_size(lengths) > n;
}

static gboolean is_missing_lengths(const HieraFlow *flow)
{
    for (guint i = 0; i < flow->pointer_jumps->len; i++) {
        const HieraPointerJump *jump = &g_array_index(flow->pointer_jumps, HieraPointerJump, i);
        if (!jump->leaves && jump->n == 0)
            return TRUE;
    }
    return FALSE;
}

HieraFlow *hiera_flow_decode(const HieraFunctions *functions, const HieraFunction *function, HieraDecoder *decoder)
{
    g_autoptr(GHashTable) lengths = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    HieraFlow *flow = decode(functions, function, decoder, lengths);
    for (gboolean again = is_missing_lengths(flow); again;) {
        again = find_lengths(flow, lengths);
        hiera_flow_free(flow);
        flow = decode(functions, function, decoder, lengths);
    }
    return flow;
}
