/* The lines of the program that cost most MPI time, with the part of it that is waiting, and the ranks.
 *
 * A line is the call site of a unit (outermost.h): of the outermost operations of a level or depth; without these, of
 * any operation but functions, since main() is around all. Its cost is the time of the MPI calls inside, at any depth.
 */
#include "calls/sent_bytes.h"
#include "calls/summed_visit.h"
#include "clock_doubts.h"
#include "measures.h"
#include "values/outermost.h"
#include "values/shares.h"
#include "waiting.h"

static const HieraColumn columns[] = {
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"calls", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"ranks", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"bytes", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},
    {"min", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

/* Sums of one line of the program over all ranks. */
typedef struct {
    guint32 site;
    gint64 calls, mpi_ns, waiting_ns, bytes;
    GArray *shares; /* HieraShare: MPI time of the line, by processor */
} Line;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    const GArray *waits; /* of hiera_waits_find() */
    guint at;            /* index in `waits` of the first one that is not added yet */
    GHashTable *lines;   /* HieraSite.id → Line */
} Search;

/* Return a scope that selects the lines: if `scope` selects nothing, all operations but functions. */
static HieraScope scope_of_lines(const HieraScope *scope)
{
    HieraScope lines = *scope;
    if (!hiera_scope_has_units(scope))
        lines.without = "function";
    return lines;
}

static void line_free(gpointer data)
{
    Line *line = data;
    g_array_unref(line->shares);
    g_free(line);
}

static Line *find_line(const Search *search, guint32 site)
{
    Line *line = g_hash_table_lookup(search->lines, GUINT_TO_POINTER(site));
    if (!line) {
        line = g_new0(Line, 1);
        line->site = site;
        line->shares = g_array_new(FALSE, FALSE, sizeof(HieraShare));
        g_hash_table_insert(search->lines, GUINT_TO_POINTER(site), line);
    }
    return line;
}

/* Add an MPI call, not inside another MPI call, to the costs of its line. */
static void add_cost(Search *search, Line *line, guint32 processor, guint32 row, gint64 bytes)
{
    const HieraTrace *trace = search->trace;
    gint64 start_ns = trace->start_ns[row], mpi_ns = hiera_scope_clip(search->scope, start_ns, trace->finish_ns[row]);
    gint64 waiting_ns = hiera_waits_clip(search->waits, &search->at, row, search->scope);
    line->mpi_ns = hiera_plus(line->mpi_ns, mpi_ns);
    line->waiting_ns = hiera_plus(line->waiting_ns, waiting_ns);
    line->bytes = hiera_plus(line->bytes, bytes);
    hiera_shares_add(line->shares, processor, mpi_ns);
}

static void search_processor(Search *search, guint32 number)
{
    const HieraTrace *trace = search->trace;
    const HieraProcessor *processor = &trace->processors[number];
    HieraInside unit = HIERA_OUTSIDE, mpi = HIERA_OUTSIDE;
    HieraSentBytes *sent = NULL;
    Line *line = NULL;
    for (guint32 row = (guint32)processor->first; row < processor->first + processor->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        guint32 depth = trace->depth[row], thread = trace->thread[row];
        gboolean in_unit = hiera_inside_holds(&unit, depth, thread), in_mpi = hiera_inside_holds(&mpi, depth, thread);
        if (!in_unit && hiera_scope_accepts_row(search->scope, trace, row) &&
            hiera_scope_touches(search->scope, trace->start_ns[row], trace->finish_ns[row])) {
            hiera_inside_enter(&unit, depth, thread);
            line = find_line(search, site->id);
            line->calls +=
                trace->start_ns[row] >= search->scope->from_ns && trace->start_ns[row] < search->scope->to_ns;
            in_unit = TRUE;
        }
        if (!site->mpi || in_mpi)
            continue;
        gint64 bytes = hiera_sent_bytes_of_row(&sent, trace, row);
        hiera_inside_enter(&mpi, depth, thread);
        if (in_unit)
            add_cost(search, line, number, row, bytes);
    }
    hiera_sent_bytes_clear(&sent);
}

static void add_summed(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user)
{
    Search *search = user;
    const HieraProcessor *processor = &search->trace->processors[place->processor];
    if (!place->unit)
        return;
    Line *line = find_line(search, place->unit->id);
    line->calls = hiera_plus(line->calls, place->is_unit ? summed->calls : 0);
    if (!summed->site->mpi || place->in_mpi)
        return;
    gint64 mpi_ns = hiera_summed_time(summed, processor->finalize_ns);
    line->mpi_ns = hiera_plus(line->mpi_ns, mpi_ns);
    line->waiting_ns = hiera_plus(line->waiting_ns, hiera_summed_waiting(summed));
    line->bytes = hiera_plus(line->bytes, hiera_sent_bytes_of_summed(summed));
    hiera_shares_add(line->shares, place->processor, mpi_ns);
}

static void add_row(const Search *search, const Line *line, guint n_processors, HieraTable *table)
{
    const HieraSite *site = hiera_catalog_peek_site(search->trace->catalog, line->site);
    gint64 max_ns = 0, min_ns = line->shares->len < n_processors ? 0 : G_MAXINT64;
    for (guint i = 0; i < line->shares->len; i++) {
        gint64 mpi_ns = g_array_index(line->shares, HieraShare, i).time_ns;
        max_ns = MAX(max_ns, mpi_ns);
        min_ns = MIN(min_ns, mpi_ns);
    }
    g_autofree char *name = g_strconcat(site->class_name, *site->class_name ? "::" : "", site->operation, NULL);
    hiera_table_add(
        table,
        (HieraCell[]){{.text = site->level},
                      {.text = hiera_table_keep(table, name)},
                      {.text = site->short_file},
                      {.number = site->line},
                      {.number = line->calls},
                      {.number = line->mpi_ns},
                      {.number = line->waiting_ns},
                      {.text = hiera_shares_name_ranks(line->shares, search->trace,
                                                       max_ns > 0 ? hiera_shares_nearly(max_ns) : G_MAXINT64, table)},
                      {.number = line->bytes},
                      {.number = min_ns},
                      {.number = line->mpi_ns / n_processors},
                      {.number = max_ns},
                      {.number = hiera_imbalance(line->mpi_ns, n_processors, max_ns)}});
}

/* Sort by MPI time, most first; if equal, by call site. */
static gint compare_lines(gconstpointer left, gconstpointer right, gpointer data)
{
    const Line *a = left, *b = right;
    if (a->mpi_ns != b->mpi_ns)
        return (a->mpi_ns < b->mpi_ns) - (a->mpi_ns > b->mpi_ns);
    return hiera_site_compare(hiera_catalog_peek_site(data, a->site), hiera_catalog_peek_site(data, b->site));
}

static guint count_processors(const HieraTrace *trace, const HieraScope *scope)
{
    guint n = 0;
    for (guint32 i = 0; i < trace->n_processors; i++)
        n += hiera_scope_accepts_rank(scope, trace->processors[i].rank);
    return n;
}

static void add_rows(const Search *search, HieraTable *table)
{
    guint n_processors = count_processors(search->trace, search->scope);
    g_autoptr(GList) sorted =
        g_list_sort_with_data(g_hash_table_get_values(search->lines), compare_lines, search->trace->catalog);
    for (const GList *at = sorted; at; at = at->next) {
        const Line *line = at->data;
        hiera_shares_settle(line->shares);
        if (line->shares->len > 0) /* leave out lines without MPI calls */
            add_row(search, line, n_processors, table);
    }
}

static void limit_sums(const HieraTrace *trace, HieraTable *table)
{
    if (hiera_trace_has_sums(trace))
        hiera_table_limit(
            table, HIERA_FINDING_SUMS,
            "profiles have sums: waiting is that of single operations, and what HIERA_SYNC=1 has measured");
}

static void search_all(Search *search, guint32 processor)
{
    search_processor(search, processor);
    hiera_summed_visit_one(search->trace, processor, search->scope, add_summed, search);
}

/* --- several processes: process 0 gets the lines of all processes, which number call sites alike --- */

static void pack_lines(HieraPacker *to, gpointer user)
{
    GHashTableIter iterator;
    gpointer item;
    hiera_pack_number(to, g_hash_table_size(((const Search *)user)->lines));
    g_hash_table_iter_init(&iterator, ((const Search *)user)->lines);
    while (g_hash_table_iter_next(&iterator, NULL, &item)) {
        const Line *line = item;
        const gint64 numbers[] = {line->site, line->calls, line->mpi_ns, line->waiting_ns, line->bytes};
        hiera_pack_bytes(to, numbers, sizeof numbers);
        hiera_shares_pack(line->shares, to);
    }
}

static void unpack_lines(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        gint64 numbers[5];
        hiera_unpack_bytes(from, numbers, sizeof numbers);
        Line *line = find_line(user, (guint32)numbers[0]);
        line->calls = hiera_plus(line->calls, numbers[1]);
        line->mpi_ns = hiera_plus(line->mpi_ns, numbers[2]);
        line->waiting_ns = hiera_plus(line->waiting_ns, numbers[3]);
        line->bytes = hiera_plus(line->bytes, numbers[4]);
        hiera_shares_unpack(from, line->shares);
    }
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    g_autoptr(GHashTable) lines = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, line_free);
    const HieraScope of_lines = scope_of_lines(scope);
    Search search = {trace, &of_lines, waits, 0, lines};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scope, trace->processors[i].rank) && hiera_scope_is_own(scope, i))
            search_all(&search, i);
    }
    hiera_scope_gather_others(scope, trace, pack_lines, unpack_lines, &search);
    if (hiera_scope_leads(scope))
        add_rows(&search, table);
    HieraDoubtSums sums = hiera_clock_doubts_gather(trace, waits, scope);
    hiera_clock_doubts_limit(trace, &sums, table);
    limit_sums(trace, table);
    return TRUE;
}

const HieraMeasure hiera_measure_hotspots = {
    .name = "hotspots",
    .help = "lines by MPI time, with the part that is waiting, and the ranks",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_SUMS | HIERA_MEASURE_TOGETHER,
    .find = find,
};
