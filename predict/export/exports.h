/* --export of hiera-predict: recorded runs as input of other simulators. */
#ifndef HIERA_PREDICT_EXPORTS_H
#define HIERA_PREDICT_EXPORTS_H

#include "script.h"
#include <stdio.h>

typedef struct PredictExport PredictExport;

/* Find what an option names, like "goal:FILE".
 *
 * @param path   becomes what is behind the colon
 * @param error  names the kinds that there are
 * @return       a constant, or NULL */
const PredictExport *predict_export_find(const char *text, const char **path, GError **error);
/* Write a run. @param speeds  decided */
gboolean predict_export_write(const PredictExport *export, const RecordedRun *run, const Speeds *speeds,
                              const char *path, ScriptLimits *limits, GError **error);

/* The writers: exports_goal.c, exports_ti.c. */
gboolean predict_export_goal(const RecordedRun *run, const Speeds *speeds, const char *path, ScriptLimits *limits,
                             GError **error);
gboolean predict_export_ti(const RecordedRun *run, const Speeds *speeds, const char *path, ScriptLimits *limits,
                           GError **error);

/* Close a file, and tell what went wrong. @param good  FALSE: `error` says already what did */
gboolean predict_export_close(FILE *file, const char *path, gboolean good, GError **error);
FILE *predict_export_open(const char *path, GError **error);

#endif
