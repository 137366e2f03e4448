/* Where threads of OpenMP idle: one row for each reason and place, the longest first. */
#include "measures.h"
#include "thread_forms.h"
#include "thread_waits.h"
#include "values/unrecorded.h"

static const HieraColumn columns[] = {
    {"class", HIERA_CELL_TEXT, HIERA_ROLE_KEY},        {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},         {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"processors", HIERA_CELL_TEXT, HIERA_ROLE_KEY},   {"threads", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},     {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},     {"worst", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"cause", HIERA_CELL_SENTENCE, HIERA_ROLE_DETAIL},
};

static void add_row(const HieraTrace *trace, const HieraThreadWaits *waits, const HieraThreadWait *row,
                    HieraTable *table)
{
    const HieraSite *site = row->site;
    hiera_table_add(table, (HieraCell[]){{.text = hiera_thread_wait_name(row->class)},
                                         {.text = site ? site->operation : ""},
                                         {.text = site ? site->short_file : ""},
                                         {.number = site ? site->line : 0},
                                         {.text = hiera_shares_name_ranks(row->ranks, trace, 0, table)},
                                         {.text = hiera_thread_waits_name(row->threads, 0, table)},
                                         {.number = row->count},
                                         {.number = row->time_ns},
                                         {.number = hiera_percent(row->time_ns, waits->all_ns)},
                                         {.number = row->worst_ns},
                                         {.text = hiera_thread_wait_cause(row, trace, table)}});
}

void hiera_threads_limit(const HieraTrace *trace, const HieraScope *scope, HieraTable *table)
{
    HieraUnrecorded unrecorded = hiera_unrecorded_find(trace, scope);
    unrecorded.of_threads = HIERA_OF_RECORDED_THREADS;
    hiera_unrecorded_limit_of(&unrecorded, table);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraThreadWaits waits;
    hiera_thread_waits_find(&waits, match, scope);
    for (guint i = 0; hiera_scope_leads(scope) && i < waits.rows->len; i++)
        add_row(trace, &waits, &g_array_index(waits.rows, HieraThreadWait, i), table);
    g_autofree char *crowded = hiera_thread_waits_say_crowded(&waits, trace, scope);
    hiera_table_limit(table, HIERA_FINDING_THREADS, crowded);
    hiera_queued_limit(trace, scope, waits.crowded, table);
    hiera_threads_limit(trace, scope, table);
    hiera_thread_waits_clear(&waits);
    return TRUE;
}

static const HieraMeasure by_place = {
    .name = "threads",
    .nothing = HIERA_THREADS_NOTHING,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
static const HieraMeasure *const forms[] = {&by_place, &hiera_threads_by_thread, &hiera_threads_by_region};

const HieraMeasure hiera_measure_threads = {
    .name = "threads",
    .help = "where threads of OpenMP idle, why, and which thread lets them wait",
    .by = HIERA_THREADS_BY,
    .forms = forms,
};
