/* Where a jump to a pointer goes, on aarch64. */
#include "walk.h"

HieraJumpKind hiera_aarch64_jump_find(HieraWalk *walk, const HieraInstruction *jump, GArray *targets, char **doubt)
{
    (void)walk, (void)targets;
    *doubt = g_strdup_printf("jump at 0x%" G_GINT64_MODIFIER "x: its table is not recognised", jump->address);
    return HIERA_JUMP_UNKNOWN;
}
