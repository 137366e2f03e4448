/* See beside.h. A measure is computed twice; rows of both answers with equal keys are joined into one. */
#include "beside.h"
#include "measures.h"
#include <string.h>

GPtrArray *beside_find(const char *names, GError **error)
{
    static const HieraMeasure *const all[] = {
        &hiera_measure_waits,         &hiera_measure_causes, &hiera_measure_hotspots,  &hiera_measure_overlap,
        &hiera_measure_critical_path, &hiera_measure_slack,  &hiera_measure_efficiency};
    g_auto(GStrv) words = g_strsplit(*names ? names : ",", ",", -1);
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    for (char **word = words; *word; word++) {
        guint i = 0;
        g_strstrip(*word);
        while (i < G_N_ELEMENTS(all) && strcmp(all[i]->name, *word) != 0)
            i++;
        if (i == G_N_ELEMENTS(all)) {
            g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                        "--measure '%s' is not among waits, causes, hotspots, overlap, critical-path, slack and "
                        "efficiency; others say what they do of the traces that --output DIR writes: "
                        "hiera-transform DIR --measure …",
                        *word);
            return NULL;
        }
        g_ptr_array_add(found, (gpointer)all[i]);
    }
    return g_steal_pointer(&found);
}

/* --- columns of the joined table --- */

static gboolean is_text(const HieraColumn *column)
{
    return column->type == HIERA_CELL_TEXT || column->type == HIERA_CELL_PATH || column->type == HIERA_CELL_CALLERS ||
           column->type == HIERA_CELL_PROSE || column->type == HIERA_CELL_SENTENCE || column->type == HIERA_CELL_FIGURE;
}

/* Whether a column is part of the key: rows that differ in it describe different things (an activity and its place, but
 * not its ranks). */
static gboolean is_key(const HieraColumn *column)
{
    static const char *const places[] = {"operation", "file", "line", "path", "level", "kind", NULL};
    return g_strv_contains(places, column->name) ||
           (column->role == HIERA_ROLE_KEY && strcmp(column->name, "class") == 0);
}

static gboolean is_value(const HieraColumn *column)
{
    return !is_key(column) && !is_text(column) && column->role != HIERA_ROLE_DOUBT;
}

/* Whether a column has times that the measure adds up (its main result), rather than further details. */
static gboolean is_answer(const HieraColumn *column)
{
    return column->type == HIERA_CELL_SECONDS && (column->role == HIERA_ROLE_SUM || column->role == HIERA_ROLE_ANSWER);
}

/* The columns of a joined table, made from a measure's columns: keys, then two (recorded, predicted) for each value. */
typedef struct {
    const HieraColumn *of;
    GArray *keys, *values; /* guint: columns of the key, and columns with values, as indices into `of` */
    GArray *columns;       /* HieraColumn: columns of the joined table; their names are interned */
} Plan;

static void add_column(Plan *plan, const char *prefix, const HieraColumn *of)
{
    /* The columns of the first value are just "recorded" and "predicted"; the names of others end with the value's
     * name. */
    gboolean is_first = *prefix && plan->values->len == 1;
    g_autofree char *name = g_strconcat(prefix, is_first ? "" : *prefix ? "_" : "", is_first ? "" : of->name, NULL);
    HieraRole role = is_key(of) ? of->role : is_answer(of) ? HIERA_ROLE_ANSWER : HIERA_ROLE_DETAIL;
    const HieraColumn column = {g_intern_string(name), of->type, role};
    g_array_append_val(plan->columns, column);
}

static Plan make_plan(const HieraMeasure *measure)
{
    Plan plan = {measure->columns, g_array_new(FALSE, FALSE, sizeof(guint)), g_array_new(FALSE, FALSE, sizeof(guint)),
                 g_array_new(FALSE, FALSE, sizeof(HieraColumn))};
    for (guint i = 0; i < measure->n_columns; i++)
        if (is_key(&plan.of[i])) {
            g_array_append_val(plan.keys, i);
            add_column(&plan, "", &plan.of[i]);
        }
    for (guint answers = 2; answers-- > 0;)
        for (guint i = 0; i < measure->n_columns; i++)
            if (is_value(&plan.of[i]) && is_answer(&plan.of[i]) == (gboolean)answers) {
                g_array_append_val(plan.values, i);
                add_column(&plan, "recorded", &plan.of[i]);
                add_column(&plan, "predicted", &plan.of[i]);
            }
    return plan;
}

/* --- rows of the joined table --- */

/* A row of the joined table: one for each key that occurs in either run. */
typedef struct {
    const HieraCell *cells; /* cells of the first row with this key */
    gint64 *values[2]; /* values in the recorded run, and in the predicted one, in the order of `values` of the plan; 0:
                          none */
    guint place;       /* index among all rows, in the order in which their keys were found */
} Row;

static void clear_row(gpointer cleared)
{
    for (guint which = 0; which < 2; which++)
        g_free(((Row *)cleared)->values[which]);
}

static char *make_key(const Plan *plan, const HieraCell *cells)
{
    GString *key = g_string_new(NULL);
    for (guint k = 0; k < plan->keys->len; k++) {
        guint i = g_array_index(plan->keys, guint, k);
        if (is_text(&plan->of[i]))
            g_string_append(key, cells[i].text ? cells[i].text : "");
        else
            g_string_append_printf(key, "%" G_GINT64_FORMAT, cells[i].number);
        g_string_append_c(key, '\n');
    }
    return g_string_free(key, FALSE);
}

/* Add a measure's row to the `values` of its key: sums are added, of all other values the greatest is kept. */
static void add_values(const Plan *plan, const HieraCell *cells, gint64 *values)
{
    for (guint v = 0; v < plan->values->len; v++) {
        guint i = g_array_index(plan->values, guint, v);
        if (plan->of[i].role == HIERA_ROLE_TELLING)
            values[v] = MAX(values[v], cells[i].number);
        else
            values[v] += cells[i].number;
    }
}

/* @param rows   Row, one for each key so far. @param known  key → 1 + index of its row in `rows` */
static void take_rows(const Plan *plan, const HieraTable *table, guint which, GArray *rows, GHashTable *known)
{
    for (guint i = 0; i < hiera_table_count(table); i++) {
        const HieraCell *cells = hiera_table_peek_row(table, i);
        char *key = make_key(plan, cells);
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(known, key));
        if (place == 0) {
            const Row row = {
                cells, {g_new0(gint64, plan->values->len + 1), g_new0(gint64, plan->values->len + 1)}, rows->len};
            g_array_append_val(rows, row);
            place = rows->len;
            g_hash_table_insert(known, g_steal_pointer(&key), GUINT_TO_POINTER(place));
        }
        add_values(plan, cells, g_array_index(rows, Row, place - 1).values[which]);
        g_free(key);
    }
}

/* Order rows by the first value (the greater one of both runs), greatest first. */
static int compare_rows(gconstpointer a, gconstpointer b)
{
    const Row *one = a, *other = b;
    gint64 x = MAX(one->values[0][0], one->values[1][0]), y = MAX(other->values[0][0], other->values[1][0]);
    return x != y ? (x < y) - (x > y) : (one->place > other->place) - (one->place < other->place);
}

static void add_row(const Plan *plan, const Row *row, HieraTable *table)
{
    g_autofree HieraCell *cells = g_new0(HieraCell, plan->columns->len);
    guint at = 0;
    for (guint k = 0; k < plan->keys->len; k++) {
        guint i = g_array_index(plan->keys, guint, k);
        const HieraCell *cell = &row->cells[i];
        if (is_text(&plan->of[i]))
            cells[at++].text = hiera_table_keep(table, cell->text ? cell->text : "");
        else
            cells[at++].number = cell->number;
    }
    for (guint v = 0; v < plan->values->len; v++)
        for (guint which = 0; which < 2; which++)
            cells[at++].number = row->values[which][v];
    hiera_table_add(table, cells);
}

/* @param columns  receives the columns of the table */
static HieraTable *join(const HieraMeasure *measure, HieraTable *const *tables, guint most, GPtrArray *columns,
                        GPtrArray *notes)
{
    const Plan plan = make_plan(measure);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_array_set_clear_func(rows, clear_row);
    g_ptr_array_add(columns, plan.columns);
    for (guint which = 0; which < 2; which++)
        take_rows(&plan, tables[which], which, rows, known);
    g_array_sort(rows, compare_rows);
    HieraTable *joined =
        hiera_table_new(measure->name, (const HieraColumn *)(void *)plan.columns->data, plan.columns->len);
    guint n = most > 0 ? MIN(rows->len, most) : rows->len;
    hiera_table_explain_nothing(joined, measure->nothing);
    for (guint i = 0; i < n; i++)
        add_row(&plan, &g_array_index(rows, Row, i), joined);
    if (n < rows->len)
        g_ptr_array_add(notes,
                        g_strdup_printf("%s: %u more rows; --format csv shows all", measure->name, rows->len - n));
    g_array_unref(plan.keys);
    g_array_unref(plan.values);
    return joined;
}

/* --- measures with one row --- */

/* Make a table with a row for each percentage in the only row of a measure; the measure's texts become notes. */
static HieraTable *join_factors(const HieraMeasure *measure, HieraTable *const *tables, GPtrArray *notes)
{
    static const HieraColumn columns[] = {{"factor", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                          {"recorded", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
                                          {"predicted", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER}};
    HieraTable *joined = hiera_table_new(measure->name, columns, G_N_ELEMENTS(columns));
    if (hiera_table_count(tables[0]) == 0 || hiera_table_count(tables[1]) == 0)
        return joined;
    const HieraCell *cells[] = {hiera_table_peek_row(tables[0], 0), hiera_table_peek_row(tables[1], 0)};
    for (guint i = 0; i < measure->n_columns; i++) {
        const HieraColumn *of = &measure->columns[i];
        const HieraCell row[] = {{.text = of->name}, cells[0][i], cells[1][i]};
        gboolean applies = of->role == HIERA_ROLE_TELLING || row[1].number != HIERA_UNKNOWN ||
                           row[2].number != HIERA_UNKNOWN; /* factors of threads do not without any */
        if (of->type == HIERA_CELL_PERCENT && applies)
            hiera_table_add(joined, row);
        for (guint which = 0; of->role == HIERA_ROLE_DOUBT && which < 2; which++)
            if (*cells[which][i].text)
                g_ptr_array_add(
                    notes, g_strdup_printf("%s, %s: %s", measure->name, columns[which + 1].name, cells[which][i].text));
    }
    return joined;
}

/* --- computing the measures of both runs --- */

static HieraTable *ask(const HieraMeasure *measure, const HieraMatch *match, HieraFindings *findings, GError **error)
{
    const HieraScope scope = HIERA_SCOPE_ALL;
    g_autoptr(HieraTable) table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    if (!measure->find(match, &scope, table, error))
        return NULL;
    if (!hiera_measure_is(measure, HIERA_MEASURE_ORDERED))
        hiera_table_settle(table);
    hiera_table_check(table, findings);
    return g_steal_pointer(&table);
}

static void swap_own_time(RecordedRun *run, GArray **own_time)
{
    GArray *other = run->trace->own_time;
    run->trace->own_time = *own_time;
    *own_time = other;
}

/* @param own_time  HieraOwnTime: the collector's own times in this run; swapped into the trace for the measures */
static gboolean ask_all(RecordedRun *run, const GPtrArray *measures, const HieraMatch *match, GArray **own_time,
                        GPtrArray *answers, GError **error)
{
    gboolean good = TRUE;
    swap_own_time(run, own_time);
    for (guint i = 0; i < measures->len && good; i++) {
        HieraTable *table = ask(measures->pdata[i], match, run->findings, error);
        good = table != NULL;
        if (good)
            g_ptr_array_add(answers, table);
    }
    swap_own_time(run, own_time);
    return good;
}

static gboolean is_threaded(const RecordedRun *run)
{
    for (guint32 i = 0; i < run->trace->n_processors; i++)
        if (run->trace->processors[i].threaded)
            return TRUE;
    return FALSE;
}

GPtrArray *beside_make_tables(RecordedRun *run, PredictedTimes *times, const HieraSimResult *result,
                              const GPtrArray *measures, guint most, GPtrArray *columns, GPtrArray *notes,
                              GError **error)
{
    g_autoptr(GPtrArray) answers = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    if (is_threaded(run) && !predicted_times_have_threads(times)) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "--measure: the run has threads, which are not simulated; write the predicted run with --output "
                    "DIR, and ask hiera-transform about it");
        return NULL;
    }
    g_autoptr(GArray) own_time = predicted_times_move_own(times, result);
    gboolean good = ask_all(run, measures, run->match, &run->own_time, answers, error);
    predicted_times_swap(times, run, result);
    HieraMatch *match = hiera_match_build(run->trace);
    good = good && ask_all(run, measures, match, &own_time, answers, error);
    hiera_match_free(match);
    predicted_times_swap(times, run, result);
    if (!good)
        return NULL;
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    for (guint i = 0; i < measures->len; i++) {
        HieraTable *const both[] = {answers->pdata[i], answers->pdata[measures->len + i]};
        const HieraMeasure *measure = measures->pdata[i];
        g_ptr_array_add(tables, measure == &hiera_measure_efficiency ? join_factors(measure, both, notes)
                                                                     : join(measure, both, most, columns, notes));
    }
    return tables;
}
