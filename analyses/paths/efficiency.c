/* Efficiencies as the POP project defines them: of the whole run, of regions, of iterations. */
#include "efficiency_factors.h"
#include "measures.h"
#include "scaling.h"

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
    {"remark", HIERA_CELL_SENTENCE, HIERA_ROLE_DOUBT},
};

static void add_row(const HieraTrace *trace, const HieraEfficiencySums *sums, HieraTable *table)
{
    const HieraEfficiencyFactors factors = hiera_efficiency_factors(sums);
    g_autofree char *remark = hiera_efficiency_remark(trace, sums);
    hiera_table_add(table, (HieraCell[]){{.text = sums->region},
                                         {.number = sums->iteration},
                                         {.number = sums->processes},
                                         {.number = sums->time_ns},
                                         {.number = factors.useful_mean_ns},
                                         {.number = factors.useful_max_ns},
                                         {.number = factors.io_mean_ns},
                                         {.number = factors.efficiency},
                                         {.number = factors.load_balance},
                                         {.number = factors.communication},
                                         {.number = factors.serialisation},
                                         {.number = factors.transfer},
                                         {.text = hiera_table_keep(table, remark)}});
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraDependences *of = hiera_dependences_find(match);
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
    .of_runs = &hiera_scaling,
};
