/* The command line of hiera-predict. */
#pragma once

#include "answers/answer.h"
#include "commands.h"
#include "executable/executable_options.h"
#include "export/exports.h"
#include "machine/machine_options.h"
#include "machine/network_option.h"
#include "machine/sizes.h"
#include "machine/speeds.h"
#include "scaling/scaling_assumed.h"

typedef struct {
    gboolean version, quiet;
    char **arguments; /* paths of traces */
    MachineOptions machine;
    NetworkSweep sweep;
    char *plot;           /* file for the plot of the sweep; NULL: none */
    gboolean sensitivity; /* answer with the savings by 1 % less of each parameter */
    Speeds *speeds;
    Sizes *sizes;               /* rules for the sizes of messages */
    gint64 at_once;             /* approximate number of operations of a trace kept in memory; 0: all */
    gboolean rematch;           /* receives with wildcards take the first matching message */
    ExecutableWords executable; /* program to predict */
    AnswerShape shape;
    char *measure_text;  /* value of --measure; NULL: none */
    GPtrArray *measures; /* HieraMeasure: shown for both runs as the answer; NULL: the usual answer */
    char *output;        /* folder for traces of the predicted run; NULL: not written */
    char *export_text;   /* value of --export; NULL: none */
    const PredictExport *export;
    const char *export_path;
    char *command;             /* the whole command line */
    PredictCommand command_is; /* the command */
    const char *old_spelling;  /* the old option that selected the command; NULL: none */
    char *calibrate;           /* output file of calibrate */
    GArray *ranks;             /* guint32: numbers of ranks to which runs are extrapolated */
    ScalingAssumed scaling;    /* assumptions for that */
} PredictOptions;

/* Read the command line; --help prints and exits.
 * @param error  says how to correct the command line */
gboolean predict_options_parse(PredictOptions *options, int argc, char **argv, GError **error);
void predict_options_clear(PredictOptions *options);
