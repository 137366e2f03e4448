#include "scaling.h"
#include "scaling_fits.h"
#include "scaling_texts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smallest share of the run's time for which a table has a row. */
#define SEEN 0.0005

typedef struct {
    const ScalingParts *parts;
    const ScalingRequest *request;
    FittedPart *fitted; /* n_fitted parts of the runs, each with the laws of its quantities */
    guint n_fitted;
    gdouble ranks;     /* number of ranks for which the table of parts is made: the last requested one */
    GPtrArray *places; /* ScalingPlaces: ranks on hosts, by requested number of ranks; empty: no --mapping */
} Scaling;

gboolean scaling_read_ranks(const char *text, GArray *ranks, GError **error)
{
    g_auto(GStrv) words = g_strsplit(*text ? text : ",", ",", -1);
    for (char **word = words; *word; word++) {
        guint64 number;
        if (!g_ascii_string_to_unsigned(*word, 10, 1, SCALING_MOST_RANKS, &number, NULL)) {
            g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                        "--ranks '%s' is no number of ranks, or several with commas between them", text);
            return FALSE;
        }
        guint32 added = (guint32)number;
        g_array_append_val(ranks, added);
    }
    return TRUE;
}

/* Return the networks for a prediction. @param index  which of the requested numbers of ranks */
static ScalingMachine make_machine(const Scaling *of, guint index)
{
    return (ScalingMachine){.between = &of->request->network,
                            .inside = &of->request->inside,
                            .places = of->places->len > 0 ? g_ptr_array_index(of->places, index) : NULL};
}

static gdouble sum_ns(const Scaling *of, const ScalingMachine *machine, gdouble ranks, gdouble shares, RangeEnd end,
                      gdouble *by_kind)
{
    gdouble sum = 0;
    for (guint i = 0; i < of->n_fitted; i++) {
        gdouble ns = fitted_part_ns(&of->fitted[i], machine, ranks, shares, end);
        if (by_kind)
            by_kind[of->fitted[i].part->kind] += ns;
        sum += ns;
    }
    return sum;
}

static gint64 whole(gdouble ns)
{
    return llround(CLAMP(ns, -9e18, 9e18));
}

/* Return part / all in hundredths of a percent; 0 if `all` is 0. */
static gint64 percent_of(gdouble part, gdouble all)
{
    return all > 0 ? llround(CLAMP(part / all * 10000, -1e15, 1e15)) : 0;
}

/* --- tables of the answer --- */

/* @param recorded  the runs without changes, for the columns that compare; NULL: there are no changes */
static HieraTable *make_times(const Scaling *of, const Scaling *recorded)
{
    static const HieraColumn columns[] = {
        {"ranks", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},          {"predicted", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
        {"low", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},         {"high", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
        {"computation", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"messages", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
        {"collectives", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
        {"other_calls", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"unchanged", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
        {"change", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER}};
    HieraTable *table = hiera_table_new("time", columns, G_N_ELEMENTS(columns) - (recorded ? 0 : 2));
    for (guint i = 0; i < of->request->ranks->len; i++) {
        guint32 ranks = g_array_index(of->request->ranks, guint32, i);
        const ScalingMachine machine = make_machine(of, i);
        gdouble by_kind[PART_N_KINDS] = {0}, ns = sum_ns(of, &machine, ranks, ranks, PREDICTED, by_kind);
        gdouble unchanged = recorded ? sum_ns(recorded, &machine, ranks, ranks, PREDICTED, NULL) : 0;
        const HieraCell cells[] = {{.number = ranks},
                                   {.number = whole(ns)},
                                   {.number = whole(sum_ns(of, &machine, ranks, ranks, LOW, NULL))},
                                   {.number = whole(sum_ns(of, &machine, ranks, ranks, HIGH, NULL))},
                                   {.number = whole(by_kind[PART_COMPUTATION])},
                                   {.number = whole(by_kind[PART_MESSAGES])},
                                   {.number = whole(by_kind[PART_COLLECTIVES])},
                                   {.number = whole(by_kind[PART_WAITING])},
                                   {.number = whole(by_kind[PART_OTHERS])},
                                   {.number = whole(unchanged)},
                                   {.number = percent_of(ns - unchanged, unchanged)}};
        hiera_table_add(table, cells);
    }
    return table;
}

/* Make the table that compares each recorded run with its prediction by the laws, for the slowest rank. */
static HieraTable *make_check(const Scaling *of)
{
    static const HieraColumn columns[] = {{"run", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                          {"ranks", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                          {"recorded", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
                                          {"fitted", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
                                          {"difference", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
                                          {"recorded_compute", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
                                          {"fitted_compute", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
                                          {"recorded_mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
                                          {"fitted_mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}};
    HieraTable *table = hiera_table_new("check", columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < of->parts->runs->len; i++) {
        const PartRun *run = &g_array_index(of->parts->runs, PartRun, i);
        const ScalingMachine machine = {.between = &of->request->network, .inside = &of->request->inside, .run = i};
        gdouble by_kind[PART_N_KINDS] = {0}, fitted = sum_ns(of, &machine, run->ranks, run->shares, PREDICTED, by_kind);
        gdouble recorded = (gdouble)run->time_ns;
        const HieraCell cells[] = {{.text = hiera_table_keep(table, run->name)},
                                   {.number = run->ranks},
                                   {.number = run->time_ns},
                                   {.number = whole(fitted)},
                                   {.number = percent_of(fitted - recorded, recorded)},
                                   {.number = whole(run->computed_ns)},
                                   {.number = whole(by_kind[PART_COMPUTATION])},
                                   {.number = whole(run->mpi_ns)},
                                   {.number = whole(fitted - by_kind[PART_COMPUTATION])}};
        hiera_table_add(table, cells);
    }
    return table;
}

static gboolean is_seen(const Scaling *of, const FittedPart *fitted, gdouble all_ns)
{
    return of->request->all || fitted->ns[HIGH] > SEEN * all_ns;
}

/* Return the largest residual among the laws of a part's quantities. */
static gdouble residual_of(const FittedPart *fitted)
{
    gdouble most = 0;
    for (guint i = 0; part_peek_quantity(fitted->part->kind, i); i++)
        most = MAX(most, fitted->fits[i][OF_SLOWEST].law.residual);
    return most;
}

static HieraTable *make_parts(const Scaling *of, gdouble all_ns)
{
    static const HieraColumn columns[] = {{"kind", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                          {"part", HIERA_CELL_CALLERS, HIERA_ROLE_KEY},
                                          {"predicted", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
                                          {"share", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
                                          {"low", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
                                          {"high", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
                                          {"residual", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
                                          {"law", HIERA_CELL_SENTENCE, HIERA_ROLE_ANSWER}};
    HieraTable *table = hiera_table_new("parts", columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < of->n_fitted; i++) {
        const FittedPart *fitted = &of->fitted[i];
        if (!is_seen(of, fitted, all_ns))
            continue;
        g_autofree char *law = scaling_part_text(fitted);
        const HieraCell cells[] = {{.text = part_kind_name(fitted->part->kind)},
                                   {.text = hiera_table_keep(table, fitted->part->path)},
                                   {.number = whole(fitted->ns[PREDICTED])},
                                   {.number = percent_of(fitted->ns[PREDICTED], all_ns)},
                                   {.number = whole(fitted->ns[LOW])},
                                   {.number = whole(fitted->ns[HIGH])},
                                   {.number = percent_of(residual_of(fitted), 1)},
                                   {.text = hiera_table_keep(table, law)}};
        hiera_table_add(table, cells);
    }
    return table;
}

static const char *keep_value(HieraTable *table, gdouble value, PartUnit unit)
{
    g_autofree char *text = scaling_value_text(value, unit);
    return hiera_table_keep(table, text);
}

static void add_fit(const Scaling *of, const FittedPart *fitted, guint quantity, PartOf whose, HieraTable *table)
{
    static const char *const whose_names[] = {"slowest rank", "mean", "maximum"};
    const PartQuantity *what = part_peek_quantity(fitted->part->kind, quantity);
    const LawFit *fit = &fitted->fits[quantity][whose];
    gboolean two = law_form_count_parameters(fit->law.form) == 2;
    gdouble low, high;
    law_fit_range(fit, of->ranks, &low, &high);
    const HieraCell cells[] = {{.text = part_kind_name(fitted->part->kind)},
                               {.text = hiera_table_keep(table, fitted->part->path)},
                               {.text = what->name},
                               {.text = whose_names[whose]},
                               {.text = law_form_name(fit->law.form)},
                               {.text = keep_value(table, fit->law.a, what->unit)},
                               {.text = two ? keep_value(table, fit->law.b, what->unit) : ""},
                               {.number = percent_of(fit->law.residual, 1)},
                               {.text = keep_value(table, law_value(&fit->law, of->ranks), what->unit)},
                               {.text = keep_value(table, low, what->unit)},
                               {.text = keep_value(table, high, what->unit)}};
    hiera_table_add(table, cells);
}

static HieraTable *make_fits(const Scaling *of)
{
    static const HieraColumn columns[] = {
        {"kind", HIERA_CELL_TEXT, HIERA_ROLE_KEY},           {"part", HIERA_CELL_CALLERS, HIERA_ROLE_KEY},
        {"quantity", HIERA_CELL_TEXT, HIERA_ROLE_KEY},       {"of", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
        {"form", HIERA_CELL_TEXT, HIERA_ROLE_ANSWER},        {"a", HIERA_CELL_FIGURE, HIERA_ROLE_ANSWER},
        {"b", HIERA_CELL_FIGURE, HIERA_ROLE_ANSWER},         {"residual", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
        {"predicted", HIERA_CELL_FIGURE, HIERA_ROLE_ANSWER}, {"low", HIERA_CELL_FIGURE, HIERA_ROLE_ANSWER},
        {"high", HIERA_CELL_FIGURE, HIERA_ROLE_ANSWER}};
    HieraTable *table = hiera_table_new("fits", columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < of->n_fitted; i++) {
        const FittedPart *fitted = &of->fitted[i];
        for (guint j = 0; part_peek_quantity(fitted->part->kind, j); j++) {
            for (PartOf whose = 0; whose < N_OF; whose++)
                add_fit(of, fitted, j, whose, table);
        }
    }
    return table;
}

/* --- making the answer --- */

static guint count_ranks(const GArray *runs)
{
    guint different = 0;
    for (guint i = 0; i < runs->len; i++) {
        gboolean is_new = TRUE;
        for (guint j = 0; j < i; j++)
            is_new &= g_array_index(runs, PartRun, j).ranks != g_array_index(runs, PartRun, i).ranks;
        different += is_new;
    }
    return different;
}

/* Check that runs on one number of ranks come with assumptions (--scaling), and runs on several without. */
static gboolean check_runs(const GArray *runs, const ScalingAssumed *assumed, GError **error)
{
    gboolean several = count_ranks(runs) > 1, fitted = assumed->kind == SCALING_FITTED;
    if (!several && fitted)
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                            "scale needs runs with at least two different numbers of ranks; name a folder of each, "
                            "or say how the run scales: --scaling strong or weak");
    if (several && !fitted)
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                            "--scaling is for runs on one number of ranks; those on several tell how they scale");
    return several == fitted;
}

static void note_changes(gboolean mapped, gboolean changed, GPtrArray *notes)
{
    static const char *const of_changes[] = {
        "what is computed where a rule of --speed holds, and messages where one of --message-size does, are changed in "
        "each recorded run, and then fitted; check is of the runs as recorded",
        "waiting becomes longer or shorter by what simulations of each recorded run with and without the changes "
        "differ "
        "by, on this network"};
    static const char *const of_places[] = {"how many ranks apart those are that exchange messages is fitted, too; as "
                                            "many of these messages stay inside of a "
                                            "host as pairs of ranks so far apart do, by --mapping",
                                            "collectives of all ranks are between hosts, and so are those of others, "
                                            "unless low: there they are inside of a "
                                            "host if it has room for their members"};
    for (guint i = 0; changed && i < G_N_ELEMENTS(of_changes); i++)
        g_ptr_array_add(notes, g_strdup(of_changes[i]));
    for (guint i = 0; mapped && i < G_N_ELEMENTS(of_places); i++)
        g_ptr_array_add(notes, g_strdup(of_places[i]));
}

static void note_assumptions(const GArray *runs, const ScalingRequest *request, gboolean changed, GPtrArray *notes)
{
    const ScalingAssumed *given = request->assumed;
    static const char *const fitted = "what the runs change with their ranks (strong or weak scaling) goes on in the "
                                      "same way: the fits tell which";
    static const char *const assumed[] = {
        "each quantity follows one form over all numbers of ranks; caches, algorithms and places that change are not "
        "foreseen",
        "the rank that computes longest is representative: the time is that of its computation, MPI and waiting",
        "no message or collective is hidden behind computation, and none waits for links that others use",
        "messages and collectives cost what the network says, not what was recorded; collectives by their one-step "
        "formula",
        "a range is the spread of forms that fit as well and of fits without one run; that of the time has all parts "
        "at the same end"};
    if (count_ranks(runs) == 2)
        g_ptr_array_add(notes, g_strdup("two numbers of ranks check one parameter only: forms with two go exactly "
                                        "through both, so ranges are wide; record a third one"));
    for (guint i = 0; i < runs->len; i++) {
        if (g_array_index(runs, PartRun, i).ranks == 1)
            g_ptr_array_add(notes, g_strdup_printf("%s: one rank says nothing of messages and waiting",
                                                   g_array_index(runs, PartRun, i).name));
    }
    if (given->kind == SCALING_FITTED)
        g_ptr_array_add(notes, g_strdup(fitted));
    else
        scaling_assumed_note(given, runs, notes);
    for (guint i = 0; i < G_N_ELEMENTS(assumed); i++)
        g_ptr_array_add(notes, g_strdup(assumed[i]));
    note_changes(request->mapping != NULL, changed, notes);
}

static int compare_parts(const void *a, const void *b)
{
    const FittedPart *one = a, *other = b;
    if (one->ns[PREDICTED] != other->ns[PREDICTED])
        return one->ns[PREDICTED] < other->ns[PREDICTED] ? 1 : -1;
    return one->part->kind != other->part->kind ? (int)one->part->kind - (int)other->part->kind
                                                : strcmp(one->part->path, other->part->path);
}

static void fit_all(Scaling *of)
{
    const ScalingMachine machine = make_machine(of, of->request->ranks->len - 1);
    of->n_fitted = of->parts->parts->len;
    of->fitted = g_new0(FittedPart, of->n_fitted + 1);
    for (guint i = 0; i < of->n_fitted; i++) {
        FittedPart *fitted = &of->fitted[i];
        fitted_part_init(fitted, of->parts, g_ptr_array_index(of->parts->parts, i), of->request->assumed);
        for (RangeEnd end = 0; end < N_ENDS; end++)
            fitted->ns[end] = fitted_part_ns(fitted, &machine, of->ranks, of->ranks, end);
    }
    qsort(of->fitted, of->n_fitted, sizeof(FittedPart), compare_parts);
}

static void clear_fits(Scaling *of)
{
    for (guint i = 0; i < of->n_fitted; i++)
        fitted_part_clear(&of->fitted[i]);
    g_free(of->fitted);
}

static GPtrArray *make_all(const Scaling *of, const Scaling *recorded, gboolean changed)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    const ScalingMachine machine = make_machine(of, of->request->ranks->len - 1);
    g_ptr_array_add(tables, make_times(of, changed ? recorded : NULL));
    g_ptr_array_add(tables, make_check(recorded));
    g_ptr_array_add(tables, make_parts(of, sum_ns(of, &machine, of->ranks, of->ranks, PREDICTED, NULL)));
    if (of->request->all)
        g_ptr_array_add(tables, make_fits(of));
    return tables;
}

/* Place the ranks on hosts by --mapping, for each requested number of ranks. @param places  receives ScalingPlaces */
static gboolean find_places(const ScalingRequest *request, GPtrArray *places, GError **error)
{
    for (guint i = 0; request->mapping && i < request->ranks->len; i++) {
        ScalingPlaces *of = scaling_places_new(request->mapping, g_array_index(request->ranks, guint32, i), error);
        if (!of)
            return FALSE;
        g_ptr_array_add(places, of);
    }
    return TRUE;
}

GPtrArray *scaling_make_tables(const ScalingParts *parts, const ScalingParts *changed, const ScalingRequest *request,
                               GPtrArray *notes, GError **error)
{
    g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func((GDestroyNotify)scaling_places_free);
    if (!check_runs(parts->runs, request->assumed, error) || !find_places(request, places, error))
        return NULL;
    gdouble ranks = g_array_index(request->ranks, guint32, request->ranks->len - 1);
    Scaling recorded = {.parts = parts, .request = request, .ranks = ranks, .places = places};
    Scaling of = recorded;
    of.parts = changed ? changed : parts;
    fit_all(&recorded);
    fit_all(&of);
    GPtrArray *tables = make_all(&of, &recorded, changed != NULL);
    note_assumptions(parts->runs, request, changed != NULL, notes);
    clear_fits(&recorded);
    clear_fits(&of);
    return tables;
}
