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
    char **arguments; /* arguments without dashes: mostly paths of traces */
    MachineOptions machine;
    NetworkSweep sweep;
    char *plot;           /* path of the file for the plot of the sweep; NULL: none */
    gboolean sensitivity; /* answer with the time that 1 % less of each parameter saves */
    Speeds *speeds;
    Sizes *sizes;     /* rules of --message-size */
    gint64 at_once;   /* about how many operations of a trace are in memory at once; 0: all */
    gboolean rematch; /* receives from any rank or with any tag take the first message that matches in the simulation */
    ExecutableWords executable; /* option values of the command `executable`, as texts */
    AnswerShape shape;
    char *measure_text;  /* value of --measure; NULL: none */
    GPtrArray *measures; /* HieraMeasure: measures that are the answer, for both runs; NULL: the usual answer */
    char *output;        /* folder for traces of the predicted run; NULL: not written */
    char *export_text;   /* value of --export; NULL: none */
    const PredictExport *export;
    const char *export_path;
    char *command;             /* the whole command line as one text */
    PredictCommand command_is; /* the chosen command: replay, scale, … */
    const char *old_spelling;  /* the old option that selected the command, without dashes; NULL: none */
    char *calibrate;           /* path of the file that `calibrate` writes */
    int turns;                 /* how often `calibrate` measures all sizes of messages */
    GArray *ranks;             /* guint32: numbers of ranks to which runs are extrapolated */
    ScalingAssumed scaling;    /* --scaling: what is assumed when the runs have one number of ranks */
} PredictOptions;

/* Read the command line; --help prints and exits.
 * @param error  says how to correct the command line */
gboolean predict_options_parse(PredictOptions *options, int argc, char **argv, GError **error);
void predict_options_clear(PredictOptions *options);
