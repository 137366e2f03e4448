/* The command line of hiera-predict. */
#ifndef HIERA_PREDICT_OPTIONS_H
#define HIERA_PREDICT_OPTIONS_H

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
    char **arguments; /* traces */
    MachineOptions machine;
    NetworkSweep sweep;
    char *plot;           /* file for the picture of the sweep; NULL: none */
    gboolean sensitivity; /* the answer is what 1 % less of each part saves */
    Speeds *speeds;
    Sizes *sizes;               /* of messages */
    gint64 at_once;             /* about so many operations of a trace are in memory; 0: all */
    gboolean rematch;           /* receives that asked for any message take the first one */
    ExecutableWords executable; /* that is predicted */
    AnswerShape shape;
    char *measure_text;  /* what was given; NULL: nothing */
    GPtrArray *measures; /* HieraMeasure: the answer is these, of both runs; NULL: the usual one */
    char *output;        /* folder for the predicted run as traces; NULL: it is not written */
    char *export_text;   /* what was given; NULL: nothing is exported */
    const PredictExport *export;
    const char *export_path;
    char *command;             /* the whole command line */
    PredictCommand command_is; /* which answer is asked for */
    const char *old_spelling;  /* the option that said so before there were commands; NULL: none */
    char *calibrate;           /* the file to write */
    GArray *ranks;             /* guint32: to which numbers of ranks runs are extrapolated */
    ScalingAssumed scaling;    /* what is assumed then */
} PredictOptions;

/* Read the command line; --help prints and exits.
 * @param error  says how to correct it */
gboolean predict_options_parse(PredictOptions *options, int argc, char **argv, GError **error);
void predict_options_clear(PredictOptions *options);

#endif
