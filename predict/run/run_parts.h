/* A recorded run that is read in parts, so that memory does not grow with it.
 *
 * A part ends, for every rank, behind a blocking collective in which all ranks wait for each other, where no request is
 * open and every message has been received. So partners of operations are always in the same part, and no rank comes to
 * a part before all others are at the end of the one before. Regions that are open where a part ends are in the next
 * one, too.
 *
 * Files are read at the same time, by a thread each, which wait at the end of the part. Not every run can be read so:
 * persistent requests, windows and files are made once and used from then on, and of threads the order is not known.
 * That may turn out late. */
#ifndef HIERA_PREDICT_RUN_PARTS_H
#define HIERA_PREDICT_RUN_PARTS_H

#include "recorded_times.h"

typedef struct RunParts RunParts;

/* Begin to read.
 *
 * @param arguments  as of recorded_run_load()
 * @param rows       a part has about so many operations
 * @param sizes      of messages, decided in each part; of rules that are local */
RunParts *run_parts_open(const char *const *arguments, guint64 rows, Sizes *sizes);
void run_parts_close(RunParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RunParts, run_parts_close)

/* Read the next part. @return NULL behind the last one, or if the run cannot be read in parts; freed by
 * run_parts_free_part() */
RecordedRun *run_parts_next(RunParts *parts);
void run_parts_free_part(RecordedRun *part);
/* A part cannot be used: there is no next one. */
void run_parts_give_up(RunParts *parts);

/* Whether all parts were read. */
gboolean run_parts_are_complete(const RunParts *parts);
/* The times of all parts that were read. */
const RecordedTimes *run_parts_peek_times(const RunParts *parts);
/* What was wrong with the traces, once all parts were read. */
HieraFindings *run_parts_peek_findings(const RunParts *parts);

#endif
