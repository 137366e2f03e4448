/* --export of hiera-predict: writes recorded runs as input of other simulators. */
#pragma once

#include "script.h"
#include <stdio.h>

typedef struct PredictExport PredictExport;

/* Find the export that an option names, like "goal:FILE".
 *
 * @param path   receives the text behind the colon
 * @param error  lists the existing kinds
 * @return       a constant, or NULL */
const PredictExport *predict_export_find(const char *text, const char **path, GError **error);
/* Write a run in the export's format. @param speeds  already decided for the trace of the run */
gboolean predict_export_write(const PredictExport *export, const RecordedRun *run, const Speeds *speeds,
                              const char *path, ScriptLimits *limits, GError **error);

/* The writers: GOAL of LogGOPSim (exports_goal.c), time-independent traces of SimGrid (exports_ti.c). */
gboolean predict_export_goal(const RecordedRun *run, const Speeds *speeds, const char *path, ScriptLimits *limits,
                             GError **error);
gboolean predict_export_ti(const RecordedRun *run, const Speeds *speeds, const char *path, ScriptLimits *limits,
                           GError **error);

/* Close a file, and report errors of writing. @param good  FALSE: an earlier error is in `error` already */
gboolean predict_export_close(FILE *file, const char *path, gboolean good, GError **error);
FILE *predict_export_open(const char *path, GError **error);
