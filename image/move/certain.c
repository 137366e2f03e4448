#include "certain.h"
#include <string.h>

#define HEX "0x%" G_GINT64_MODIFIER "x"

static gboolean is_target_of_table(const HieraFlow *flow, guint64 address)
{
    for (guint i = 0; i < flow->table_edges->len; i++)
        if (g_array_index(flow->table_edges, HieraTableEdge, i).to == address)
            return TRUE;
    return FALSE;
}

/* If other data than jump tables have an address inside the function, return that as the reason not to move it. */
static char *find_inside(const HieraFlow *flow)
{
    const GArray *insides = flow->functions->insides;
    for (guint r = 0; r < flow->function->ranges->len; r++) {
        const HieraCodeRange *range = &g_array_index(flow->function->ranges, HieraCodeRange, r);
        for (guint i = hiera_functions_first_inside(flow->functions, range->begin); i < insides->len; i++) {
            guint64 address = g_array_index(insides, guint64, i);
            if (address >= range->end)
                break;
            if (!is_target_of_table(flow, address))
                return g_strdup_printf("the data have an address inside it, " HEX, address);
        }
    }
    return NULL;
}

/* If the function calls one that looks up its caller's file (as dlsym), return that as the reason not to move it. */
static char *find_looking_call(const HieraFlow *flow)
{
    static const char *const looking[] = {"dlopen",
                                          "dlmopen",
                                          "dlsym",
                                          "dlvsym",
                                          "mcount",
                                          "_mcount",
                                          "__fentry__",
                                          "__morestack",
                                          "backtrace",
                                          "_Unwind_Backtrace",
                                          "__morestack_non_split"};
    for (guint i = 0; i < flow->calls->len; i++) {
        const HieraCall *call = &g_array_index(flow->calls, HieraCall, i);
        for (guint j = 0; call->name && j < G_N_ELEMENTS(looking); j++)
            if (strcmp(call->name, looking[j]) == 0)
                return g_strdup_printf("it calls %s, which looks at where it was called from", call->name);
    }
    return NULL;
}

/* If a relocation changes the code of the function, return that as the reason not to move it. */
static char *find_relocation(const HieraFlow *flow, const HieraIncoming *incoming)
{
    for (guint i = 0; i < flow->function->ranges->len; i++) {
        const HieraCodeRange *range = &g_array_index(flow->function->ranges, HieraCodeRange, i);
        guint64 address = hiera_incoming_relocation(incoming, range->begin, range->end);
        if (address != 0)
            return g_strdup_printf("its code has an address at " HEX ", which is put there when it is loaded", address);
    }
    return NULL;
}

char *hiera_certain_function(const HieraFlow *flow, const HieraIncoming *incoming)
{
    char *reason = NULL;
    if (flow->functions->object->machine != HIERA_MACHINE_X86_64)
        return g_strdup("functions are moved on x86-64 alone");
    if (flow->doubts->len > 0)
        return g_strdup(flow->doubts->pdata[0]);
    if (flow->part)
        return g_strdup("a part of it is elsewhere");
    reason = find_looking_call(flow);
    if (!reason)
        reason = find_inside(flow);
    return reason ? reason : find_relocation(flow, incoming);
}

/* --- patches: jumps to the copy, written over the original --- */

/* The jumps that are to be written over a function (patches), for checks of addresses in their middle. */
typedef struct {
    const HieraFlow *flow;
    const HieraIncoming *incoming;
    const HieraPlanPatch *patches;
    guint n;
    guint64 begin, lowest, highest; /* address of the first page; lowest and highest address of the patches */
} Patched;

static gboolean is_middle(const Patched *patched, guint64 address)
{
    if (address < patched->lowest || address > patched->highest)
        return FALSE;
    for (guint i = 0; i < patched->n; i++) {
        guint64 at = patched->begin + patched->patches[i].offset;
        if (address > at && address < at + HIERA_PLAN_JUMP)
            return TRUE;
    }
    return FALSE;
}

static gint compare_patches(gconstpointer a, gconstpointer b)
{
    const HieraPlanPatch *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static char *check_room(const Patched *patched)
{
    g_autofree HieraPlanPatch *sorted = g_memdup2(patched->patches, patched->n * sizeof *sorted);
    qsort(sorted, patched->n, sizeof *sorted, compare_patches);
    for (guint i = 0; i < patched->n; i++) {
        guint64 at = patched->begin + sorted[i].offset;
        gboolean has_room = FALSE;
        for (guint j = 0; j < patched->flow->function->ranges->len; j++) {
            const HieraCodeRange *range = &g_array_index(patched->flow->function->ranges, HieraCodeRange, j);
            has_room |= at >= range->begin && at + HIERA_PLAN_JUMP <= range->end;
        }
        if (!has_room || (i + 1 < patched->n && sorted[i + 1].offset - sorted[i].offset < HIERA_PLAN_JUMP))
            return g_strdup_printf("there is no room for a jump at " HEX, at);
    }
    return NULL;
}

/* Check that no call returns into a patch. A call in progress returns to the original: libraries may already have
 * called functions when they are loaded. */
static char *check_returns(const Patched *patched)
{
    const HieraFlow *flow = patched->flow;
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        if ((instruction->kind == HIERA_FLOW_CALL || instruction->kind == HIERA_FLOW_CALL_POINTER) &&
            is_middle(patched, instruction->address + instruction->length))
            return g_strdup_printf("the call at " HEX " is too close to its entry", instruction->address);
    }
    return NULL;
}

/* Check that the function itself does not jump into a patch, nor its tables lead there. A thread that is in the
 * function when it is redirected stays in the original, and jumps by tables come from the copy, too. */
static char *check_own_jumps(const Patched *patched)
{
    const HieraFlow *flow = patched->flow;
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *jump = &g_array_index(flow->instructions, HieraInstruction, i);
        if ((jump->kind == HIERA_FLOW_JUMP || jump->kind == HIERA_FLOW_BRANCH) && is_middle(patched, jump->target))
            return g_strdup_printf("there is no room for a jump: it jumps to " HEX " itself", jump->target);
    }
    for (guint i = 0; i < flow->table_edges->len; i++) {
        guint64 target = g_array_index(flow->table_edges, HieraTableEdge, i).to;
        if (is_middle(patched, target))
            return g_strdup_printf("there is no room for a jump: a table leads to " HEX, target);
    }
    return NULL;
}

/* Check that no landing pad is in the middle of a patch, because an exception may be in progress. */
static char *check_landings(const Patched *patched)
{
    const GArray *landings = patched->flow->function->landings;
    for (guint i = 0; i < landings->len; i++) {
        guint64 pad = g_array_index(landings, HieraLanding, i).pad;
        if (is_middle(patched, pad))
            return g_strdup_printf("there is no room for a jump: exceptions go on at " HEX, pad);
    }
    return NULL;
}

static char *reason_of_foreign(guint64 address)
{
    return g_strdup_printf("code at " HEX " may jump into its first bytes", address);
}

/* Whether the four bytes at an address can be the distance of a jump. They cannot if the byte before them is in another
 * instruction of a function whose code is certain. */
static gboolean may_be_jump(const Patched *patched, guint64 from)
{
    const HieraFunction *function = hiera_functions_around(patched->flow->functions, from);
    if (!function)
        return TRUE;
    g_autoptr(HieraFlow) flow = hiera_flow_decode(patched->flow->functions, function, patched->flow->decoder);
    hiera_flow_finish(flow);
    for (guint i = 0; i < flow->instructions->len && flow->doubts->len == 0; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        if (from - 1 >= instruction->address && from - 1 < instruction->address + instruction->length)
            return is_middle(patched, instruction->target);
    }
    return TRUE;
}

/* Look outside the function for four code bytes that would be the distance of a far jump into a patch. */
static char *check_far(const Patched *patched)
{
    g_autoptr(GArray) jumps = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint i = 0; i < patched->n; i++)
        for (guint64 at = 1; at < HIERA_PLAN_JUMP; at++)
            hiera_incoming_jumps(patched->incoming, patched->begin + patched->patches[i].offset + at, jumps);
    for (guint i = 0; i < jumps->len; i++) {
        guint64 from = g_array_index(jumps, guint64, i);
        if (!hiera_function_has(patched->flow->function, from) && may_be_jump(patched, from))
            return reason_of_foreign(from);
    }
    return NULL;
}

static gboolean jumps_to_middle(const Patched *patched, const HieraFunction *function, guint64 *from)
{
    g_autoptr(HieraFlow) flow = hiera_flow_decode(patched->flow->functions, function, patched->flow->decoder);
    for (guint i = 0; i < flow->instructions->len; i++) {
        const HieraInstruction *instruction = &g_array_index(flow->instructions, HieraInstruction, i);
        *from = instruction->address;
        if ((instruction->kind == HIERA_FLOW_JUMP || instruction->kind == HIERA_FLOW_BRANCH) &&
            is_middle(patched, instruction->target))
            return TRUE;
    }
    return FALSE;
}

/* Whether the two bytes at an address would be a short jump into the middle of a patch. */
static gboolean may_jump_to_middle(const Patched *patched, guint64 address)
{
    const guint8 *bytes = hiera_object_bytes(patched->flow->functions->object, address, 2, NULL);
    if (!bytes || ((bytes[0] & 0xf0) != 0x70 && (bytes[0] & 0xfc) != 0xe0 && bytes[0] != 0xeb))
        return FALSE;
    return is_middle(patched, address + 2 + (guint64)(gint64)(gint8)bytes[1]);
}

/* Look for short jumps into a patch, which only code nearby can have. */
static char *check_near(const Patched *patched)
{
    enum { SHORT = 132 };
    const HieraFunction *last = NULL;
    for (guint64 at = patched->lowest - SHORT; at < patched->highest + SHORT; at++) {
        const HieraFunction *function =
            may_jump_to_middle(patched, at) ? hiera_functions_around(patched->flow->functions, at) : NULL;
        guint64 from = 0;
        if (!function || function == last || function == patched->flow->function)
            continue;
        last = function;
        if (jumps_to_middle(patched, function, &from))
            return reason_of_foreign(from);
    }
    return NULL;
}

char *hiera_certain_patches(const HieraFlow *flow, const HieraIncoming *incoming, const HieraPlanPatch *patches,
                            guint n, guint64 begin)
{
    Patched patched = {flow, incoming, patches, n, begin, G_MAXUINT64, 0};
    for (guint i = 0; i < n; i++) {
        patched.lowest = MIN(patched.lowest, begin + patches[i].offset);
        patched.highest = MAX(patched.highest, begin + patches[i].offset + HIERA_PLAN_JUMP);
    }
    char *reason = check_room(&patched);
    if (!reason)
        reason = check_returns(&patched);
    if (!reason)
        reason = check_own_jumps(&patched);
    if (!reason)
        reason = check_landings(&patched);
    if (!reason)
        reason = check_far(&patched);
    return reason ? reason : check_near(&patched);
}
