/* Gives each process the operations that it has to know. All processes call this, when traces have been read with a
 * builder that holds its pieces. */
#ifndef HIERA_SHARE_H
#define HIERA_SHARE_H

#include "trace/catalog.h"
#include "trace/held_pieces.h"

typedef struct {
    gboolean apart;  /* each process has its own part; else process 0 has all */
    gboolean hangs;  /* and that is asked for: a rank has not ended by itself */
    guint8 *own;     /* by processor, if apart: 1 if this process has read its trace */
    guint *process;  /* by processor, if apart: which process has read its trace */
    guint32 *first;  /* by processor, if apart: how many operations all processors before it have, here and elsewhere;
                        behind the last one: all */
    GPtrArray *rows; /* by processor, if that is kept: which of its operations this process has got, GArray of guint32;
                        NULL of own ones */
    HieraCatalog *
        catalog; /* if apart, of a process that follows: what the trace is made with. It has the numbers of process 0 */
} HieraSharing;

typedef struct {
    gboolean rows;  /* keep `rows`: 4 bytes for each operation that was got */
    gboolean ended; /* ask whether all ranks have ended by themselves */
} HieraSharingWants;

/* Share the operations out, or send all to process 0 if there is something for which one process has to know all of
 * them. The builder can make the trace afterwards, if this process has one.
 *
 * @param processors  of process 0, what hiera_load() returned; the others get the same, but numbers of operations are
 * those that each has
 * @param wants       what measures want to be so; the same in all processes */
void hiera_share(HieraSharing *share, HieraBuilder *builder, HieraCatalog *catalog, GArray *processors,
                 HieraSharingWants wants);
void hiera_sharing_clear(HieraSharing *share);

#endif
