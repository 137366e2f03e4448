/* Why a run did not end: first the verdict and the causes, then a row for each rank. */
#include "calls/call_paths.h"
#include "hang_parts.h"
#include "measures.h"
#include <string.h>

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_TEXT, HIERA_ROLE_KEY},      {"state", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},      {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},        {"time", HIERA_CELL_SECONDS, HIERA_ROLE_KEY},
    {"awaited", HIERA_CELL_TEXT, HIERA_ROLE_KEY},        {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},
    {"reason", HIERA_CELL_SENTENCE, HIERA_ROLE_TELLING},
};

static const char *const states[] = {
#define X(identifier, name) name,
    HIERA_HANG_STATES(X)
#undef X
};

/* Return the time from the first init of a rank to the end of the last trace, in ns. */
static gint64 run_time(const HieraHang *hang)
{
    gint64 first = G_MAXINT64, last = 0;
    for (guint32 i = 0; i < hang->trace->n_processors; i++) {
        first = MIN(first, hang->trace->processors[i].init_ns);
        last = MAX(last, hang->ranks[i].end_ns);
    }
    return MAX(0, last - MIN(first, last));
}

static void add_causes(const HieraHang *hang, HieraTable *table)
{
    HieraHangVerdict verdict;
    g_autoptr(GPtrArray) causes = hiera_hang_causes(hang, &verdict);
    for (guint i = 0; i < causes->len; i++)
        hiera_table_add(table, (HieraCell[]){{.text = "all"},
                                             {.text = hiera_hang_verdict_name(verdict)},
                                             {.text = ""},
                                             {.text = ""},
                                             {.number = 0},
                                             {.number = run_time(hang)},
                                             {.text = ""},
                                             {.text = ""},
                                             {.text = hiera_table_keep(table, g_ptr_array_index(causes, i))}});
}

/* Return the ranks that a rank waits for, like "0-3 7"; "" if there are none. */
static const char *name_waited(const HieraHang *hang, guint32 processor, HieraTable *table)
{
    g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(gint32));
    const HieraHangRank *rank = &hang->ranks[processor];
    for (guint i = 0; i < rank->calls->len; i++) {
        const GArray *needs = g_array_index(rank->calls, HieraHangCall, i).needs;
        for (guint j = 0; needs && j < needs->len; j++) {
            const HieraHangNeed *need = &g_array_index(needs, HieraHangNeed, j);
            for (guint k = 0; !need->met && k < need->ranks->len; k++) {
                gint32 other = g_array_index(need->ranks, gint32, k);
                if (g_hash_table_add(known, GINT_TO_POINTER(other)))
                    g_array_append_val(ranks, other);
            }
        }
    }
    g_autofree char *text = hiera_hang_ranks(ranks);
    return hiera_table_keep(table, ranks->len == 0 ? "" : strchr(text, ' ') + 1);
}

static void add_rank(const HieraHang *hang, guint32 processor, const HieraCallPaths *paths, HieraTable *table)
{
    const HieraHangRank *rank = &hang->ranks[processor];
    gboolean inside = rank->calls->len > 0;
    const HieraSite *site = inside ? hiera_trace_peek_site(hang->trace, rank->row) : NULL;
    guint32 node = inside ? paths->node[rank->row] : 0;
    g_autofree char *number = g_strdup_printf("%u", hang->trace->processors[processor].rank);
    g_autofree char *reason = hiera_hang_describe_reason(hang, processor);
    hiera_table_add(table, (HieraCell[]){{.text = hiera_table_keep(table, number)},
                                         {.text = states[rank->state]},
                                         {.text = site ? site->operation : ""},
                                         {.text = site ? site->short_file : ""},
                                         {.number = site ? site->line : 0},
                                         {.number = MAX(0, rank->end_ns - rank->since_ns)},
                                         {.text = name_waited(hang, processor, table)},
                                         {.text = node ? hiera_call_paths_text(paths, node, table) : ""},
                                         {.text = hiera_table_keep(table, reason)}});
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    /* With several processes, process 0 alone has the operations that the answer needs. */
    if (!hiera_scope_leads(scope))
        return TRUE;
    g_autoptr(HieraHang) hang = hiera_hang_find(scope->share.left ? scope->share.left : match);
    HieraScope all = *scope;
    HieraCallPaths paths;
    all.share.own = NULL;
    if (scope->share.left)
        all.chosen = scope->share.left_chosen;
    hiera_call_paths_init(&paths, hang->trace, &all);
    add_causes(hang, table);
    for (guint32 i = 0; i < hang->trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scope, hang->trace->processors[i].rank))
            add_rank(hang, i, &paths, table);
    }
    hiera_call_paths_clear(&paths);
    return TRUE;
}

const HieraMeasure hiera_measure_hang = {
    .name = "hang",
    .help = "why a run did not end, and who waits for whom",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_ENDED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
