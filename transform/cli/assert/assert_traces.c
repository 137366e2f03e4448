/* See assert_traces.h. The traces are read as by hiera-transform --assert; only the rows of these rules are taken
 * from that result. */
#include "assert_traces.h"
#include "assert_runs.h"
#include "assert_values.h"
#include "assertions/assertions.h"
#include "cli/options/report.h"
#include "cli/run/run.h"
#include "report/table.h"
#include <string.h>

typedef struct {
    const HieraRule *rules;
    guint n_rules;
    const HieraTable *found; /* results from inside the program */
    HieraTable *decided;     /* results with those from the traces; NULL: the traces could not be read */
} Decision;

/* --- rows of the table of results --- */

static gboolean is_of(const HieraTable *table, guint row, const HieraRule *rule)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    const HieraCell *cells = hiera_table_peek_row(table, row);
    g_autofree char *place = g_strdup_printf("%s:%u", rule->source, rule->line);
    gboolean same = strcmp(cells[0].text, place) == 0;
    for (guint i = 0; same && i < n_columns; i++)
        same = strcmp(columns[i].name, "assertion") != 0 || strcmp(cells[i].text, rule->text) == 0;
    return same;
}

static void copy_row(HieraTable *to, const HieraTable *from, guint row)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(from, &n_columns);
    g_autofree HieraCell *cells = g_memdup2(hiera_table_peek_row(from, row), n_columns * sizeof *cells);
    for (guint i = 0; i < n_columns; i++) {
        if (hiera_cell_is_text(&columns[i]))
            cells[i].text = hiera_table_keep(to, cells[i].text);
    }
    hiera_table_add(to, cells);
}

static void copy_rows(HieraTable *to, const HieraTable *from, const HieraRule *rule)
{
    for (guint row = 0; row < hiera_table_count(from); row++) {
        if (is_of(from, row, rule))
            copy_row(to, from, row);
    }
}

/* Whether a row is the result of an assertion in the source code, not of a rule in a file. */
static gboolean is_of_source(const Decision *decision, guint row)
{
    gboolean found = FALSE;
    for (guint i = 0; !found && i < decision->n_rules; i++)
        found = is_of(decision->found, row, &decision->rules[i]);
    return !found;
}

static void use_tables(const GPtrArray *tables, const HieraCatalog *catalog, gpointer data)
{
    (void)catalog;
    Decision *decision = data;
    guint n_columns;
    const HieraTable *traced = g_ptr_array_index(tables, 0);
    const HieraColumn *columns = hiera_table_peek_columns(traced, &n_columns);
    decision->decided = hiera_table_new(hiera_table_peek_title(traced), columns, n_columns);
    for (guint i = 0; i < decision->n_rules; i++) {
        const HieraRule *rule = &decision->rules[i];
        copy_rows(decision->decided, rule->asks_outside ? traced : decision->found, rule);
    }
    for (guint row = 0; row < hiera_table_count(decision->found); row++) {
        if (is_of_source(decision, row))
            copy_row(decision->decided, decision->found, row);
    }
}

/* --- reading the traces --- */

static gboolean any_asks(const Decision *decision)
{
    gboolean any = FALSE;
    for (guint i = 0; i < decision->n_rules; i++)
        any = any || decision->rules[i].asks_outside;
    return any;
}

static gboolean read_traces(const Options *options, const char *folder, Decision *decision, GError **error)
{
    Options asks = options_of_measures(options, options->measures);
    asks.reports = NULL;
    asks.arguments = (char *[]){(char *)folder, NULL};
    return assert_values_answer(&asks, error) && (!asks.baseline || assert_runs_compare(&asks, error)) &&
           run_tables(&asks, FALSE, use_tables, decision, error);
}

gboolean assert_traces_decide(const Options *options, const char *folder, HieraTable **table, GError **error)
{
    Decision decision = {.found = *table};
    if (options->rules)
        decision.rules = hiera_rules_peek(options->rules, &decision.n_rules);
    if (!any_asks(&decision))
        return TRUE;
    if (folder && !read_traces(options, folder, &decision, error))
        return FALSE;
    if (!decision.decided) {
        report_message("rules that ask for values of measures or for a kept run are not decided: the run has left no "
                       "trace, or was "
                       "several jobs");
        return TRUE;
    }
    hiera_table_free(*table);
    *table = decision.decided;
    return TRUE;
}
