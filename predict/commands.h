/* What hiera-predict can be asked: each command has options of its own. */
#ifndef HIERA_PREDICT_COMMANDS_H
#define HIERA_PREDICT_COMMANDS_H

#include <glib.h>

typedef enum { PREDICT_REPLAY, PREDICT_SCALE, PREDICT_EXECUTABLE, PREDICT_CALIBRATE } PredictCommand;

/* Sets of commands, a bit each. */
enum {
    OF_REPLAY = 1 << PREDICT_REPLAY,
    OF_SCALE = 1 << PREDICT_SCALE,
    OF_EXECUTABLE = 1 << PREDICT_EXECUTABLE,
    OF_CALIBRATE = 1 << PREDICT_CALIBRATE,
    OF_ALL = OF_REPLAY | OF_SCALE | OF_EXECUTABLE | OF_CALIBRATE
};

typedef struct {
    guint of; /* the commands that have the option */
    GOptionEntry entry;
} CommandOption;

/* Take the command out of the words of the command line: it is the first of them. Without one it is replay, or what the
 * spelling before there were commands says: --ranks, --executable and --calibrate.
 *
 * @param old  set to that option, without its dashes; NULL: there is none
 * @return  the command */
PredictCommand command_take(int *argc, char **argv, const char **old);
/* @return  its name, which is not to be freed */
const char *command_name(PredictCommand command);
/* @return  what stands behind its name, which is not to be freed: "RUN… --ranks=N" */
const char *command_usage(PredictCommand command);
/* Select the options of a command, and refuse words that are options of other commands.
 *
 * @param options, n  of all commands
 * @return  the entries of the command, with the one that ends them: free it; NULL with an error that names the command
 * to ask */
GOptionEntry *command_select(PredictCommand command, const CommandOption *options, guint n, int argc, char **argv,
                             GError **error);
/* @param all  for --help-all
 * @return  what the help of the command says around its options: free it */
GOptionContext *command_context(PredictCommand command, gboolean all);
/* Print what --help without a command says, if the words ask for it. @return  whether they do */
gboolean command_help(int argc, char **argv);

#endif
