/* The commands of hiera-predict: each has options of its own. */
#pragma once

#include <glib.h>

typedef enum { PREDICT_REPLAY, PREDICT_SCALE, PREDICT_EXECUTABLE, PREDICT_CALIBRATE } PredictCommand;

/* Sets of commands, as bit masks. */
enum {
    OF_REPLAY = 1 << PREDICT_REPLAY,
    OF_SCALE = 1 << PREDICT_SCALE,
    OF_EXECUTABLE = 1 << PREDICT_EXECUTABLE,
    OF_CALIBRATE = 1 << PREDICT_CALIBRATE,
    OF_ALL = OF_REPLAY | OF_SCALE | OF_EXECUTABLE | OF_CALIBRATE
};

typedef struct {
    guint of; /* commands that have the option: OF_… bits */
    GOptionEntry entry;
} CommandOption;

/* Remove the command from the command line: it is the first word. Without one, the command is replay, or that of an old
 * option (--ranks, --executable, --calibrate).
 *
 * @param old  receives that option, without its dashes; NULL: there is none
 * @return  the command */
PredictCommand command_take(int *argc, char **argv, const char **old);
/* @return  name of the command, not to be freed */
const char *command_name(PredictCommand command);
/* @return  what follows the name in the usage line, "RUN… --ranks=N"; not to be freed */
const char *command_usage(PredictCommand command);
/* Select the options of a command, and refuse words that are options of other commands only.
 *
 * @param options, n  options of all commands
 * @return  the entries of the command, with the entry that ends them: free it; NULL with an error that names the right
 * command */
GOptionEntry *command_select(PredictCommand command, const CommandOption *options, guint n, int argc, char **argv,
                             GError **error);
/* @param all  for --help-all
 * @return  what the help of the command says around its options: free it */
GOptionContext *command_context(PredictCommand command, gboolean all);
/* Print the list of commands if the command line asks for help without a command. @return  whether it does */
gboolean command_help(int argc, char **argv);
