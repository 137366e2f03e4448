/* See assert_values.h. The measures are computed before the rules are judged; the traces are read an extra time for
 * them. */
#include "assert_values.h"
#include "cli/options/assert_measures.h"
#include "cli/options/report.h"
#include "cli/run/run.h"
#include "parallel/parallel.h"
#include "report/table.h"
#include <string.h>

/* --- table rows that a rule chooses --- */

/* Return the text of a table cell as CSV shows it; to be freed. */
static char *text_of(const HieraColumn *column, const HieraCell *cell)
{
    char number[HIERA_NUMBER_BYTES];
    const char *text = cell->text;
    if (!hiera_cell_is_text(column)) {
        hiera_cell_format(number, column, cell);
        text = number;
    }
    g_auto(GStrv) steps = g_strsplit(text, (const char[]){HIERA_PATH_SEPARATOR, '\0'}, -1);
    return g_strjoinv(" > ", steps);
}

/* A condition for rows, written "COLUMN=TEXT" in a rule. */
typedef struct {
    const HieraColumn *column;
    const char *text;
} Choice;

static Choice read_choice(const HieraTable *table, const char *written)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    const char *equal = strchr(written, '=');
    g_autofree char *name = g_strndup(written, (gsize)(equal - written));
    return (Choice){assert_measures_find_column(columns, n_columns, name), equal + 1};
}

static gboolean fulfils(const HieraTable *table, guint row, const Choice *choice)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autofree char *text = text_of(choice->column, &hiera_table_peek_row(table, row)[choice->column - columns]);
    return strcmp(text, choice->text) == 0;
}

static gboolean is_chosen(const HieraTable *table, guint row, const HieraOutside *outside)
{
    for (guint i = 0; i < outside->n_rows; i++) {
        const Choice choice = read_choice(table, outside->rows[i]);
        if (!fulfils(table, row, &choice))
            return FALSE;
    }
    return TRUE;
}

/* --- condition texts that no table row has --- */

static gboolean is_of_site(const HieraSite *site, const char *text)
{
    g_autofree char *method = g_strconcat(site->class_name, "::", site->operation, NULL);
    g_autofree char *line = g_strdup_printf("%u", site->line);
    const char *const texts[] = {site->operation, site->file, site->short_file, site->level, method, line};
    gboolean found = FALSE;
    for (guint i = 0; !found && i < G_N_ELEMENTS(texts); i++)
        found = g_strcmp0(texts[i], text) == 0;
    return found;
}

/* Whether the TEXT of a condition occurs in this run. If not, it may be misspelt, and the value 0 would mislead. */
static gboolean is_there(const HieraTable *table, const HieraCatalog *catalog, const Choice *choice)
{
    gboolean found = assert_measures_know_word(choice->column, choice->text);
    for (guint row = 0; !found && row < hiera_table_count(table); row++)
        found = fulfils(table, row, choice);
    for (guint32 i = 0; !found && i < hiera_catalog_count_sites(catalog); i++)
        found = is_of_site(hiera_catalog_peek_site(catalog, i), choice->text);
    return found;
}

/* Return the first condition whose TEXT occurs nowhere in the run; NULL: there is none. */
static const char *find_absent(const HieraTable *table, const HieraCatalog *catalog, const HieraOutside *outside)
{
    for (guint i = 0; i < outside->n_rows; i++) {
        const Choice choice = read_choice(table, outside->rows[i]);
        if (!is_there(table, catalog, &choice))
            return outside->rows[i];
    }
    return NULL;
}

/* --- value of the chosen table rows --- */

G_GNUC_PRINTF(3, 4)
static void note(const Options *options, const HieraOutside *outside, const char *format, ...)
{
    guint n_rules;
    va_list arguments;
    const HieraRule *rule = &hiera_rules_peek(options->rules, &n_rules)[outside->rule];
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *message =
        g_strdup_printf("%s:%u: %s.%s %s", rule->source, rule->line, outside->measure, outside->column, what);
    if (!options->quiet)
        report_message(message);
}

typedef struct {
    gint64 sum;
    guint n_rows;
    gboolean unknown; /* whether the number in a chosen row is unknown */
} Chosen;

static Chosen add_chosen(const HieraTable *table, const HieraOutside *outside, const HieraColumn *column)
{
    guint n_columns;
    Chosen chosen = {0};
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        if (!is_chosen(table, row, outside))
            continue;
        const HieraCell *cell = &hiera_table_peek_row(table, row)[column - columns];
        chosen.sum = hiera_plus(chosen.sum, cell->number);
        chosen.unknown |= hiera_cell_is_unknown(column, cell);
        chosen.n_rows++;
    }
    return chosen;
}

/* Compute the value: a column of sums adds up all chosen rows, another column needs exactly one chosen row. No row
 * means no time or no bytes if the chosen things exist. */
static gboolean is_answered(const Options *options, const HieraOutside *outside, const HieraTable *table,
                            const HieraCatalog *catalog, const Chosen *chosen, gboolean adds_up)
{
    guint n_rows = chosen->n_rows;
    const char *absent = n_rows == 0 ? find_absent(table, catalog, outside) : NULL;
    if (absent)
        note(options, outside, "is not known: nothing in this run has %s", absent);
    else if (n_rows == 0 && !adds_up)
        note(options, outside, "is not known: no row is chosen");
    else if (n_rows == 0 && outside->n_rows > 0)
        note(options, outside, "is 0: no row is chosen");
    else if (n_rows > 1 && !adds_up)
        note(options, outside, "is not known: it cannot be added up over %u rows; choose one by value(…)", n_rows);
    else if (chosen->unknown)
        note(options, outside, "is not known: it is 0 of 0, or the traces do not tell");
    return !absent && !chosen->unknown && (adds_up || n_rows == 1);
}

static void answer_one(const Options *options, guint number, const HieraOutside *outside, const HieraTable *table,
                       const HieraCatalog *catalog)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    const HieraColumn *column = assert_measures_find_column(columns, n_columns, outside->column);
    Chosen chosen = add_chosen(table, outside, column);
    if (is_answered(options, outside, table, catalog, &chosen, column->role == HIERA_ROLE_SUM) &&
        chosen.sum != HIERA_TOO_LARGE)
        hiera_rules_answer(options->rules, number,
                           column->type == HIERA_CELL_PERCENT ? (double)chosen.sum / 10000 : (double)chosen.sum);
}

/* --- running the measures that rules use --- */

static void use_tables(const GPtrArray *tables, const HieraCatalog *catalog, gpointer user)
{
    guint n_outside;
    const Options *options = user;
    const HieraOutside *outside = hiera_rules_peek_outside(options->rules, &n_outside);
    for (guint i = 0; i < n_outside; i++) {
        for (guint table = 0; outside[i].measure && table < tables->len; table++) {
            const HieraTable *answer = g_ptr_array_index(tables, table);
            if (assert_measures_same(outside[i].measure, hiera_table_peek_title(answer)))
                answer_one(options, i, &outside[i], answer, catalog);
        }
    }
}

gboolean assert_values_answer(const Options *options, GError **error)
{
    guint n_outside;
    const HieraOutside *outside = hiera_rules_peek_outside(options->rules, &n_outside);
    g_autoptr(GPtrArray) measures = g_ptr_array_new();
    for (guint i = 0; i < n_outside; i++) {
        const HieraMeasure *measure = outside[i].measure ? assert_measures_find(outside[i].measure, NULL) : NULL;
        if (measure && !g_ptr_array_find(measures, measure, NULL))
            g_ptr_array_add(measures, (gpointer)measure);
    }
    Options asks = options_of_measures(options, measures);
    asks.scope.options.rules = NULL;
    return measures->len == 0 || run_tables(&asks, FALSE, use_tables, (gpointer)options, error);
}

/* --- sending the values to all processes --- */

typedef struct {
    gint64 known;
    double value;
} Answer;

static void broadcast_answers(const HieraOutside *outside, guint n)
{
    g_autofree Answer *answers = g_new0(Answer, n);
    for (guint i = 0; i < n; i++)
        answers[i] = (Answer){outside[i].known, outside[i].value};
    hiera_parallel_broadcast((const guint8 *)answers, n * sizeof *answers);
}

static void receive_answers(HieraRules *rules, guint n)
{
    gsize n_bytes;
    g_autofree Answer *answers = (Answer *)(void *)hiera_parallel_receive_broadcast(&n_bytes);
    for (guint i = 0; i < n; i++) {
        if (answers[i].known)
            hiera_rules_answer(rules, i, answers[i].value);
    }
}

void assert_values_share(HieraRules *rules)
{
    guint n;
    const HieraOutside *outside = hiera_rules_peek_outside(rules, &n);
    if (n == 0 || hiera_parallel_size() == 1)
        return;
    if (hiera_parallel_leads())
        broadcast_answers(outside, n);
    else
        receive_answers(rules, n);
}
