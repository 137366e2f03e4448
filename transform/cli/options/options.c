/* See options.h. GOption splits the command line; this file checks the values. */
#include "options.h"
#include "assert_file.h"
#include "assert_options.h"
#include "base/misuse.h"
#include "base/threads.h"
#include "measure_forms.h"
#include "measure_names.h"
#include "measure_options.h"
#include "measures.h"
#include "options/options_once.h"
#include "scope_check.h"
#include "serve.h"
#include "xml/read_limits.h"
#include <string.h>

#define DEFAULT_MEASURE "summary"
#define HELP_INDENT     17 /* column of the help where the explanation of an export begins */

static const char *const formats[] = {
#define X(identifier, name) name,
    HIERA_FORMATS(X)
#undef X
};

/* Values of options as the user wrote them; NULL: the option is not given. */
typedef struct {
    char *measure, *format, *ranks, *depth, *from, *to, *export, *columns, *sort, *top, *limits, *bins, *where,
        *fail_above, *fail_on, *scaling, *suppress, *threads, *rules, *probe, *counters;
} Words;

static gboolean add_measure(Options *options, const char *name, GError **error)
{
    if (strcmp(name, "list") == 0) {
        options->list = TRUE;
        return TRUE;
    }
    const HieraMeasure *measure = measure_names_find(name, error);
    if (!measure)
        return FALSE;
    if (!g_ptr_array_find(options->measures, measure, NULL))
        g_ptr_array_add(options->measures, (gpointer)measure);
    return TRUE;
}

static gboolean set_measures(Options *options, const char *names, GError **error)
{
    if (!names && (options->rules || options->reports))
        names = "assertions";
    if (!names && (options->validate || options->html || options->serve || options->export || options->probe))
        return TRUE;
    g_auto(GStrv) list = g_strsplit(names ? names : DEFAULT_MEASURE, ",", -1);
    for (char **name = list; *name; name++) {
        if (!add_measure(options, g_strstrip(*name), error))
            return FALSE;
    }
    return TRUE;
}

static gboolean set_format(Options *options, const char *name, GError **error)
{
    options->sarif = name && strcmp(name, "sarif") == 0;
    if (options->sarif)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (!name || strcmp(formats[i], name) == 0) {
            options->format = (HieraFormat)i;
            return TRUE;
        }
    }
    return misuse(error, "there is no format '%s'; choose table, csv, json, brief, junit or sarif", name);
}

static gboolean check_format(const Options *options, gboolean has_columns, GError **error)
{
    if (options->references && (options->format != HIERA_FORMAT_JSON || options->part[0] != '\0'))
        return misuse(error, "--references is for --format json, and for whole runs: leave out %s",
                      options->part[0] ? options->part : "other formats");
    return options->format != HIERA_FORMAT_JUNIT || options->list ||
           assert_options_check_junit(options->measures, options->rules, has_columns, error);
}

/* Set what is for --validate alone. */
static gboolean set_validate(Options *options, const Words *words, GError **error)
{
    const char *given = options->sarif    ? "--format sarif"
                        : words->suppress ? "--suppress"
                        : words->fail_on  ? "--fail-on"
                                          : NULL;
    gboolean alone = options->validate && (options->measures->len == 0 || !options->sarif);
    if (given && !alone)
        return misuse(error, "%s is for --validate%s", given, options->validate ? " alone, without measures" : "");
    if (words->fail_on && strcmp(words->fail_on, "error") != 0 && strcmp(words->fail_on, "warning") != 0)
        return misuse(error, "--fail-on '%s' is neither 'error' nor 'warning'", words->fail_on);
    gboolean errors = words->fail_on && strcmp(words->fail_on, "error") == 0;
    options->fails = errors ? HIERA_SEVERITY_ERROR : HIERA_SEVERITY_WARNING;
    return !words->suppress || (options->suppressions = suppressions_read(words->suppress, error));
}

/* Return a list of all exports for the help, as "graphml:FILE, full:DIR or compact:DIR"; to be freed. */
static char *list_exports(void)
{
    GString *list = g_string_new(NULL);
    for (const HieraExport *row = hiera_exports; row->name; row++) {
        const char *before = row == hiera_exports ? "" : row[1].name ? ", " : " or ";
        g_string_append_printf(list, "%s%s:%s", before, row->name, row->target);
    }
    return g_string_free(list, FALSE);
}

static gboolean set_export(Options *options, const char *text, GError **error)
{
    const char *colon = text ? strchr(text, ':') : NULL;
    for (const HieraExport *row = hiera_exports; colon && colon[1] && row->name; row++) {
        gsize length = strlen(row->name);
        if (length != (gsize)(colon - text) || strncmp(row->name, text, length) != 0)
            continue;
        options->export = row;
        options->export_to = g_strdup(colon + 1);
        return TRUE;
    }
    g_autofree char *choices = list_exports();
    return !text ||
           misuse(error, "cannot export '%s'; write %s; for goal:FILE and ti:DIR ask hiera-predict", text, choices);
}

static gboolean set_time(const char *option, const char *text, gint64 *ns, GError **error)
{
    if (!text || hiera_seconds_parse(text, strlen(text), ns))
        return TRUE;
    return misuse(error, "%s '%s' is not a time; write decimal seconds, for example 1.25", option, text);
}

static gboolean set_depth(Options *options, const char *text, GError **error)
{
    guint64 depth;
    if (!text)
        return TRUE;
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &depth, NULL))
        return misuse(error, "--depth '%s' is not a depth; write a number, 0 for the outermost operations", text);
    options->scope.depth = (gint64)depth;
    return TRUE;
}

static gboolean check_scope(const Options *options, GError **error)
{
    if (options->measures->len == 0 && !options->list && !options->html && !options->serve && !options->probe &&
        (options->where || scope_check_is_narrow(&options->scope)))
        return misuse(error, "--ranks, --level, --depth, --from, --to and --where apply to measures, --html, "
                             "--serve and --probe; name a measure with --measure");
    return options->scope.from_ns <= options->scope.to_ns || misuse(error, "--from is later than --to");
}

/* Return the options that select a part of the run, as "--from 1.5 --ranks 0-3"; to be freed. */
static char *name_part(const Options *options, const Words *words)
{
    const struct {
        const char *name, *value;
    } parts[] = {{"--ranks", words->ranks}, {"--level", options->level}, {"--depth", words->depth},
                 {"--from", words->from},   {"--to", words->to},         {"--where", words->where}};
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *value = parts[i].value ? g_shell_quote(parts[i].value) : NULL;
        if (value)
            g_string_append_printf(text, "%s%s %s", text->len ? " " : "", parts[i].name,
                                   strpbrk(parts[i].value, " \t\"'$&|<>()*?[]\\") ? value : parts[i].value);
    }
    return g_string_free(text, FALSE);
}

/* Return the first option that asks for an answer other than measures; NULL: there is none. */
static const char *peek_other(const Options *options)
{
    return options->validate ? "--validate"
           : options->html   ? "--html"
           : options->serve  ? "--serve"
           : options->export ? "--export"
           : options->probe  ? "--probe"
                             : NULL;
}

static gboolean set_scope(Options *options, const Words *words, GError **error)
{
    options->scope = HIERA_SCOPE_ALL;
    options->scope.level = options->level;
    options->part = name_part(options, words);
    options->scope.options.by = options->by;
    if (words->ranks && !(options->ranks = hiera_ranks_parse(words->ranks, error)))
        return FALSE;
    options->scope.ranks = options->ranks;
    options->scope.options.rules = options->rules;
    if (words->where && !(options->where = where_compile("--where", words->where, error)))
        return FALSE;
    options->scope.where = words->where != NULL;
    const MeasureWords of_measures = {words->scaling, options->thresholds, words->bins, words->fail_above};
    /* NULL with --estimate, which allows several runs and evaluates each one separately */
    const char *const *runs = options->estimate ? NULL : (const char *const *)options->arguments;
    if (!measure_forms_choose(options->measures, &options->scope, runs, peek_other(options), error))
        return FALSE;
    gboolean pages = options->html || options->serve;
    if (!assert_options_set(options->measures, options->rules, pages, &options->values, error))
        return FALSE;
    options->scope.options.values = options->values;
    options->counters = measure_counters_choose(&options->scope, options->measures, words->counters, error);
    if (words->counters && !options->counters)
        return FALSE;
    return measure_options_set(&options->scope, options->measures, &of_measures, error) &&
           set_depth(options, words->depth, error) && set_time("--from", words->from, &options->scope.from_ns, error) &&
           set_time("--to", words->to, &options->scope.to_ns, error);
}

static gboolean set_limits(const char *text, GError **error)
{
    static const char names[] =
#define X(field, name, value, help) " " name
        HIERA_LIMITS(X)
#undef X
        ;
    return !text || hiera_limits_parse(text) ||
           misuse(error, "--limits '%s' is not a list of limits; write for example tag=64M,depth=2M (limits:%s)", text,
                  names);
}

static gboolean set_threads(const char *text, GError **error)
{
    guint64 threads;
    if (!text)
        return TRUE;
    if (!g_ascii_string_to_unsigned(text, 10, 1, HIERA_THREADS_MAX, &threads, NULL))
        return misuse(error, "--threads '%s' is not a number from 1 to %d", text, HIERA_THREADS_MAX);
    hiera_threads_set((guint)threads);
    return TRUE;
}

static gboolean set_shape(Options *options, const Words *words, GError **error)
{
    return options->list ||
           shape_parse(&options->shape, words->columns, words->sort, words->top, options->measures, error);
}

static gboolean check_reports(const Options *options, GError **error)
{
    gboolean others = options->measures->len > 1 || options->validate || options->html || options->serve ||
                      options->export || options->part[0] != '\0' || options->estimate;
    return assert_options_check_reports(options->arguments ? options->arguments[0] : NULL, others, error);
}

static gboolean check_runs(const Options *options, GError **error)
{
    const AssertRuns runs = {.baseline = options->baseline,
                             .estimate = options->estimate,
                             .reports = options->reports != NULL,
                             .alone = options->measures->len == 1};
    return assert_options_check_runs(options->rules, &runs, error);
}

static gboolean set_probe(Options *options, const char *given, GError **error)
{
    return !given || (options->probe = hiera_probing_read(given, error));
}

static gboolean check_probe(const Options *options, GError **error)
{
    gboolean others = options->measures->len > 0 || options->validate || options->html || options->serve ||
                      options->export || options->reports;
    return !options->probe || !others ||
           misuse(error, "--probe asks a question of its own; leave out what asks others (--measure, --html, …)");
}

static gboolean set_options(Options *options, const Words *words, GError **error)
{
    if (!set_limits(words->limits, error) || !set_threads(words->threads, error) ||
        !set_export(options, words->export, error) || !set_format(options, words->format, error) ||
        !assert_options_read(&options->rules, words->rules, error) || !set_probe(options, words->probe, error) ||
        !set_measures(options, words->measure, error) || !set_scope(options, words, error) ||
        !check_scope(options, error) || !check_format(options, words->columns != NULL, error) ||
        !set_validate(options, words, error) || !check_runs(options, error) || !check_probe(options, error) ||
        !set_shape(options, words, error) || (options->serve && !hiera_serve_check(options->serve, error)))
        return FALSE;
    if (options->reports)
        return check_reports(options, error);
    return options->list || options->version || options->explain || options->recover ||
           (options->arguments && options->arguments[0]) ||
           misuse(error, "no trace is named; name trace files, a hieraCollector.xml or a folder (see --help)");
}

/* Append the explanations of options' values that only --help-all shows. */
static void describe_words(GString *text)
{
    g_string_append(text, "KIND:PATH is one of\n");
    for (const HieraExport *row = hiera_exports; row->name; row++) {
        g_autofree char *kind = g_strconcat(row->name, ":", row->target, NULL);
        g_string_append_printf(text, "  %-*s%s\n", HELP_INDENT, kind, row->help);
    }
    g_string_append(text, "\nCOLUMN is a name of --measure list. Quantities fall (counts, times, bytes); what\n"
                          "rows are about rises (names, lines, processors). NAME:up and NAME:down say\n"
                          "otherwise.\n\n");
}

/* Return the text that --help prints below the options; to be freed. @param all  --help-all */
static char *describe(gboolean all)
{
    GString *text = g_string_new(NULL);
    if (all)
        describe_words(text);
    else
        g_string_append(text, "--help-all shows all options, with the words that they take.\n\n");
    g_string_append(text, "Examples:\n"
                          "  hiera-transform . --measure profile,hotspots --level app\n"
                          "  hiera-transform . --measure profile --sort exclusive --top 10\n"
                          "  hiera-transform run1 --html report.html\n"
                          "  hiera-transform before after --measure diff\n\n"
                          "Exit status: 0 good, 1 a check failed, 2 wrong use, 3 unreadable input.");
    return g_string_free(text, FALSE);
}

enum { RARE = G_OPTION_FLAG_HIDDEN }; /* flag of options that only --help-all shows */

static gboolean split(Options *options, Words *words, int argc, char **argv, GError **error)
{
    GOptionEntry entries[] = {
        {"measure", 'm', 0, G_OPTION_ARG_STRING, &words->measure, "measures; 'list' explains them", "NAME,…"},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &words->format, "table, csv, json, brief, junit, sarif", "FORMAT"},
        {"references", 0, RARE, G_OPTION_ARG_NONE, &options->references, "json: say what the numbers are", NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "write to FILE (default: standard output)", "FILE"},
        {"ranks", 0, 0, G_OPTION_ARG_STRING, &words->ranks, "only these ranks, for example 0-3,8", "LIST"},
        {"level", 0, 0, G_OPTION_ARG_STRING, &options->level, "only operations of this level", "NAME"},
        {"depth", 0, RARE, G_OPTION_ARG_STRING, &words->depth, "only operations at this depth", "N"},
        {"from", 0, 0, G_OPTION_ARG_STRING, &words->from, "only from S seconds on", "S"},
        {"to", 0, 0, G_OPTION_ARG_STRING, &words->to, "only before S seconds", "S"},
        {"where", 0, 0, G_OPTION_ARG_STRING, &words->where, "only operations for which EXPR is true", "EXPR"},
        {"by", 0, 0, G_OPTION_ARG_STRING, &options->by, "what rows are about (see --measure list)", "WORD"},
        {"bins", 0, RARE, G_OPTION_ARG_STRING, &words->bins, "how many bins a measure with bins shows", "N"},
        {"fail-above", 0, RARE, G_OPTION_ARG_STRING, &words->fail_above, "diff: exit status 1 if slower by more",
         "PERCENT"},
        {"scaling", 0, RARE, G_OPTION_ARG_STRING, &words->scaling, "efficiency of runs: who shares the work",
         "strong|weak"},
        {"thresholds", 0, RARE, G_OPTION_ARG_STRING, &options->thresholds, "from which share on it is a bottleneck",
         "NAME=PERCENT,…"},
        {"counters", 0, RARE, G_OPTION_ARG_STRING, &words->counters, "profile, statistics: what they counted",
         "NAME,…"},
        {"columns", 0, RARE, G_OPTION_ARG_STRING, &words->columns, "only these columns, in this order", "NAME,…"},
        {"sort", 0, 0, G_OPTION_ARG_STRING, &words->sort, "sort the rows by this column", "COLUMN[:up|:down]"},
        {"top", 0, 0, G_OPTION_ARG_STRING, &words->top, "only the first N rows of each table", "N"},
        {"assert", 0, 0, G_OPTION_ARG_FILENAME, &words->rules, "check rules: exit status 1 if one fails", "FILE"},
        {"reports", 0, RARE, G_OPTION_ARG_FILENAME, &options->reports, "of rules that the program checked itself",
         "DIR"},
        {"baseline", 0, RARE, G_OPTION_ARG_FILENAME, &options->baseline, "a kept run that rules compare with", "RUN"},
        {"estimate", 0, RARE, G_OPTION_ARG_NONE, &options->estimate, "write limits for the rules of --assert", NULL},
        {"probe", 0, 0, G_OPTION_ARG_FILENAME, &words->probe, "run a probe script on the events", "FILE|SCRIPT|NAME"},
        {"validate", 0, 0, G_OPTION_ARG_NONE, &options->validate, "check by MPI's rules (--explain list)", NULL},
        {"explain", 0, RARE, G_OPTION_ARG_STRING, &options->explain, "explain a rule of --validate; 'list': all",
         "RULE"},
        {"suppress", 0, RARE, G_OPTION_ARG_FILENAME, &words->suppress, "findings that are known, with reasons", "FILE"},
        {"fail-on", 0, RARE, G_OPTION_ARG_STRING, &words->fail_on, "from which severity on --validate fails",
         "error|warning"},
        {"html", 0, 0, G_OPTION_ARG_FILENAME, &options->html, "write one page for the browser", "FILE"},
        {"serve", 0, 0, G_OPTION_ARG_STRING, &options->serve, "serve the page (alone: to this host)", "ADDR:PORT"},
        {"export", 0, 0, G_OPTION_ARG_FILENAME, &words->export, "write the graph or convert the traces", "KIND:PATH"},
        {"live", 0, 0, G_OPTION_ARG_NONE, &options->live, "a job that runs, with its last calls", NULL},
        {"recover", 0, RARE, G_OPTION_ARG_FILENAME, &options->recover, "complete traces of killed ranks", "DIR"},
        {"limits", 0, RARE, G_OPTION_ARG_STRING, &words->limits, "limits of memory for hostile files", "NAME=N,…"},
        {"threads", 0, RARE, G_OPTION_ARG_STRING, &words->threads, "how many (default: one per processor)", "N"},
        {"quiet", 'q', RARE, G_OPTION_ARG_NONE, &options->quiet, "no notes, no warnings, no progress", NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->version, "print the version", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->arguments, NULL, "TRACE…"},
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_set_summary(context, "Answer questions about traces of MPI programs. TRACE is a trace file, a\n"
                                          "container of traces, a hieraCollector.xml, a folder of traces, or an OTF2\n"
                                          "archive.");
    g_autofree char *description = describe(hiera_options_show_all(entries, argc, argv));
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    return hiera_options_check_once(entries, argc, argv, error) && g_option_context_parse(context, &argc, &argv, error);
}

/* Return how many words of the command line an option takes that an answer in brief leaves out of its command; 0: none.
 */
static int count_left_out(const char *word)
{
    static const char *const names[] = {"--measure", "-m", "--format", "-f", "--output", "-o"};
    if (strcmp(word, "--quiet") == 0 || strcmp(word, "-q") == 0)
        return 1;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        gsize length = strlen(names[i]);
        if (strncmp(word, names[i], length) == 0 && (word[length] == '\0' || word[length] == '=' || length == 2))
            return word[length] == '\0' ? 2 : 1;
    }
    return 0;
}

/* Return what the user typed, as for a shell, without the form of the answer; to be freed. */
static char *repeat_command(int argc, char **argv)
{
    GString *command = g_string_new("hiera-transform");
    for (int i = 1, n; i < argc; i += MAX(n, 1)) {
        n = count_left_out(argv[i]);
        g_autofree char *quoted = g_shell_quote(argv[i]);
        if (n == 0)
            g_string_append_printf(command, " %s", strpbrk(argv[i], " \t\"'$&|<>()*?[]\\;") ? quoted : argv[i]);
    }
    return g_string_free(command, FALSE);
}

Options *options_parse(int argc, char **argv, GError **error)
{
    g_autoptr(Options) options = g_new0(Options, 1);
    Words words = {0};
    options->command = repeat_command(argc, argv);
    options->measures = g_ptr_array_new();
    gboolean good = split(options, &words, argc, argv, error) && set_options(options, &words, error);
    const char *measure = options->rules || options->reports ? "assertions" : DEFAULT_MEASURE;
    options->measure = g_strconcat("--measure ", words.measure ? words.measure : measure, NULL);
    char *const all[] = {words.measure,  words.format,     words.ranks,   words.depth,   words.from,   words.to,
                         words.export,   words.columns,    words.sort,    words.top,     words.limits, words.bins,
                         words.where,    words.fail_above, words.scaling, words.threads, words.rules,  words.probe,
                         words.counters, words.fail_on,    words.suppress};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
    return good ? g_steal_pointer(&options) : NULL;
}

void options_write_tables(const Options *options, HieraTable *const *tables, guint n_tables,
                          const HieraFindings *findings, FILE *stream)
{
    const HieraBriefCommand evidence = {options->command, options->measure};
    if (options->format == HIERA_FORMAT_BRIEF)
        hiera_tables_write_brief(tables, n_tables, &evidence, findings, stream);
    else
        hiera_tables_write(tables, n_tables, options->format, findings, stream);
}

Options options_of_measures(const Options *options, GPtrArray *measures)
{
    Options asks = *options;
    asks.measures = measures;
    asks.html = asks.serve = NULL;
    asks.export = NULL;
    asks.validate = asks.sarif = FALSE;
    asks.suppressions = NULL;
    asks.quiet = TRUE;
    asks.scope.options.by = NULL;
    asks.scope.options.bins = 0;
    asks.scope.options.counters = NULL;
    return asks;
}

void options_free(Options *options)
{
    if (!options)
        return;
    g_ptr_array_unref(options->measures);
    measure_counters_free(options->counters);
    hiera_ranks_free(options->ranks);
    g_free(options->output);
    g_free(options->html);
    g_free(options->recover);
    g_free(options->serve);
    g_free(options->export_to);
    g_free(options->command);
    g_free(options->measure);
    g_free(options->part);
    g_free(options->level);
    g_free(options->by);
    g_free(options->thresholds);
    g_free(options->reports);
    g_free(options->baseline);
    g_free(options->explain);
    suppressions_free(options->suppressions);
    where_free(options->where);
    hiera_rules_free(options->rules);
    hiera_rule_values_free(options->values);
    hiera_probe_script_free(options->probe);
    shape_clear(&options->shape);
    g_strfreev(options->arguments);
    g_free(options);
}
