#include "commands.h"
#include "options/options_once.h"
#include <stdio.h>
#include <string.h>

#define NETWORK_WORDS                                                                                                  \
    "A network is latency=, bandwidth=, overhead= (or send-overhead=,\n"                                               \
    "receive-overhead=), gap= and eager=, separated by commas; default:\n"                                             \
    "latency=1us,bandwidth=10GB/s,overhead=200ns,gap=0,eager=64KiB. It may\n"                                          \
    "begin with a file of hiera-predict calibrate, or be ideal: no message takes\n"                                    \
    "time.\n"
#define RULE_WORDS                                                                                                     \
    "A rule is an expression as in hiera-transform --where; it holds for what is\n"                                    \
    "computed in an operation, or for the messages of an MPI call. Of --speed it may\n"                                \
    "be a loop that HIERA_LOOPS timed.\n"

/* The commands. `old`: the option that selected the command in versions without commands; NULL: none. */
static const struct {
    const char *name, *old, *usage, *summary, *description;
} commands[] = {
    [PREDICT_REPLAY] = {"replay", NULL, "TRACE…",
                        "Simulate a recorded run on another network, or with parts of it faster, and\n"
                        "show it beside the recorded one. Messages keep their recorded partners.",
                        NETWORK_WORDS RULE_WORDS
                        "\nExamples:\n"
                        "  hiera-predict run --network latency=2us,bandwidth=12GB/s\n"
                        "  hiera-predict run --speed 'inside(\"app\",\"force\")=2'\n"
                        "  hiera-predict run --speed 'rank==2=4' --rematch\n"
                        "  hiera-predict run --speed 'loop(\"force.c:70-82\")=2'\n"
                        "  hiera-predict run --message-size 'operation==\"alltoall\"=4'\n"
                        "  hiera-predict run --network latency=2us --measure waits,critical-path\n"
                        "  hiera-predict run --sweep latency=1us..100us"},
    [PREDICT_SCALE] = {"scale", "ranks", "RUN… --ranks=N",
                       "Say how long a run would take on another number of ranks, from runs on\n"
                       "several, or on one with --scaling.",
                       NETWORK_WORDS RULE_WORDS
                       "\nExamples:\n"
                       "  hiera-predict scale run4 run8 run16 --ranks 64\n"
                       "  hiera-predict scale run4 run8 --ranks 64 --speed 'inside(\"app\",\"force\")=2'\n"
                       "  hiera-predict scale run1 --ranks 2 --scaling strong"},
    [PREDICT_EXECUTABLE] = {"executable", "executable", "PROGRAM",
                            "Predict an MPI program that was never run, from its machine code: processes\n"
                            "walk through it as far as values are known; what is not known is drawn.",
                            NETWORK_WORDS "\nExamples:\n"
                                          "  hiera-predict executable ./app --processes 2,4,8 --clock 3GHz\n"
                                          "  hiera-predict executable ./app --processes 8 --output never"},
    [PREDICT_CALIBRATE] = {"calibrate", "calibrate", "FILE",
                           "Measure the network between the first and the last rank that mpirun has\n"
                           "started, and write it to FILE, for --network FILE.",
                           "Example:\n"
                           "  mpirun -n 2 hiera-predict calibrate network.txt"},
};

static gboolean is_option(const char *word, const char *name)
{
    return name && g_str_has_prefix(word, "--") && g_str_has_prefix(word + 2, name) &&
           strchr("=", word[2 + strlen(name)]) != NULL;
}

PredictCommand command_take(int *argc, char **argv, const char **old)
{
    *old = NULL;
    for (PredictCommand i = 0; *argc > 1 && i < G_N_ELEMENTS(commands); i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            memmove(argv + 1, argv + 2,
                    (size_t)(*argc - 1) * sizeof *argv); /* moves the NULL at the end of argv, too */
            (*argc)--;
            return i;
        }
    }
    for (int k = 1; k < *argc && strcmp(argv[k], "--") != 0; k++) {
        for (PredictCommand i = 0; i < G_N_ELEMENTS(commands); i++) {
            if (is_option(argv[k], commands[i].old)) {
                *old = commands[i].old;
                return i;
            }
        }
    }
    return PREDICT_REPLAY;
}

const char *command_name(PredictCommand command)
{
    return commands[command].name;
}

const char *command_usage(PredictCommand command)
{
    return commands[command].usage;
}

/* Refuse an option of the command line if this command does not have it and other commands do. */
static gboolean refuse(PredictCommand command, const CommandOption *option, GError **error)
{
    PredictCommand other = PREDICT_REPLAY;
    while (!(option->of & (1u << other)))
        other++;
    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                "--%s is an option of 'hiera-predict %s'; this is 'hiera-predict %s'", option->entry.long_name,
                commands[other].name, commands[command].name);
    return FALSE;
}

GOptionEntry *command_select(PredictCommand command, const CommandOption *options, guint n, int argc, char **argv,
                             GError **error)
{
    g_autofree GOptionEntry *all = g_new0(GOptionEntry, n + 1), *own = g_new0(GOptionEntry, n + 1);
    guint n_own = 0;
    for (guint i = 0; i < n; i++) {
        all[i] = options[i].entry;
        if (options[i].of & (1u << command))
            own[n_own++] = options[i].entry;
    }
    for (guint i = 0; i < n; i++) {
        if (!(options[i].of & (1u << command)) && hiera_options_has(all, all + i, argc, argv)) {
            refuse(command, options + i, error);
            return NULL;
        }
    }
    return hiera_options_check_once(own, argc, argv, error) ? g_steal_pointer(&own) : NULL;
}

GOptionContext *command_context(PredictCommand command, gboolean all)
{
    g_autofree char *description =
        g_strconcat(commands[command].description, all ? "" : "\n\n--help-all shows all options.", NULL);
    GOptionContext *context = g_option_context_new(commands[command].usage);
    g_option_context_set_summary(context, commands[command].summary);
    g_option_context_set_description(context, description);
    return context;
}

gboolean command_help(int argc, char **argv)
{
    if (argc < 2 ||
        (strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "--help-all") != 0 && strcmp(argv[1], "-h") != 0))
        return FALSE;
    fputs("Usage:\n"
          "  hiera-predict [replay] [OPTION…] TRACE…\n"
          "  hiera-predict scale [OPTION…] RUN… --ranks=N,N…\n"
          "  hiera-predict executable [OPTION…] PROGRAM\n"
          "  mpirun -n 2 hiera-predict calibrate FILE\n\n"
          "Predict how long an MPI program would take on another machine.\n\n"
          "  replay       a recorded run on another network, or with parts of it faster:\n"
          "               simulated with its messages, and shown beside the recorded one\n"
          "  scale        runs on another number of ranks\n"
          "  executable   a program that was never run, from its machine code\n"
          "  calibrate    measure the network, for --network FILE\n\n"
          "'hiera-predict COMMAND --help' has the options of a command.\n\n"
          "Examples:\n"
          "  hiera-predict run --network latency=2us,bandwidth=12GB/s\n"
          "  hiera-predict run --speed 'inside(\"app\",\"force\")=2'\n"
          "  hiera-predict scale run4 run8 run16 --ranks 64\n"
          "  hiera-predict executable ./app --processes 2,4,8\n\n"
          "Exit status: 0 good, 1 the simulated run does not end, 2 wrong use,\n3 unreadable input.\n",
          stdout);
    return TRUE;
}
