/* Finds where a function has a stack frame, from the rules of .eh_frame, which libdw evaluates. See object.h. */
#include "object.h"
#include <dwarf.h>
#include <stdlib.h>

gboolean hiera_object_has_no_frame(const HieraObject *object, guint64 address)
{
    /* State at the entry of a function: DWARF number of the stack pointer, and bytes that the call has pushed. */
    guint stack = object->machine == HIERA_MACHINE_X86_64 ? 7 : 31;
    guint64 pushed = object->machine == HIERA_MACHINE_X86_64 ? 8 : 0;
    Dwarf_Frame *frame = NULL;
    Dwarf_Op *rule = NULL;
    size_t n = 0;
    if (!object->frame_rules || dwarf_cfi_addrframe(object->frame_rules, address - object->base, &frame) != 0)
        return FALSE;
    gboolean known = dwarf_frame_cfa(frame, &rule, &n) == 0 && n == 1;
    gboolean found = known && rule->atom == DW_OP_bregx && rule->number == stack && rule->number2 == pushed;
    free(frame);
    return found;
}
