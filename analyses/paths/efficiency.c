/* Efficiencies as the POP project defines them: of the whole run, of regions, of iterations. */
#include "efficiency_sums.h"
#include "measures.h"
#include "values/shares.h"

static const HieraColumn columns[] = {
    {"region", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"iteration", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"processes", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"useful-mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"useful-max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"io-mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"efficiency", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"load-balance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"communication", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},
    {"serialisation", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"transfer", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"remark", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
};

static gint64 mean_of(gint64 sum, guint32 n)
{
    return sum == HIERA_TOO_LARGE ? sum : n > 0 ? sum / n : 0;
}

/* Say what limits the numbers of a row. */
static const char *remark_on(const HieraTrace *trace, const HieraEfficiencySums *sums, HieraTable *table)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (sums->most_useful_ns == 0)
        g_string_append(text, "no useful time");
    if (sums->ideal_ns > sums->time_ns)
        g_string_append_printf(text, "%sthe ideal run is longer here", text->len ? "; " : "");
    if (sums->unsure > 0) {
        const HieraSite *site = hiera_trace_peek_site(trace, sums->unsure_row);
        g_string_append_printf(text, "%sclocks contradict calls: %" G_GINT64_FORMAT ", first rank %u %s %s:%u",
                               text->len ? "; " : "", sums->unsure,
                               trace->processors[hiera_trace_find_processor(trace, sums->unsure_row)].rank,
                               site->operation, site->short_file, site->line);
    }
    return hiera_table_keep(table, text->str);
}

static void add_row(const HieraTrace *trace, const HieraEfficiencySums *sums, HieraTable *table)
{
    gint64 mean_ns = mean_of(sums->useful_ns, sums->processes), max_ns = sums->most_useful_ns;
    gint64 ideal_ns = MIN(sums->ideal_ns, sums->time_ns);
    hiera_table_add(table, (HieraCell[]){{.text = sums->region},
                                         {.number = sums->iteration},
                                         {.number = sums->processes},
                                         {.number = sums->time_ns},
                                         {.number = mean_ns},
                                         {.number = max_ns},
                                         {.number = mean_of(sums->io_ns, sums->processes)},
                                         {.number = hiera_percent(mean_ns, sums->time_ns)},
                                         {.number = hiera_percent(mean_ns, max_ns)},
                                         {.number = hiera_percent(max_ns, sums->time_ns)},
                                         {.number = hiera_percent(max_ns, ideal_ns)},
                                         {.number = hiera_percent(ideal_ns, sums->time_ns)},
                                         {.text = remark_on(trace, sums, table)}});
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    g_autoptr(HieraDependences) of = hiera_dependences_new(match);
    HieraIdealRun ideal;
    hiera_ideal_run_init(&ideal, of);
    g_autoptr(GArray) sums = hiera_efficiency_sums_find(of, &ideal, scope, table);
    for (guint i = 0; i < sums->len; i++) {
        const HieraEfficiencySums *row = &g_array_index(sums, HieraEfficiencySums, i);
        if (row->processes > 0)
            add_row(of->trace, row, table);
    }
    hiera_ideal_run_clear(&ideal);
    return TRUE;
}

const HieraMeasure hiera_measure_efficiency = {
    .name = "efficiency",
    .help = "parallel efficiency and its factors (POP)",
    .by = HIERA_EFFICIENCY_BY,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_MATCH,
    .ordered = TRUE,
    .find = find,
};
