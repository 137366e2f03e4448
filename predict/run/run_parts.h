/* A recorded run that is read in parts (hiera_parts.h), each one with the partners of its operations. */
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
