/* See assert_values.h. Measures answer before the rules are judged, with the traces read for them alone. */
#include "assert_values.h"
#include "assert_measures.h"
#include "report.h"
#include "report/table.h"
#include "run.h"
#include <string.h>

/* --- rows --- */

/* The text of a cell as CSV has it; to be freed. */
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

static gboolean is_chosen(const HieraTable *table, guint row, const HieraOutside *outside)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    for (guint i = 0; i < outside->n_rows; i++) {
        const char *equal = strchr(outside->rows[i], '=');
        g_autofree char *name = g_strndup(outside->rows[i], (gsize)(equal - outside->rows[i]));
        const HieraColumn *column = assert_measures_find_column(columns, n_columns, name);
        g_autofree char *text = text_of(column, &hiera_table_peek_row(table, row)[column - columns]);
        if (strcmp(text, equal + 1) != 0)
            return FALSE;
    }
    return TRUE;
}

static void note(const Options *options, const HieraOutside *outside, const char *format, guint n_rows)
{
    guint n_rules;
    const HieraRule *rule = &hiera_rules_peek(options->rules, &n_rules)[outside->rule];
    g_autofree char *rows = g_strdup_printf(format, n_rows);
    g_autofree char *message =
        g_strdup_printf("%s:%u: %s.%s %s", rule->source, rule->line, outside->measure, outside->column, rows);
    if (!options->quiet)
        report_message(message);
}

/* A column of sums adds up; of another one there has to be one row. No row is no time and no bytes, but perhaps a name
 * that is misspelt. */
static void answer_one(const Options *options, guint number, const HieraOutside *outside, const HieraTable *table)
{
    guint n_columns, n_rows = 0;
    gint64 sum = 0;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    const HieraColumn *column = assert_measures_find_column(columns, n_columns, outside->column);
    gboolean adds_up = column->role == HIERA_ROLE_SUM;
    for (guint row = 0; row < hiera_table_count(table); row++) {
        if (!is_chosen(table, row, outside))
            continue;
        sum = hiera_plus(sum, hiera_table_peek_row(table, row)[column - columns].number);
        n_rows++;
    }
    if (n_rows == 0 && (outside->n_rows > 0 || !adds_up))
        note(options, outside, adds_up ? "is 0: no row is chosen" : "is not known: no row is chosen", n_rows);
    else if (n_rows > 1 && !adds_up)
        note(options, outside, "is not known: it cannot be added up over %u rows; choose one by value(…)", n_rows);
    if ((adds_up || n_rows == 1) && sum != HIERA_TOO_LARGE)
        hiera_rules_answer(options->rules, number,
                           column->type == HIERA_CELL_PERCENT ? (double)sum / 10000 : (double)sum);
}

/* --- measures --- */

static void use_tables(const GPtrArray *tables, gpointer user)
{
    guint n_outside;
    const Options *options = user;
    const HieraOutside *outside = hiera_rules_peek_outside(options->rules, &n_outside);
    for (guint i = 0; i < n_outside; i++) {
        for (guint table = 0; outside[i].measure && table < tables->len; table++) {
            const HieraTable *answer = g_ptr_array_index(tables, table);
            if (assert_measures_same(outside[i].measure, hiera_table_peek_title(answer)))
                answer_one(options, i, &outside[i], answer);
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
    asks.scope.rules = NULL;
    return measures->len == 0 || run_tables(&asks, FALSE, use_tables, (gpointer)options, error);
}
