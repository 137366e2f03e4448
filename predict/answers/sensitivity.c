#include "sensitivity.h"
#include "computed_parts.h"
#include "machine/network_option.h"
#include "run/simulation.h"
#include <stdlib.h>

/* Factor that reduces a parameter by 1 %. */
#define LESS 0.99
/* Smallest share that a table for people shows, in hundredths of a percent. */
enum { SEEN = 5 };

typedef struct {
    const char *kind, *part;
    gint64 saved_ps;
} Row;

typedef struct {
    const RecordedRun *run;
    const MachineOptions *options;
    Speeds *speeds;
    gboolean all;
    gint64 end_ps;
    GArray *rows; /* Row: results of the simulations so far */
} Sensitivity;

static gboolean add_row(Sensitivity *of, const Row *row, const MachineOptions *options, GError **error)
{
    g_auto(RunSimulation) simulation = {0};
    Row added = *row;
    if (!simulation_run(&simulation, of->run, options, of->speeds, NULL, error))
        return FALSE;
    added.saved_ps = of->end_ps - simulation.result.end_ps;
    if (added.saved_ps != 0)
        g_array_append_val(of->rows, added);
    return TRUE;
}

/* Add a row for a network parameter; if hosts have a network of their own inside, one row for each of both networks. */
static gboolean add_network(Sensitivity *of, guint part, HieraTable *table, GError **error)
{
    const char *name = network_part_name(part);
    gboolean differ = of->options->has_inside;
    for (guint which = 0; which < (differ ? 2 : 1); which++) {
        MachineOptions options = *of->options;
        gboolean scaled = FALSE;
        if (which == 0)
            scaled = network_part_scale(part, LESS, &options.between);
        if (which == 1 || !differ)
            scaled = network_part_scale(part, LESS, &options.inside) || scaled;
        g_autofree char *of_one = g_strdup_printf("%s, %s hosts", name, which == 0 ? "between" : "inside");
        const Row row = {"network", differ ? hiera_table_keep(table, of_one) : name, 0};
        if (scaled && !add_row(of, &row, &options, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean add_computing(Sensitivity *of, HieraTable *table, GError **error)
{
    g_autoptr(ComputedParts) parts = computed_parts_new(of->run);
    const SpeedParts *speeds = computed_parts_peek(parts);
    gboolean good = TRUE;
    speeds_set_parts(of->speeds, speeds);
    for (guint i = 0; i < speeds->n && good; i++) {
        const Row row = {"computation", computed_parts_text(parts, i, table), 0};
        speeds_set_part_speed(of->speeds, i, 1 / LESS);
        good = add_row(of, &row, of->options, error);
        speeds_set_part_speed(of->speeds, i, 1);
    }
    speeds_set_parts(of->speeds, NULL);
    return good;
}

static int compare_rows(const void *a, const void *b)
{
    gint64 one = ((const Row *)a)->saved_ps, other = ((const Row *)b)->saved_ps;
    return (one < other) - (one > other);
}

/* @return saved time relative to 1 % of the run's time, in hundredths of a percent */
static gint64 share_of(const Sensitivity *of, gint64 saved_ps)
{
    gdouble all = (gdouble)of->end_ps * (1 - LESS);
    return all > 0 ? (gint64)CLAMP((gdouble)saved_ps / all * 10000 + (saved_ps < 0 ? -0.5 : 0.5), -1e15, 1e15) : 0;
}

/* Add a row to the table, unless it is negligible and not all rows are asked for. */
static void add_to_table(const Sensitivity *of, const Row *row, HieraTable *table)
{
    if (!of->all && ABS(share_of(of, row->saved_ps)) < SEEN)
        return;
    const HieraCell cells[] = {{.text = row->kind},
                               {.text = row->part},
                               {.number = row->saved_ps / HIERA_PS_PER_NS},
                               {.number = share_of(of, row->saved_ps)}};
    hiera_table_add(table, cells);
}

static void fill(const Sensitivity *of, HieraTable *table)
{
    Row rest = {"rest", "", (gint64)((gdouble)of->end_ps * (1 - LESS))};
    qsort(of->rows->data, of->rows->len, sizeof(Row), compare_rows);
    for (guint i = 0; i < of->rows->len; i++) {
        const Row *row = &g_array_index(of->rows, Row, i);
        rest.saved_ps -= row->saved_ps;
        add_to_table(of, row, table);
    }
    add_to_table(of, &rest, table);
}

GPtrArray *sensitivity_make_tables(const RecordedRun *run, const MachineOptions *options, Speeds *speeds, gboolean all,
                                   gint64 end_ps, GError **error)
{
    static const HieraColumn columns[] = {{"kind", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                          {"part", HIERA_CELL_CALLERS, HIERA_ROLE_KEY},
                                          {"saved", HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER},
                                          {"share", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER}};
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    HieraTable *table = hiera_table_new("sensitivity", columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
    Sensitivity of = {run, options, speeds, all, end_ps, rows};
    gboolean good = TRUE;
    g_ptr_array_add(tables, table);
    for (guint part = 0; part < network_part_count() && good; part++)
        good = add_network(&of, part, table, error);
    if (!good || !add_computing(&of, table, error)) {
        g_ptr_array_unref(tables);
        return NULL;
    }
    fill(&of, table);
    return tables;
}
