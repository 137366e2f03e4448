/* Gives each process the operations that it needs. All processes call this, after reading traces with a
 * builder that holds its pieces. */
#pragma once

#include "trace/catalog.h"
#include "trace/held_pieces.h"

typedef struct {
    gboolean apart;  /* TRUE: each process has the operations that it needs; FALSE: process 0 has all operations */
    gboolean hangs;  /* whether a rank has not ended by itself; known if `apart`, and HieraSharingWants.ended was set */
    guint8 *own;     /* by processor, if `apart`: 1 if this process has read its trace */
    guint *process;  /* by processor, if `apart`: number of the process that has read its trace */
    guint32 *first;  /* by processor, if apart: total number of operations of all processors before it, here and
                      * elsewhere; at the end the number of all */
    GPtrArray *rows; /* by processor, if kept: numbers of its operations that this process has got, GArray of guint32;
                      * NULL for own processors */
    HieraCatalog *catalog; /* in other processes than 0: catalog for the trace, with the numbers of process 0 */
} HieraSharing;

typedef struct {
    gboolean rows;  /* whether HieraSharing.rows is kept, which takes 4 bytes per operation received */
    gboolean ended; /* whether to find out if all ranks have ended by themselves (HieraSharing.hangs) */
} HieraSharingWants;

/* Distribute the operations, or send all to process 0 if some feature requires all of them in one process.
 * Afterwards the builder can make the trace, if this process has one.
 *
 * @param processors  in process 0, the result of hiera_load(); the others get a copy, but with the numbers of
 * operations that each has
 * @param wants       wishes of the measures; the same in all processes */
void hiera_share(HieraSharing *share, HieraBuilder *builder, HieraCatalog *catalog, GArray *processors,
                 HieraSharingWants wants);
void hiera_sharing_clear(HieraSharing *share);
