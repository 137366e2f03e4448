/* Files whose lines are in the order of time, from all processors. Several processes write them together:
 * each produces its own lines in that order, and process 0 merges them. */
#pragma once

#include "hiera_measure.h"

typedef struct HieraExportMerge HieraExportMerge;

/* All processes call this, and later hiera_export_merge_end(); between the two they must not
 * exchange other messages.
 *
 * @param stream  the output; NULL in processes other than 0 */
HieraExportMerge *hiera_export_merge_new(const HieraScope *scope, const HieraTrace *trace, FILE *stream);

/* Return the stream for lines of a time and place, until this is called again; it may wait for other processes. Within
 * a process times must not decrease, nor places at the same time.
 *
 * @param place  order among lines of the same time; different in different processes */
FILE *hiera_export_merge_at(HieraExportMerge *merge, gint64 time_ns, guint32 place);

/* Write all lines that are left, and free the merge. All processes call this. */
void hiera_export_merge_end(HieraExportMerge *merge);
