/* Accesses to the memory of windows, by ranks and their threads, and which of them conflict: two to the same bytes, one
 * of which writes, that nothing orders. */
#pragma once

#include "buffer_uses.h"
#include "thread_strands.h"

typedef struct HieraWindowAccesses HieraWindowAccesses;

/* @param uses  HieraBufferUse, of all ranks */
HieraWindowAccesses *hiera_window_accesses_new(const HieraCheck *check, const GArray *uses,
                                               const HieraThreadStrands *strands);
void hiera_window_accesses_free(HieraWindowAccesses *);
/* Add the use with a number, and report earlier ones with which it conflicts. What happens before it was added before.
 * @param known  what that is: rows + 1, by strand */
void hiera_window_accesses_add(HieraWindowAccesses *, guint number, guint32 strand, guint32 *known);
