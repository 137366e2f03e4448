/* Files whose lines stand in the order of time, whichever processors they are of. Several processes make them together:
 * each writes what it has to say in that order, and the one that leads puts that of others between its own. */
#ifndef HIERA_EXPORT_MERGE_H
#define HIERA_EXPORT_MERGE_H

#include "hiera_measure.h"

typedef struct HieraExportMerge HieraExportMerge;

/* All processes call this, and each of them hiera_export_merge_end(); what they tell each other otherwise, before or
 * after that.
 *
 * @param stream  of the output; of those that do not lead NULL */
HieraExportMerge *hiera_export_merge_new(const HieraScope *scope, const HieraTrace *trace, FILE *stream);

/* Where to write what comes next, until this is called again; it may wait for other processes. Of one process times
 * never become less, nor places at the same time.
 *
 * @param place  where it stands among all that has the same time; of two processes places differ */
FILE *hiera_export_merge_at(HieraExportMerge *merge, gint64 time_ns, guint32 place);

/* Write what is left, and free it. */
void hiera_export_merge_end(HieraExportMerge *merge);

#endif
