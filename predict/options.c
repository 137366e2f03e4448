/* Reads the command line with GOption. See options.h. */
#include "options.h"
#include "answers/beside.h"
#include "base/output_file.h"
#include "machine/network_option.h"
#include "options/options_once.h"
#include "scaling/scaling.h"
#include <string.h>

enum { AT_ONCE = 100000 };

#define WRONG(error, ...) (g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, __VA_ARGS__), FALSE)

/* The words of the command line, as they are written. */
typedef struct {
    char **speeds, **sizes;
    char *network, *bandwidth, *inside, *collectives, *format, *sweep, *ranks;
    ScalingWords scaling;
    char *columns;
    int cores, links;
} Words;

static gboolean set_format(Options *options, const char *name, GError **error)
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

/* --format and --columns. */
static gboolean set_shape(Options *options, const Words *words, GError **error)
{
    options->shape.columns = words->columns ? g_strsplit(*words->columns ? words->columns : ",", ",", -1) : NULL;
    for (guint i = 0; words->columns && options->shape.columns[i]; i++)
        g_strstrip(options->shape.columns[i]);
    return set_format(options, words->format, error);
}

static gboolean set_collectives(Options *options, const char *name, GError **error)
{
    options->machine.one_step = name && strcmp(name, "one-step") == 0;
    return !name || options->machine.one_step || strcmp(name, "algorithms") == 0 ||
           WRONG(error, "--collectives '%s' is neither algorithms nor one-step", name);
}

/* On the ideal network the dependences of a run are enough. A parameter that changes, other numbers of ranks, another
 * network inside of hosts and programs that were never run need events; then collectives are one step, too. */
static gboolean set_ideal(Options *options, const Words *words, const char *network, GError **error)
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
    return !machine->ideal || words->cores == 0 ||
           WRONG(error, "--cores: on the ideal network ranks have a core each; leave it out, or write "
                        "--network ideal,latency=0 to simulate who computes at the same time");
}

static gboolean set_machine(Options *options, const Words *words, GError **error)
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
    machine->cores = (guint32)words->cores;
    machine->links = (guint32)words->links;
    return set_ideal(options, words, network, error);
}

static gboolean set_speeds(Options *options, const Words *words, GError **error)
{
    options->speeds = speeds_new();
    for (char **text = words->speeds; text && *text; text++) {
        if (!speeds_add(options->speeds, *text, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean set_sizes(Options *options, const Words *words, GError **error)
{
    options->sizes = sizes_new();
    for (char **text = words->sizes; text && *text; text++) {
        if (!sizes_add(options->sizes, *text, error))
            return FALSE;
    }
    return TRUE;
}

/* Why something cannot be said of other numbers of ranks; NULL: it can. */
static const char *find_unscaled(const Options *options, const Words *words)
{
    if (words->cores)
        return "--cores: who computes while others of its host do is known of a run that is simulated, not of other "
               "numbers of ranks; leave it out, with --ranks each rank has a core of its own";
    if (words->links)
        return "--links: which messages want a link at the same time is known of a run that is simulated, not of other "
               "numbers of ranks; leave it out, with --ranks no message waits for a link";
    if (words->inside && !options->machine.mapping)
        return "--network-inside: on which hosts the ranks are that were not recorded nobody knows; say it with "
               "--mapping block:N, for N ranks on each host";
    if (words->collectives)
        return "--collectives: with --ranks they take what their formula says";
    return words->sweep || options->executable.path || options->output || options->export_text ||
                   options->sensitivity || options->calibrate || options->rematch || options->measure_text
               ? "--ranks goes with --scaling, --work, --together, --exchange, --speed, --message-size, --network, "
                 "--network-inside, --mapping, --format, --columns and --quiet alone"
               : NULL;
}

/* --ranks has options of its own. */
static gboolean set_ranks(Options *options, const Words *words, GError **error)
{
    if (!words->ranks)
        return !(words->scaling.scaling || words->scaling.work || words->scaling.together || words->scaling.exchange) ||
               WRONG(error, "--scaling, --work, --together and --exchange go with --ranks");
    const char *unscaled = find_unscaled(options, words);
    if (unscaled)
        return WRONG(error, "%s", unscaled);
    options->ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
    return scaling_read_ranks(words->ranks, options->ranks, error) &&
           scaling_assumed_parse(&options->scaling, &words->scaling, error);
}

/* Tables go to standard output, and folders cannot. */
static gboolean check_outputs(const Options *options, GError **error)
{
    const struct {
        const char *option, *path, *what;
    } outputs[] = {{"--plot", options->plot, "file"},
                   {"--dot", options->executable.dot, "file"},
                   {"--calibrate", options->calibrate, "file"},
                   {"--output", options->output, "folder"},
                   {"--export", options->export_path, "file or folder"}};
    for (guint i = 0; i < G_N_ELEMENTS(outputs); i++) {
        if (outputs[i].path && hiera_output_is_standard(outputs[i].path))
            return WRONG(error, "%s: the answer goes to standard output; name a %s", outputs[i].option,
                         outputs[i].what);
    }
    return TRUE;
}

static gboolean take(Options *options, const Words *words, GError **error)
{
    const char *of_executable = executable_words_find_given(&options->executable);
    if (options->version)
        return TRUE;
    if (!set_ranks(options, words, error))
        return FALSE;
    if (options->plot && !words->sweep)
        return WRONG(error, "--plot draws the curve of --sweep; give that, too");
    if (options->sensitivity && words->sweep)
        return WRONG(error, "--sensitivity and --sweep are two answers; give one of them");
    if (options->calibrate)
        return check_outputs(options, error) && set_shape(options, words, error);
    if (options->executable.path && options->arguments)
        return WRONG(error, "both --executable and a trace are named; name one of them");
    if (options->executable.path && (words->sweep || words->speeds || words->sizes || options->sensitivity ||
                                     options->export_text || options->rematch || options->measure_text))
        return WRONG(
            error,
            "--sweep, --speed, --message-size, --rematch, --measure, --sensitivity and --export are about traces: "
            "write the predicted run with --output DIR, and name DIR instead of the executable");
    if (options->rematch && (options->output || options->export_text))
        return WRONG(error, "--rematch: what --output and --export write has the recorded partners, which would "
                            "contradict the times; leave one of them out");
    if (!options->executable.path && of_executable)
        return WRONG(error, "%s is about a program that was never run; name that with --executable", of_executable);
    if (!options->executable.path && (!options->arguments || !options->arguments[0]))
        return WRONG(error,
                     "no trace is named; name the folder of a run, its hieraCollector.xml, or its traces (see --help)");
    if (options->at_once < 0)
        return WRONG(error, "--at-once is a number of operations, or 0 for all");
    if (options->output && words->sweep)
        return WRONG(error, "--output is one predicted run, --sweep many; give one of them");
    if (options->measure_text && (words->sweep || options->sensitivity || options->rematch))
        return WRONG(error, "--measure, --sweep and --sensitivity are several answers, and with --rematch the partners "
                            "are others than the measures would take; give one of them");
    if (options->measure_text && !(options->measures = beside_find(options->measure_text, error)))
        return FALSE;
    if (options->export_text) {
        options->export = predict_export_find(options->export_text, &options->export_path, error);
        if (!options->export)
            return FALSE;
    }
    return check_outputs(options, error) && set_shape(options, words, error) &&
           set_collectives(options, words->collectives, error) && set_machine(options, words, error) &&
           set_speeds(options, words, error) && set_sizes(options, words, error);
}

static GOptionContext *make_context(const GOptionEntry *entries)
{
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_set_summary(context,
                                 "Predict how long a recorded run would take on another network, or if parts of\n"
                                 "it were faster: the run is simulated with its recorded messages, and shown\n"
                                 "beside the recorded one. Or predict a program that was never run.");
    g_option_context_set_description(
        context, "A network is latency=, bandwidth=, overhead= (or send-overhead=,\n"
                 "receive-overhead=), gap= and eager=, separated by commas; default:\n"
                 "latency=1us,bandwidth=10GB/s,overhead=200ns,gap=0,eager=64KiB. It may\n"
                 "begin with a file of --calibrate, or be ideal: no message takes time.\n"
                 "A rule is an expression as in hiera-transform --where; it holds for what is\n"
                 "computed in an operation, or for the messages of an MPI call. Of --speed it may\n"
                 "be a loop that HIERA_LOOPS timed.\n\n"
                 "Examples:\n"
                 "  hiera-predict run --network latency=2us,bandwidth=12GB/s\n"
                 "  hiera-predict run --speed 'inside(\"app\",\"force\")=2'\n"
                 "  hiera-predict run --speed 'rank==2=4' --rematch\n"
                 "  hiera-predict run --speed 'loop(\"force.c:70-82\")=2'\n"
                 "  hiera-predict run --message-size 'operation==\"alltoall\"=4'\n"
                 "  hiera-predict run --network latency=2us --measure waits,critical-path\n"
                 "  hiera-predict run --sweep latency=1us..100us\n"
                 "  hiera-predict run4 run8 run16 --ranks 64\n"
                 "  hiera-predict run4 run8 --ranks 64 --speed 'inside(\"app\",\"force\")=2'\n"
                 "  hiera-predict run1 --ranks 2 --scaling strong\n"
                 "  mpirun -n 2 hiera-predict --calibrate network.txt\n"
                 "  hiera-predict run --network network.txt,bandwidth=12GB/s\n"
                 "  hiera-predict --executable ./app --processes 2,4,8 --clock 3GHz\n\n"
                 "Exit status: 0 good, 1 the simulated run does not end, 2 wrong use,\n3 unreadable input.");
    g_option_context_add_main_entries(context, entries, NULL);
    return context;
}

/* The words as a shell takes them. */
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

gboolean options_parse(Options *options, int argc, char **argv, GError **error)
{
    Words words = {0};
    options->at_once = AT_ONCE;
    options->command = join(argc, argv);
    const GOptionEntry entries[] = {
        {"network", 'n', 0, G_OPTION_ARG_STRING, &words.network, "the network", "NETWORK"},
        {"bandwidth", 0, 0, G_OPTION_ARG_STRING, &words.bandwidth, "the same as --network bandwidth=", "BANDWIDTH"},
        {"network-inside", 0, 0, G_OPTION_ARG_STRING, &words.inside, "between ranks of one host", "NETWORK"},
        {"sweep", 0, 0, G_OPTION_ARG_STRING, &words.sweep, "how the time depends on a parameter", "PARAMETER=FROM..TO"},
        {"plot", 0, 0, G_OPTION_ARG_FILENAME, &options->plot, "draw the curve of --sweep as an SVG", "FILE"},
        {"sensitivity", 0, 0, G_OPTION_ARG_NONE, &options->sensitivity, "what 1 % less of each part saves", NULL},
        {"speed", 's', 0, G_OPTION_ARG_STRING_ARRAY, &words.speeds, "compute FACTOR times as fast there",
         "RULE=FACTOR"},
        {"message-size", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words.sizes, "messages are FACTOR times as long",
         "RULE=FACTOR"},
        {"measure", 0, 0, G_OPTION_ARG_STRING, &options->measure_text, "of both runs: waits, critical-path, …",
         "NAME,NAME…"},
        {"rematch", 0, 0, G_OPTION_ARG_NONE, &options->rematch, "receives of any rank take what comes first", NULL},
        {"at-once", 0, 0, G_OPTION_ARG_INT64, &options->at_once, "operations in memory; 0: all (see man)", "N"},
        {"cores", 0, 0, G_OPTION_ARG_INT, &words.cores, "of each host, which its ranks share", "N"},
        {"links", 0, 0, G_OPTION_ARG_INT, &words.links, "of each host, for which messages wait", "N"},
        {"mapping", 0, 0, G_OPTION_ARG_FILENAME, &options->machine.mapping, "on hosts: block:N, cyclic:N or a file",
         "PLACES"},
        {"collectives", 0, 0, G_OPTION_ARG_STRING, &words.collectives, "algorithms (default) or one-step", "HOW"},
        {"ranks", 0, 0, G_OPTION_ARG_STRING, &words.ranks, "how long on N ranks, from other runs", "N,N…"},
        {"scaling", 0, 0, G_OPTION_ARG_STRING, &words.scaling.scaling, "with --ranks: runs on one number of ranks",
         "strong|weak"},
        {"work", 0, 0, G_OPTION_ARG_STRING, &words.scaling.work, "with --scaling: how large each problem is",
         "SIZE,SIZE…"},
        {"together", 0, 0, G_OPTION_ARG_STRING, &words.scaling.together, "with --scaling: each N runs ran at once",
         "N"},
        {"exchange", 0, 0, G_OPTION_ARG_STRING, &words.scaling.exchange, "with --scaling: messages of each rank",
         "WORDS"},
        {"calibrate", 0, 0, G_OPTION_ARG_FILENAME, &options->calibrate, "under mpirun: measure the network", "FILE"},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &words.format, "format of the answer", "table|csv|json"},
        {"columns", 0, 0, G_OPTION_ARG_STRING, &words.columns, "of the tables, in this order", "NAME,NAME…"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "write the predicted run as traces", "DIR"},
        {"export", 0, 0, G_OPTION_ARG_FILENAME, &options->export_text, "for other simulators: goal:FILE, ti:DIR",
         "KIND:PATH"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, "print no notes", NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->version, "print the version", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->arguments, NULL, "TRACE…"},
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr(GOptionContext) context = make_context(entries);
    g_option_context_add_group(context, executable_options_group(&options->executable));
    gboolean good = hiera_options_check_once(entries, argc, argv, error) &&
                    executable_options_check_once(argc, argv, error) &&
                    g_option_context_parse(context, &argc, &argv, error) && take(options, &words, error);
    g_strfreev(words.speeds);
    g_strfreev(words.sizes);
    g_free(words.network);
    g_free(words.bandwidth);
    g_free(words.inside);
    g_free(words.collectives);
    g_free(words.format);
    g_free(words.columns);
    g_free(words.sweep);
    g_free(words.ranks);
    g_free(words.scaling.scaling);
    g_free(words.scaling.work);
    g_free(words.scaling.together);
    g_free(words.scaling.exchange);
    return good;
}

void options_clear(Options *options)
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
