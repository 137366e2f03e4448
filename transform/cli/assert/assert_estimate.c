/* --estimate: see assert_runs.h.
 *
 * Idea: where `${NAME}` has no value, each evaluation of a rule yields the limit at which its comparison changes
 * between true and false. A run needs the outermost of these limits; the spread over several runs gives the margin. */
#include "assert_runs.h"
#include "assertions/assertions.h"
#include "base/findings.h"
#include "base/output_file.h"
#include "cli/options/report.h"
#include "cli/run/run.h"
#include "measures.h"
#include "parallel/parallel.h"
#include "trace/pack_process.h"
#include <math.h>
#include <string.h>

enum { DEVIATIONS = 3, DIGITS = 3 };

/* Values that one `${NAME}` needs so that a rule holds in all its evaluations on one run. */
typedef struct {
    double least, most;
    guint64 sides; /* bit set of HieraTurn.side; 0: no evaluation yet, and the other members are not set */
    gint64 strict;
} Need;

/* Values that one `${NAME}` needs in all runs. */
typedef struct {
    Need run;         /* values needed in the run that is being read */
    guint64 sides;    /* bit set of HieraTurn.side over all runs */
    gboolean strict;  /* whether Need.strict is set for at least one run */
    GArray *needs;    /* double: the value that each run needs, for runs that need one */
    gboolean differs; /* whether evaluations or runs need different values: a fault if the value has to be exact */
    GString *places;  /* positions of the rules that use the `${NAME}`, as "FILE:LINE, …" */
} Limit;

typedef struct {
    const Options *options;
    GMutex lock;
    Limit *limits;
    guint n;
    gboolean incomplete; /* whether a trace that the user has named could not be read */
} Estimate;

/* --- values that rules need on each run --- */

static void note_rule(Limit *limit, const HieraRule *rule)
{
    g_string_append_printf(limit->places, "%s%s:%u", limit->places->len > 0 ? ", " : "", rule->source, rule->line);
}

static void add_need(Need *to, const Need *need)
{
    if (need->sides == 0)
        return;
    to->least = to->sides ? fmin(to->least, need->least) : need->least;
    to->most = to->sides ? fmax(to->most, need->most) : need->most;
    to->sides |= need->sides;
    to->strict |= need->strict;
}

/* Forget the values that the current run needs, because a run begins, or is read again. */
static void begin_run(void *user)
{
    const Estimate *all = user;
    for (guint i = 0; i < all->n; i++)
        all->limits[i].run = (Need){0};
}

static void see(void *user, const HieraRule *rule, const HieraEvaluation *evaluation)
{
    Estimate *all = user;
    HieraTurn turn;
    if (rule->n_limits != 1 || !hiera_rule_find_turn(all->options->rules, rule, evaluation, &turn))
        return;
    const Need need = {turn.at, turn.at, 1 << turn.side, turn.strict};
    g_mutex_lock(&all->lock);
    add_need(&all->limits[rule->limit].run, &need);
    g_mutex_unlock(&all->lock);
}

/* Return the side of the needed values on which the limit has to be. If there are several sides no limit exists, and
 * any is returned. */
static int side_of(guint64 sides)
{
    return g_bit_nth_lsf(sides, -1);
}

/* Add the values that the current run needs to those of all runs. */
static void end_run(Estimate *all)
{
    for (guint i = 0; i < all->n; i++) {
        Limit *limit = &all->limits[i];
        const Need *run = &limit->run;
        if (run->sides == 0)
            continue;
        double need = side_of(run->sides) == HIERA_TURN_AT_MOST ? run->least : run->most;
        limit->differs = limit->differs || run->least != run->most ||
                         (limit->needs->len > 0 && g_array_index(limit->needs, double, 0) != need);
        g_array_append_val(limit->needs, need);
        limit->sides |= run->sides;
        limit->strict = limit->strict || run->strict;
    }
}

/* --- needed values of several processes go to process 0 --- */

static void send_needs(const Estimate *all)
{
    HieraPacker *packer = hiera_packer_to(0);
    for (guint i = 0; i < all->n; i++)
        hiera_pack_bytes(packer, &all->limits[i].run, sizeof(Need));
    hiera_packer_end(packer);
}

static void receive_needs(const Estimate *all, guint process)
{
    HieraUnpacker *unpacker = hiera_unpacker_from(process, NULL); /* NULL: the data contain no texts */
    for (guint i = 0; i < all->n; i++) {
        Need need;
        hiera_unpack_bytes(unpacker, &need, sizeof need);
        add_need(&all->limits[i].run, &need);
    }
    hiera_unpacker_free(unpacker);
}

/* Send the values that the run needs to process 0. Each process has evaluated the rules for its own ranks. */
static void gather(const Estimate *all)
{
    hiera_parallel_agree(TRUE); /* if process 0 could not read the run, all others end in this call */
    if (!hiera_parallel_leads())
        send_needs(all);
    for (guint i = 1; hiera_parallel_leads() && i < hiera_parallel_size(); i++)
        receive_needs(all, i);
}

/* --- from needed values to limits --- */

typedef struct {
    double mean, deviation, least, most;
} Spread;

static Spread spread_of(const GArray *needs)
{
    Spread spread = {.least = INFINITY, .most = -INFINITY};
    double squares = 0;
    for (guint i = 0; i < needs->len; i++) {
        double need = g_array_index(needs, double, i);
        spread.mean += need / needs->len;
        spread.least = fmin(spread.least, need);
        spread.most = fmax(spread.most, need);
    }
    for (guint i = 0; i < needs->len; i++)
        squares += pow(g_array_index(needs, double, i) - spread.mean, 2);
    spread.deviation = needs->len > 1 ? sqrt(squares / (needs->len - 1)) : 0;
    return spread;
}

/* Round up to the next number with DIGITS digits. @param strict  the result must not be equal to `number` */
static double round_up(double number, gboolean strict)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.2e", number);
    double rounded = g_ascii_strtod(text, NULL);
    double step = number == 0 ? 0.001 : pow(10, floor(log10(fabs(number))) + 1 - DIGITS);
    if (rounded < number || (strict && rounded == number))
        rounded += step;
    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.2e", rounded), NULL);
}

static double limit_of(const Limit *limit, const Spread *spread)
{
    if (side_of(limit->sides) == HIERA_TURN_EXACTLY)
        return spread->most;
    if (side_of(limit->sides) == HIERA_TURN_AT_LEAST)
        return round_up(fmax(spread->mean + DEVIATIONS * spread->deviation, spread->most), limit->strict);
    return -round_up(fmax(-spread->mean + DEVIATIONS * spread->deviation, -spread->least), limit->strict);
}

/* --- the file of limits --- */

static void put_number(FILE *stream, const char *before, double number, const char *format)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    fprintf(stream, "%s%s", before, g_ascii_formatd(text, sizeof text, format, number));
}

/* Write a number with as few digits as represent it exactly. */
static void put_exactly(FILE *stream, const char *name, double number)
{
    char format[] = "%.00g", text[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint digits = DIGITS; digits <= 17; digits++) {
        g_snprintf(format, sizeof format, "%%.%ug", digits);
        if (g_ascii_strtod(g_ascii_formatd(text, sizeof text, format, number), NULL) == number)
            break;
    }
    fprintf(stream, "%s = %s", name, text);
}

/* Return why no limit can be written for a `${NAME}`; NULL: one can be written. */
static const char *find_fault(const Limit *limit)
{
    if (limit->sides == 0)
        return "no run tells it: its rule has to be one comparison, which changes evenly with it";
    if (limit->sides != 1U << side_of(limit->sides))
        return "one rule needs it large, another one small";
    return side_of(limit->sides) == HIERA_TURN_EXACTLY && limit->differs ? "it differs" : NULL;
}

static void write_limit(const Limit *limit, const char *name, FILE *stream)
{
    static const char *const sides[] = {"upper limit", "lower limit", "exact value"};
    const char *fault = find_fault(limit);
    Spread spread = spread_of(limit->needs);
    if (fault)
        fprintf(stream, "# %s: %s", name, fault);
    else
        put_exactly(stream, name, limit_of(limit, &spread));
    if (!fault)
        fprintf(stream, "  # %s", sides[side_of(limit->sides)]);
    if (limit->needs->len > 0) {
        put_number(stream, ": mean ", spread.mean, "%.4g");
        put_number(stream, ", deviation ", spread.deviation, "%.4g");
        put_number(stream, ", from ", spread.least, "%.4g");
        put_number(stream, " to ", spread.most, "%.4g");
    }
    fprintf(stream, "; %s\n", limit->places->str);
}

static gboolean write_limits(const Estimate *all, guint n_runs, GError **error)
{
    guint n;
    HieraOutputFile output;
    const char *const *names = hiera_rules_peek_limits(all->options->rules, &n);
    if (!hiera_output_file_open(&output, all->options->output, error))
        return FALSE;
    fprintf(output.stream,
            "# Limits that %u run%s need%s, as the file of HIERA_VALUES has them. Each is the mean of what the runs "
            "need and\n"
            "# %d standard deviations more, so that the rules hold in all of them. Times are in nanoseconds.\n",
            n_runs, n_runs == 1 ? "" : "s", n_runs == 1 ? "s" : "", DEVIATIONS);
    for (guint i = 0; i < n; i++)
        write_limit(&all->limits[i], names[i], output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}

/* --- reading the runs --- */

static void count_run(const GPtrArray *tables, const HieraCatalog *catalog, gpointer n_runs)
{
    (void)tables, (void)catalog;
    ++*(guint *)n_runs;
}

static gboolean read_run(Estimate *all, const HieraRunPaths *paths, guint *n_runs, GError **error)
{
    g_autoptr(GPtrArray) measures = g_ptr_array_new();
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    g_ptr_array_add(measures, (gpointer)&hiera_measure_assertions);
    for (guint i = 0; i < paths->paths->len; i++)
        g_ptr_array_add(arguments, g_ptr_array_index(paths->paths, i));
    g_ptr_array_add(arguments, NULL);
    Options asks = options_of_measures(all->options, measures);
    asks.arguments = (char **)arguments->pdata;
    gboolean good = run_tables(&asks, TRUE, count_run, n_runs, error);
    if (good)
        gather(all);
    end_run(all);
    return good;
}

static gboolean read_runs(Estimate *all, guint *n_runs, GError **error)
{
    gboolean good = TRUE;
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(GPtrArray) runs = hiera_run_paths_expand((const char *const *)all->options->arguments, findings);
    report_findings(findings, SAID_NOTHING, all->options->quiet);
    all->incomplete = hiera_findings_unreadable(findings);
    hiera_rules_watch(all->options->rules, &(HieraRuleWatch){begin_run, see, all});
    for (guint i = 0; good && i < runs->len; i++)
        good = read_run(all, g_ptr_array_index(runs, i), n_runs, error);
    hiera_rules_watch(all->options->rules, NULL);
    all->incomplete = all->incomplete || *n_runs < runs->len;
    return good;
}

static void estimate_init(Estimate *all, const Options *options)
{
    guint n_rules;
    const HieraRule *rules = hiera_rules_peek(options->rules, &n_rules);
    *all = (Estimate){.options = options};
    hiera_rules_peek_limits(options->rules, &all->n);
    all->limits = g_new0(Limit, all->n);
    g_mutex_init(&all->lock);
    for (guint i = 0; i < all->n; i++) {
        all->limits[i].needs = g_array_new(FALSE, FALSE, sizeof(double));
        all->limits[i].places = g_string_new(NULL);
    }
    for (guint i = 0; i < n_rules; i++) {
        if (rules[i].n_limits > 0)
            note_rule(&all->limits[rules[i].limit], &rules[i]);
    }
}

static void estimate_clear(Estimate *all)
{
    for (guint i = 0; i < all->n; i++) {
        g_array_unref(all->limits[i].needs);
        g_string_free(all->limits[i].places, TRUE);
    }
    g_free(all->limits);
    g_mutex_clear(&all->lock);
}

int assert_runs_estimate(const Options *options)
{
    g_autoptr(GError) error = NULL;
    guint n_runs = 0;
    Estimate all;
    estimate_init(&all, options);
    gboolean good =
        read_runs(&all, &n_runs, &error) && n_runs > 0 && write_limits(&all, n_runs, &error) && !all.incomplete;
    estimate_clear(&all);
    if (error)
        report_message(error->message);
    return good ? EXIT_GOOD : error ? EXIT_WRONG_USE : EXIT_UNREADABLE;
}
