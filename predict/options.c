/* Reads the command line with GOption. See options.h. */
#include "options.h"
#include "answers/beside.h"
#include "base/attribute_columns.h"
#include "base/output_file.h"
#include "machine/network_option.h"
#include "options/options_once.h"
#include "scaling/scaling.h"
#include <string.h>

enum { AT_ONCE = 100000, TURNS = 3, THREADS_MOST = 65536 };

#define WRONG(error, ...) (g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, __VA_ARGS__), FALSE)

/* Option values as texts from the command line, not interpreted yet. */
typedef struct {
    char **speeds, **sizes;
    char *network, *bandwidth, *inside, *collectives, *format, *sweep, *ranks;
    ScalingWords scaling;
    char *columns;
    int cores, rank_cores, threads, links;
} Words;

static gboolean set_format(PredictOptions *options, const char *name, GError **error)
{
    static const struct {
        const char *name;
        HieraFormat format;
    } formats[] = {{"table", HIERA_FORMAT_TABLE}, {"csv", HIERA_FORMAT_CSV}, {"json", HIERA_FORMAT_JSON}};
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (!name || strcmp(name, formats[i].name) == 0) {
            options->shape.format = formats[i].format;
            return TRUE;
        }
    }
    return WRONG(error, "there is no format '%s'; choose table, csv or json", name);
}

/* Take the values of --format and --columns as the shape of the answer. */
static gboolean set_shape(PredictOptions *options, const Words *words, GError **error)
{
    options->shape.columns = words->columns ? g_strsplit(*words->columns ? words->columns : ",", ",", -1) : NULL;
    for (guint i = 0; words->columns && options->shape.columns[i]; i++)
        g_strstrip(options->shape.columns[i]);
    return set_format(options, words->format, error);
}

static gboolean set_collectives(PredictOptions *options, const char *name, GError **error)
{
    options->machine.one_step = name && strcmp(name, "one-step") == 0;
    return !name || options->machine.one_step || strcmp(name, "algorithms") == 0 ||
           WRONG(error, "--collectives '%s' is neither algorithms nor one-step", name);
}

/* Decide whether the ideal network is used: there, the dependences of a run are enough. A sweep, other numbers of
 * ranks, another network inside hosts and programs that were never run need events; then collectives are one step, too.
 */
static gboolean set_ideal(PredictOptions *options, const Words *words, const char *network, GError **error)
{
    MachineOptions *machine = &options->machine;
    gboolean changed = FALSE, ideal = network && network_option_is_ideal(network, &changed);
    machine->one_step |= ideal && !words->collectives;
    machine->ideal = ideal && !changed && !words->inside && !words->sweep && !words->ranks && !options->executable.path;
    if (machine->ideal && options->rematch)
        return WRONG(error, "--rematch: on the ideal network receives keep their partners; leave it out, or write "
                            "--network ideal,latency=0 to simulate the messages");
    if (machine->ideal && words->collectives && !machine->one_step)
        return WRONG(error, "--collectives: on the ideal network they have no algorithm; leave it out, or write "
                            "--network ideal,latency=0 to simulate their messages");
    if (machine->ideal && words->threads > 0)
        return WRONG(error, "--threads: on the ideal network only main threads are simulated; write --network "
                            "ideal,latency=0 to simulate the others");
    return !machine->ideal || (words->cores == 0 && words->rank_cores == 0) ||
           WRONG(error,
                 "%s: on the ideal network ranks have a core each; leave it out, or write "
                 "--network ideal,latency=0 to simulate who computes at the same time",
                 words->cores > 0 ? "--cores" : "--rank-cores");
}

static gboolean set_machine(PredictOptions *options, const Words *words, GError **error)
{
    MachineOptions *machine = &options->machine;
    g_autofree char *network = words->bandwidth
                                   ? g_strdup_printf("%s%sbandwidth=%s", words->network ? words->network : "",
                                                     words->network ? "," : "", words->bandwidth)
                                   : g_strdup(words->network);
    machine->between = NETWORK_DEFAULT;
    if (network && !network_option_parse("--network", network, &machine->between, error))
        return FALSE;
    machine->inside = machine->between;
    if (words->inside && !network_option_parse("--network-inside", words->inside, &machine->inside, error))
        return FALSE;
    machine->has_inside = words->inside != NULL;
    if (words->sweep && !network_option_parse_sweep(words->sweep, &options->sweep, error))
        return FALSE;
    if (words->cores < 0 || words->links < 0)
        return WRONG(error, "--cores and --links are numbers from 1 on");
    if (words->rank_cores < 0)
        return WRONG(error, "--rank-cores is a number from 1 on");
    if (words->cores > 0 && words->rank_cores > 0)
        return WRONG(error,
                     "--cores: all ranks of a host share them, and threads those of --rank-cores; leave out one");
    if (words->threads < 0 || words->threads > THREADS_MOST)
        return WRONG(error, "--threads is a number from 1 to %d", THREADS_MOST);
    machine->cores = (guint32)words->cores;
    machine->links = (guint32)words->links;
    machine->rank_cores = (guint32)words->rank_cores;
    machine->threads = (guint32)words->threads;
    machine->args = words->threads > 0 ? hiera_attribute_columns_wish("args") : HIERA_NONE;
    return set_ideal(options, words, network, error);
}

static gboolean set_speeds(PredictOptions *options, const Words *words, GError **error)
{
    options->speeds = speeds_new();
    for (char **text = words->speeds; text && *text; text++) {
        if (!speeds_add(options->speeds, *text, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean set_sizes(PredictOptions *options, const Words *words, GError **error)
{
    options->sizes = sizes_new();
    for (char **text = words->sizes; text && *text; text++) {
        if (!sizes_add(options->sizes, *text, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean set_ranks(PredictOptions *options, const Words *words, GError **error)
{
    if (!words->ranks)
        return WRONG(error, "say for how many ranks: hiera-predict scale RUN… --ranks 64");
    if (words->inside && !options->machine.mapping)
        return WRONG(error,
                     "--network-inside: on which hosts the ranks are that were not recorded nobody knows; say it "
                     "with --mapping block:N, for N ranks on each host");
    options->ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
    return scaling_read_ranks(words->ranks, options->ranks, error) &&
           scaling_assumed_parse(&options->scaling, &words->scaling, error);
}

/* Refuse "-" as path of a file or folder: standard output is for the tables of the answer. */
static gboolean check_outputs(const PredictOptions *options, GError **error)
{
    const struct {
        const char *option, *path, *what;
    } outputs[] = {{"--plot", options->plot, "file"},
                   {"--dot", options->executable.dot, "file"},
                   {"calibrate", options->calibrate, "file"},
                   {"--output", options->output, "folder"},
                   {"--export", options->export_path, "file or folder"}};
    for (guint i = 0; i < G_N_ELEMENTS(outputs); i++) {
        if (outputs[i].path && hiera_output_is_standard(outputs[i].path))
            return WRONG(error, "%s: the answer goes to standard output; name a %s", outputs[i].option,
                         outputs[i].what);
    }
    return TRUE;
}

/* Refuse combinations of options that contradict each other in the command `replay`. */
static gboolean check_replay(const PredictOptions *options, const Words *words, GError **error)
{
    if (options->plot && !words->sweep)
        return WRONG(error, "--plot draws the curve of --sweep; give that, too");
    if (options->sensitivity && words->sweep)
        return WRONG(error, "--sensitivity and --sweep are two answers; give one of them");
    if (options->rematch && (options->output || options->export_text))
        return WRONG(error, "--rematch: what --output and --export write has the recorded partners, which would "
                            "contradict the times; leave one of them out");
    if (words->threads > 0 && (options->output || options->export_text || options->measure_text))
        return WRONG(error, "--threads: what --output, --export and --measure tell of has the recorded threads; leave "
                            "one of them out");
    if (options->at_once < 0)
        return WRONG(error, "--at-once is a number of operations, or 0 for all");
    if (options->output && words->sweep)
        return WRONG(error, "--output is one predicted run, --sweep many; give one of them");
    return !(options->measure_text && (words->sweep || options->sensitivity || options->rematch)) ||
           WRONG(error, "--measure, --sweep and --sensitivity are several answers, and with --rematch the partners "
                        "are others than the measures would take; give one of them");
}

static gboolean set_replay(PredictOptions *options, const Words *words, GError **error)
{
    if (!check_replay(options, words, error) ||
        (options->measure_text && !(options->measures = beside_find(options->measure_text, error))))
        return FALSE;
    options->export =
        options->export_text ? predict_export_find(options->export_text, &options->export_path, error) : NULL;
    return options->export || !options->export_text;
}

/* Take the only argument of a command: a program, or a file.
 * @param path  receives it; unchanged if the old option has set it */
static gboolean take_path(PredictOptions *options, char **path, GError **error)
{
    guint n = options->arguments ? g_strv_length(options->arguments) : 0;
    if (n != (*path ? 0 : 1))
        return options->command_is == PREDICT_EXECUTABLE
                   ? WRONG(error,
                           "name one program: hiera-predict executable PROGRAM; its arguments go into --arguments")
                   : WRONG(error, "name one file: hiera-predict calibrate FILE");
    if (!*path)
        *path = g_strdup(options->arguments[0]);
    return TRUE;
}

/* Take the option values and arguments of the chosen command. */
static gboolean take_command(PredictOptions *options, const Words *words, GError **error)
{
    switch (options->command_is) {
    case PREDICT_CALIBRATE:
        if (options->turns < 1)
            return WRONG(error, "--turns is a number from 1 on");
        return take_path(options, &options->calibrate, error);
    case PREDICT_EXECUTABLE:
        return take_path(options, &options->executable.path, error);
    default:
        if (!options->arguments || !options->arguments[0])
            return WRONG(error, "no trace is named; name the folder of a run, its hieraCollector.xml, or its traces "
                                "(see --help)");
        return options->command_is == PREDICT_SCALE ? set_ranks(options, words, error)
                                                    : set_replay(options, words, error);
    }
}

static gboolean take(PredictOptions *options, const Words *words, GError **error)
{
    if (options->version)
        return TRUE;
    return take_command(options, words, error) && check_outputs(options, error) && set_shape(options, words, error) &&
           set_collectives(options, words->collectives, error) && set_speeds(options, words, error) &&
           set_sizes(options, words, error) && set_machine(options, words, error);
}

/* Join the words of the command line to one text, quoted for a shell. */
static char *join(int argc, char **argv)
{
    g_autoptr(GString) text = g_string_new("hiera-predict");
    for (int i = 1; i < argc; i++) {
        gboolean plain = strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@") ==
                         strlen(argv[i]);
        g_autofree char *word = g_utf8_make_valid(argv[i], -1);
        g_autofree char *quoted = plain && *word ? g_strdup(word) : g_shell_quote(word);
        g_string_append_printf(text, " %s", quoted);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

enum { RARE = G_OPTION_FLAG_HIDDEN }; /* flag of options that only --help-all shows */

enum { MOST_OPTIONS = EXECUTABLE_OPTIONS_MOST + 32 };

/* Set the options of all commands.
 * @param rows  receives them. @return  their number */
static guint set_rows(PredictOptions *options, Words *words, CommandOption *rows)
{
    const guint runs = OF_REPLAY | OF_SCALE, predicted = runs | OF_EXECUTABLE, simulated = OF_REPLAY | OF_EXECUTABLE;
    const CommandOption own[] = {
        {predicted, {"network", 'n', 0, G_OPTION_ARG_STRING, &words->network, "the network", "NETWORK"}},
        {predicted,
         {"bandwidth", 0, RARE, G_OPTION_ARG_STRING, &words->bandwidth,
          "the same as --network bandwidth=", "BANDWIDTH"}},
        {predicted,
         {"network-inside", 0, RARE, G_OPTION_ARG_STRING, &words->inside, "between ranks of one host", "NETWORK"}},
        {OF_REPLAY,
         {"sweep", 0, 0, G_OPTION_ARG_STRING, &words->sweep, "how the time depends on a parameter",
          "PARAMETER=FROM..TO"}},
        {OF_REPLAY,
         {"plot", 0, RARE, G_OPTION_ARG_FILENAME, &options->plot, "draw the curve of --sweep as an SVG", "FILE"}},
        {OF_REPLAY,
         {"sensitivity", 0, RARE, G_OPTION_ARG_NONE, &options->sensitivity, "what 1 % less of each part saves", NULL}},
        {runs,
         {"speed", 's', 0, G_OPTION_ARG_STRING_ARRAY, &words->speeds, "compute FACTOR times as fast there",
          "RULE=FACTOR"}},
        {runs,
         {"message-size", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words->sizes, "messages are FACTOR times as long",
          "RULE=FACTOR"}},
        {OF_REPLAY,
         {"measure", 0, 0, G_OPTION_ARG_STRING, &options->measure_text, "of both runs: waits, critical-path, …",
          "NAME,NAME…"}},
        {OF_REPLAY,
         {"rematch", 0, 0, G_OPTION_ARG_NONE, &options->rematch, "receives of any rank take what comes first", NULL}},
        {OF_REPLAY,
         {"at-once", 0, RARE, G_OPTION_ARG_INT64, &options->at_once, "operations in memory; 0: all (see man)", "N"}},
        {simulated, {"cores", 0, RARE, G_OPTION_ARG_INT, &words->cores, "of each host, which its ranks share", "N"}},
        {OF_REPLAY,
         {"threads", 0, RARE, G_OPTION_ARG_INT, &words->threads, "so many execute each region of OpenMP", "N"}},
        {OF_REPLAY,
         {"rank-cores", 0, RARE, G_OPTION_ARG_INT, &words->rank_cores, "of each rank, which its threads share", "N"}},
        {simulated, {"links", 0, RARE, G_OPTION_ARG_INT, &words->links, "of each host, for which messages wait", "N"}},
        {predicted,
         {"mapping", 0, RARE, G_OPTION_ARG_FILENAME, &options->machine.mapping, "on hosts: block:N, cyclic:N or a file",
          "PLACES"}},
        {simulated,
         {"collectives", 0, RARE, G_OPTION_ARG_STRING, &words->collectives, "algorithms (default) or one-step", "HOW"}},
        {OF_SCALE, {"ranks", 0, 0, G_OPTION_ARG_STRING, &words->ranks, "how long on N ranks", "N,N…"}},
        {OF_SCALE,
         {"scaling", 0, 0, G_OPTION_ARG_STRING, &words->scaling.scaling, "of runs on one number of ranks",
          "strong|weak"}},
        {OF_SCALE,
         {"work", 0, RARE, G_OPTION_ARG_STRING, &words->scaling.work, "with --scaling: how large each problem is",
          "SIZE,SIZE…"}},
        {OF_SCALE,
         {"together", 0, RARE, G_OPTION_ARG_STRING, &words->scaling.together, "with --scaling: each N runs ran at once",
          "N"}},
        {OF_SCALE,
         {"exchange", 0, RARE, G_OPTION_ARG_STRING, &words->scaling.exchange, "with --scaling: messages of each rank",
          "WORDS"}},
        {simulated,
         {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "write the predicted run as traces", "DIR"}},
        {OF_REPLAY,
         {"export", 0, RARE, G_OPTION_ARG_FILENAME, &options->export_text, "for other simulators: goal:FILE, ti:DIR",
          "KIND:PATH"}},
        {OF_CALIBRATE,
         {"calibrate", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &options->calibrate, NULL, "FILE"}},
        {OF_CALIBRATE,
         {"turns", 0, 0, G_OPTION_ARG_INT, &options->turns, "measure all sizes so often; default: 3", "N"}},
        {OF_ALL, {"format", 'f', 0, G_OPTION_ARG_STRING, &words->format, "format of the answer", "table|csv|json"}},
        {OF_ALL,
         {"columns", 0, RARE, G_OPTION_ARG_STRING, &words->columns, "of the tables, in this order", "NAME,NAME…"}},
        {OF_ALL, {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, "print no notes", NULL}},
        {OF_ALL, {"version", 0, 0, G_OPTION_ARG_NONE, &options->version, "print the version", NULL}},
        {OF_ALL, {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->arguments, NULL, NULL}},
    };
    GOptionEntry of_executable[EXECUTABLE_OPTIONS_MOST];
    guint n = 0, n_executable = executable_options_set(&options->executable, of_executable);
    for (guint i = 0; i < n_executable; i++)
        rows[n++] = (CommandOption){OF_EXECUTABLE, of_executable[i]};
    for (guint i = 0; i < G_N_ELEMENTS(own); i++)
        rows[n++] = own[i];
    return n;
}

static void words_clear(Words *words)
{
    char *texts[] = {
        words->network,          words->bandwidth,       words->inside, words->collectives,     words->format,
        words->columns,          words->sweep,           words->ranks,  words->scaling.scaling, words->scaling.work,
        words->scaling.together, words->scaling.exchange};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(words->speeds);
    g_strfreev(words->sizes);
}

gboolean predict_options_parse(PredictOptions *options, int argc, char **argv, GError **error)
{
    Words words = {0};
    CommandOption rows[MOST_OPTIONS];
    options->at_once = AT_ONCE;
    options->turns = TURNS;
    options->command = join(argc, argv);
    int n_words = argc;
    options->command_is = command_take(&argc, argv, &options->old_spelling);
    g_autofree char *name = g_strdup_printf("hiera-predict %s", command_name(options->command_is));
    g_set_prgname(argc < n_words ? name : "hiera-predict"); /* program name shown by --help */
    g_autofree GOptionEntry *entries =
        command_select(options->command_is, rows, set_rows(options, &words, rows), argc, argv, error);
    gboolean all = entries && hiera_options_show_all(entries, argc, argv);
    g_autoptr(GOptionContext) context = command_context(options->command_is, all);
    if (entries)
        g_option_context_add_main_entries(context, entries, NULL);
    gboolean good = entries && g_option_context_parse(context, &argc, &argv, error) && take(options, &words, error);
    words_clear(&words);
    return good;
}
void predict_options_clear(PredictOptions *options)
{
    executable_words_clear(&options->executable);
    g_strfreev(options->arguments);
    speeds_free(options->speeds);
    sizes_free(options->sizes);
    g_free(options->output);
    g_free(options->export_text);
    g_free(options->measure_text);
    if (options->measures)
        g_ptr_array_unref(options->measures);
    g_free(options->machine.mapping);
    g_free(options->command);
    g_free(options->calibrate);
    g_free(options->plot);
    g_strfreev(options->shape.columns);
    if (options->ranks)
        g_array_unref(options->ranks);
    scaling_assumed_clear(&options->scaling);
}
