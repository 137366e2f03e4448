/* Parts of functions in files without symbols. A part that the compiler moved away (.cold) has a frame of its own, but
 * no name. See walk.h. */
#include "walk.h"

/* Whether the code of a range jumps into the middle of a function. */
static gboolean jumps_back(const HieraWalk *walk, const HieraCodeRange *range)
{
    HieraInstruction instruction;
    for (guint64 at = range->begin; at < range->end && hiera_decoder_decode(walk->decoder, at, &instruction);
         at += instruction.length)
        if ((instruction.kind == HIERA_FLOW_JUMP || instruction.kind == HIERA_FLOW_BRANCH) &&
            instruction.target != walk->flow->function->address &&
            hiera_function_has(walk->flow->function, instruction.target))
            return TRUE;
    return FALSE;
}

HieraFunction *hiera_part_at(const HieraFunctions *functions, guint64 address)
{
    HieraFunction *found = hiera_functions_around(functions, address);
    return found && !found->named && !found->whole ? found : NULL;
}

/* Find the part at a target. Code that has a stack frame from its first instruction on is not called: the code that
 * jumps there made the frame. Other parts jump back into the middle of the function, so they are not mistaken for
 * functions. Jump tables lead to no other functions. */
HieraFunction *hiera_part_find(const HieraWalk *walk, guint64 target, gboolean by_table)
{
    HieraFunction *part = hiera_part_at(walk->functions, target);
    if (!part || part == walk->flow->function || part->ranges->len != 1)
        return NULL;
    gboolean found =
        !hiera_object_has_no_frame(walk->functions->object, part->address) ||
        (part->address == target && (by_table || jumps_back(walk, &g_array_index(part->ranges, HieraCodeRange, 0))));
    return found ? part : NULL;
}
