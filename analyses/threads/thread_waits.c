/* Adds up idle spans by class and call site, and in each team looks for the thread that came last; see thread_waits.h.
 */
#include "thread_waits.h"
#include "constructs.h"
#include "values/outermost.h"
#include "values/unrecorded.h"

const char *hiera_thread_wait_name(guint8 class)
{
    switch (class) {
    case HIERA_IDLE_SERIAL:
        return "serial part";
    case HIERA_IDLE_MPI:
        return "main thread in MPI";
    case HIERA_IDLE_UNUSED:
        return "no part in region";
    default:
        return hiera_idle_name((HieraIdle) class);
    }
}

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraThreadWaits *waits;
    GHashTable *places; /* (site, class) → index of the row + 1 */
    guint32 processor;
} Search;

static void row_clear(gpointer row)
{
    g_array_unref(((HieraThreadWait *)row)->ranks);
    g_array_unref(((HieraThreadWait *)row)->threads);
    g_array_unref(((HieraThreadWait *)row)->late);
    g_array_unref(((HieraThreadWait *)row)->taken);
}

static HieraThreadWait *find_row(const Search *search, const HieraSite *site, guint8 class)
{
    gsize number = site ? (gsize)site->id + 1 : 0;
    gpointer key = GSIZE_TO_POINTER(number * HIERA_N_THREAD_WAITS + class);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(search->places, key));
    if (place == 0) {
        HieraThreadWait row = {.class = class,
                               .site = site,
                               .ranks = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                               .threads = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                               .late = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                               .taken = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                               .schedule = HIERA_ABSENT};
        g_array_append_val(search->waits->rows, row);
        g_hash_table_insert(search->places, key, GUINT_TO_POINTER(place = search->waits->rows->len));
    }
    return &g_array_index(search->waits->rows, HieraThreadWait, place - 1);
}

/* Add a time to that of a thread, or of a call site. They are few, and come in any order. */
static void add_to(GArray *shares, guint32 number, gint64 time_ns)
{
    for (guint i = shares->len; i-- > 0;) {
        HieraShare *share = &g_array_index(shares, HieraShare, i);
        if (share->processor == number) {
            share->time_ns = hiera_plus(share->time_ns, time_ns);
            return;
        }
    }
    HieraShare share = {number, time_ns};
    g_array_append_val(shares, share);
}

/* Whether an operation, or the main thread outside of all, is in the scope. */
static gboolean accepts(const Search *search, guint32 row)
{
    if (!hiera_scope_has_units(search->scope))
        return TRUE;
    for (; row != HIERA_NONE; row = search->trace->parent[row])
        if (hiera_scope_accepts_row(search->scope, search->trace, row))
            return TRUE;
    return FALSE;
}

/* Add the idle time of `n` threads from one moment to another. */
static void add_wait(const HieraTeamWait *wait, gpointer user)
{
    const Search *search = user;
    gint64 time_ns = hiera_scope_clip(search->scope, wait->begin_ns, wait->end_ns) * wait->n;
    if (time_ns == 0 || !accepts(search, wait->inside))
        return;
    const HieraSite *site = wait->row == HIERA_NONE ? NULL : hiera_trace_peek_site(search->trace, wait->row);
    HieraThreadWait *row = find_row(search, site, wait->class);
    row->count++;
    row->time_ns = hiera_plus(row->time_ns, time_ns);
    row->worst_ns = MAX(row->worst_ns, time_ns);
    hiera_shares_add(row->ranks, search->processor, time_ns);
    if (wait->thread != HIERA_NONE)
        add_to(row->threads, wait->thread, time_ns);
    if (wait->late != HIERA_NONE)
        add_to(row->late, wait->late, time_ns);
    if (wait->taken != HIERA_NONE)
        add_to(row->taken, hiera_trace_peek_site(search->trace, wait->taken)->id, time_ns);
    if (wait->taken != HIERA_NONE && wait->class == HIERA_IDLE_BARRIER)
        row->schedule = MAX(row->schedule, hiera_construct_number(search->trace, wait->taken));
    if (wait->late != HIERA_NONE && wait->first) {
        row->last_ns = hiera_plus(row->last_ns, wait->last_ns);
        row->others_ns = hiera_plus(row->others_ns, wait->others_ns);
    }
}

static void add_teams(const Search *search, const GArray *teams)
{
    for (guint i = 0; i < teams->len; i++) {
        const HieraTeam *team = &g_array_index(teams, HieraTeam, i);
        gint64 time_ns = hiera_scope_clip(search->scope, team->begin_ns, team->end_ns);
        search->waits->n_teams += team->n_threads > 1 && time_ns > 0;
        search->waits->teams_ns = hiera_plus(search->waits->teams_ns, team->n_threads > 1 ? time_ns : 0);
    }
}

static void add_processor(Search *search, guint32 processor)
{
    const HieraProcessor *of = &search->trace->processors[processor];
    gint64 time_ns = hiera_scope_clip(search->scope, of->init_ns, of->finalize_ns);
    const HieraRankThreads *threads = hiera_rank_threads_of(search->match, processor);
    search->processor = processor;
    if (!threads) {
        search->waits->all_ns = hiera_plus(search->waits->all_ns, time_ns);
        return;
    }
    search->waits->all_ns = hiera_plus(search->waits->all_ns, time_ns * threads->n_threads);
    search->waits->n_ranks++;
    search->waits->most_threads = MAX(search->waits->most_threads, (gint64)threads->n_threads);
    add_teams(search, threads->teams);
    HieraShare crowded = {processor, of->usage.n_cpus};
    if (of->usage.n_cpus > 0 && of->usage.n_cpus < (gint64)threads->n_threads)
        g_array_append_val(search->waits->crowded, crowded);
    hiera_team_waits_visit(threads, search->trace, processor, add_wait, search);
}

/* --- several processes: process 0 gets the rows of all --- */

static void pack(HieraPacker *to, gpointer user)
{
    const HieraThreadWaits *waits = ((const Search *)user)->waits;
    const gint64 sums[] = {waits->all_ns,  waits->n_ranks,  waits->most_threads,
                           waits->n_teams, waits->teams_ns, waits->rows->len};
    hiera_pack_bytes(to, sums, sizeof sums);
    hiera_shares_pack(waits->crowded, to);
    for (guint i = 0; i < waits->rows->len; i++) {
        const HieraThreadWait *row = &g_array_index(waits->rows, HieraThreadWait, i);
        const gint64 numbers[] = {row->class,     row->site ? (gint64)row->site->id : -1,
                                  row->count,     row->time_ns,
                                  row->worst_ns,  row->last_ns,
                                  row->others_ns, row->schedule};
        hiera_pack_bytes(to, numbers, sizeof numbers);
        hiera_shares_pack(row->ranks, to);
        hiera_shares_pack(row->threads, to);
        hiera_shares_pack(row->late, to);
        hiera_shares_pack(row->taken, to);
    }
}

static void unpack_row(Search *search, HieraUnpacker *from)
{
    gint64 numbers[8];
    hiera_unpack_bytes(from, numbers, sizeof numbers);
    const HieraSite *site =
        numbers[1] < 0 ? NULL : hiera_catalog_peek_site(search->trace->catalog, (guint32)numbers[1]);
    HieraThreadWait *row = find_row(search, site, (guint8)numbers[0]);
    row->count = hiera_plus(row->count, numbers[2]);
    row->time_ns = hiera_plus(row->time_ns, numbers[3]);
    row->worst_ns = MAX(row->worst_ns, numbers[4]);
    row->last_ns = hiera_plus(row->last_ns, numbers[5]);
    row->others_ns = hiera_plus(row->others_ns, numbers[6]);
    row->schedule = MAX(row->schedule, (gint32)numbers[7]);
    hiera_shares_unpack(from, row->ranks);
    hiera_shares_unpack(from, row->threads);
    hiera_shares_unpack(from, row->late);
    hiera_shares_unpack(from, row->taken);
}

static void unpack(HieraUnpacker *from, gpointer user)
{
    Search *search = user;
    gint64 sums[6];
    hiera_unpack_bytes(from, sums, sizeof sums);
    search->waits->all_ns = hiera_plus(search->waits->all_ns, sums[0]);
    search->waits->n_ranks += sums[1];
    search->waits->most_threads = MAX(search->waits->most_threads, sums[2]);
    search->waits->n_teams += sums[3];
    search->waits->teams_ns = hiera_plus(search->waits->teams_ns, sums[4]);
    hiera_shares_unpack(from, search->waits->crowded);
    for (gint64 i = 0; i < sums[5]; i++)
        unpack_row(search, from);
}

/* Sort by time, longest first; if equal, by class, then by place. */
static gint compare_rows(gconstpointer left, gconstpointer right)
{
    const HieraThreadWait *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? 1 : -1;
    if (a->class != b->class || !a->site || !b->site)
        return a->class != b->class ? (gint)a->class - b->class : (a->site != NULL) - (b->site != NULL);
    return hiera_site_compare(a->site, b->site);
}

void hiera_thread_waits_find(HieraThreadWaits *waits, const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    *waits = (HieraThreadWaits){.rows = g_array_new(FALSE, FALSE, sizeof(HieraThreadWait)),
                                .crowded = g_array_new(FALSE, FALSE, sizeof(HieraShare))};
    Search search = {match, trace, scope, waits, places, 0};
    g_array_set_clear_func(waits->rows, row_clear);
    for (guint32 i = 0; i < trace->n_processors; i++)
        if (hiera_scope_accepts_rank(scope, trace->processors[i].rank) && hiera_scope_is_own(scope, i))
            add_processor(&search, i);
    hiera_scope_gather_others(scope, trace, pack, unpack, &search);
    for (guint i = 0; i < waits->rows->len; i++) {
        HieraThreadWait *row = &g_array_index(waits->rows, HieraThreadWait, i);
        hiera_shares_settle(row->ranks);
        hiera_shares_settle(row->threads);
        hiera_shares_settle(row->late);
        hiera_shares_settle(row->taken);
    }
    g_array_sort(waits->rows, compare_rows);
}

void hiera_thread_waits_clear(HieraThreadWaits *waits)
{
    g_array_unref(waits->rows);
    g_array_unref(waits->crowded);
}

char *hiera_thread_waits_say_crowded(const HieraThreadWaits *waits, const HieraTrace *trace, const HieraScope *scope)
{
    if (waits->crowded->len == 0)
        return NULL;
    const HieraShare *first = &g_array_index(waits->crowded, HieraShare, 0);
    for (guint i = 1; i < waits->crowded->len; i++) {
        const HieraShare *other = &g_array_index(waits->crowded, HieraShare, i);
        first = other->time_ns < first->time_ns ? other : first;
    }
    g_autofree char *how_long = hiera_queued_how_long(trace, scope, waits->crowded, TRUE);
    guint32 rank = trace->processors[first->processor].rank;
    g_autofree char *processors =
        g_strdup_printf("%" G_GINT64_FORMAT " processor%s", first->time_ns, first->time_ns == 1 ? "" : "s");
    g_autofree char *who =
        waits->n_ranks == 1
            ? g_strdup_printf("rank %u has fewer processors than threads (%s)", rank, processors)
            : g_strdup_printf("%u of %" G_GINT64_FORMAT " ranks %s fewer processors than threads (rank %u: %s)",
                              waits->crowded->len, waits->n_ranks, waits->crowded->len == 1 ? "has" : "have", rank,
                              processors);
    return g_strdup_printf("%s%s%s: mpirun --bind-to none, or --map-by slot:PE=THREADS, if the host has more", who,
                           how_long ? ", so that threads waited for a processor " : "", how_long ? how_long : "");
}

const char *hiera_thread_waits_name(const GArray *threads, gint64 least_ns, HieraTable *table)
{
    return hiera_shares_name_ranks(threads, NULL, least_ns, table);
}

/* Return the greatest share; NULL: there is none. */
static const HieraShare *peek_most(const GArray *shares)
{
    const HieraShare *most = NULL;
    for (guint i = 0; i < shares->len; i++) {
        const HieraShare *share = &g_array_index(shares, HieraShare, i);
        most = !most || share->time_ns > most->time_ns ? share : most;
    }
    return most;
}

static gboolean is_held(const HieraThreadWait *row)
{
    return row->class == HIERA_IDLE_CRITICAL || row->class == HIERA_IDLE_LOCK;
}

/* Whether threads of a row wait most of all for tasks to be created, and not for their ends. */
static gboolean is_created(const HieraThreadWait *row, const HieraTrace *trace)
{
    const HieraShare *most = row->class == HIERA_IDLE_TASKS ? peek_most(row->taken) : NULL;
    return most && hiera_site_is_openmp(hiera_catalog_peek_site(trace->catalog, most->processor), HIERA_CREATE_TASK);
}

static const char *name_schedule(gint32 number)
{
#define X(of) of,
    static const char *const schedules[] = {HIERA_CONSTRUCT_SCHEDULES(X)};
#undef X
    return number > 0 && number <= (gint32)G_N_ELEMENTS(schedules) ? schedules[number - 1] : "";
}

/* Add where the threads that have what others wait for took it, like ", entered at a.c:30"; of a barrier the loop whose
 * end it is, like " (loop a.c:30, schedule static)"; of tasks theirs, or where they are created. */
static void add_taken(const HieraThreadWait *row, const HieraTrace *trace, GString *text)
{
    const HieraShare *most = peek_most(row->taken);
    if (!most)
        return;
    char share[HIERA_NUMBER_BYTES] = "";
    const char *verb = row->class == HIERA_IDLE_LOCK ? "taken" : "entered";
    g_autofree char *place = hiera_site_place(hiera_catalog_peek_site(trace->catalog, most->processor));
    if (row->class == HIERA_IDLE_BARRIER) {
        g_string_append_printf(text, " (loop %s%s%s)", place, row->schedule > 0 ? ", schedule " : "",
                               name_schedule(row->schedule));
        return;
    }
    if (row->class == HIERA_IDLE_TASKS && row->taken->len == 1) {
        g_string_append_printf(text, " (%s)", place);
        return;
    }
    if (row->taken->len > 1)
        hiera_percent_format(share, hiera_percent(most->time_ns, row->time_ns));
    if (row->class == HIERA_IDLE_TASKS)
        g_string_append_printf(text, " (most of all %s: %s)", place, share);
    else
        g_string_append_printf(text, row->taken->len > 1 ? ", %s most of all at %s (%s)" : ", %s at %s%s", verb, place,
                               share);
}

/* Return how long the last thread computes, like "computes 1.8 times as long as the others"; "": no longer. */
static char *describe_longer(const HieraThreadWait *row)
{
    enum { ALONE = 100 };
    double times = row->others_ns > 0 ? (double)row->last_ns / (double)row->others_ns : ALONE;
    if (is_held(row) || row->last_ns == 0 || times < 1.05)
        return g_strdup("");
    if (times >= ALONE)
        return g_strdup("computes, the others do not");
    return g_strdup_printf("computes %.*f times as long as the others", times < 10 ? 1 : 0, times);
}

const char *hiera_thread_wait_cause(const HieraThreadWait *row, const HieraTrace *trace, HieraTable *table)
{
    enum { MOSTLY = 7500 /* in 0.01 % */ };
    const HieraShare *latest = peek_most(row->late);
    if (!latest)
        return "";
    char share[HIERA_NUMBER_BYTES];
    g_autofree char *longer = describe_longer(row);
    const char *one = "comes last", *several = "come last";
    if (is_held(row)) {
        one = row->class == HIERA_IDLE_LOCK ? "has it" : "is in it";
        several = row->class == HIERA_IDLE_LOCK ? "have it" : "are in it";
    }
    if (row->class == HIERA_IDLE_TASKS) {
        one = is_created(row, trace) ? "is late to create a task" : "runs the last task";
        several = is_created(row, trace) ? "are late to create a task" : "run the last task";
    }
    const char *before = *longer ? ": the last one " : "";
    gint64 percent = hiera_percent(latest->time_ns, row->time_ns);
    g_autoptr(GString) text = g_string_new(NULL);
    hiera_percent_format(share, percent);
    if (row->late->len == 1)
        g_string_append_printf(text, "thread %u %s", latest->processor, *longer ? longer : one);
    else if (percent >= MOSTLY)
        g_string_append_printf(text, "thread %u (%s) %s%s%s", latest->processor, share, one, before, longer);
    else
        g_string_append_printf(text, "by turns threads %s, most of all thread %u (%s)%s%s", several, latest->processor,
                               share, before, longer);
    add_taken(row, trace, text);
    return hiera_table_keep(table, text->str);
}
