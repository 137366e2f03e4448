/* Which operations of a rank other processes need, to find the partners of theirs: its sends to their ranks, its receives from them, its
 * collectives on communicators of which they have members; the calls that name requests of these; and the callers of all. */
#ifndef HIERA_NEEDED_H
#define HIERA_NEEDED_H

#include "trace/catalog.h"
#include "trace/piece.h"

/* Processes as a mask; from the 65th on several share a bit. */
#define HIERA_PROCESS_BIT(process) (G_GUINT64_CONSTANT(1) << (process) % 64)

typedef struct HieraNeeded HieraNeeded;

/* @param processes  by processor, the process that has it; both have to outlive the result, as the catalog
 * @return free it with hiera_needed_free() */
HieraNeeded *hiera_needed_new(const HieraCatalog *catalog, const GArray *processors, const guint *processes);
void hiera_needed_free(HieraNeeded *needed);

/* Return by row of a piece the processes that need it; to be freed with g_free. */
guint64 *hiera_needed_find(HieraNeeded *needed, const HieraPiece *piece);

#endif
