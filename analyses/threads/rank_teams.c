/* Finds regions, then the team of each implicit task, then of each operation; see rank_teams.h. */
#include "rank_teams.h"

static guint32 team_around(const HieraTeamSearch *search, guint32 row)
{
    guint32 parent = search->trace->parent[row];
    return parent == HIERA_NONE ? HIERA_NONE : *hiera_search_team_of(search, parent);
}

static gint compare_teams(gconstpointer left, gconstpointer right)
{
    const HieraTeam *a = left, *b = right;
    return a->begin_ns != b->begin_ns ? (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns)
                                      : (a->row > b->row) - (a->row < b->row);
}

static gint compare_workers(gconstpointer left, gconstpointer right, gpointer user)
{
    const HieraWorker *a = left, *b = right;
    const gint64 *start_ns = ((const HieraTrace *)user)->start_ns;
    return start_ns[a->row] != start_ns[b->row]
               ? (start_ns[a->row] > start_ns[b->row]) - (start_ns[a->row] < start_ns[b->row])
               : (a->row > b->row) - (a->row < b->row);
}

/* Find the rows of parallel regions, and the implicit tasks outside of these. */
static void find_regions(const HieraTeamSearch *search)
{
    const HieraTrace *trace = search->trace;
    for (guint32 row = search->first; row < search->behind; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        guint32 parent = trace->parent[row];
        if (site->mpi)
            continue;
        if (hiera_site_is_openmp(site, HIERA_PARALLEL)) {
            HieraTeam team = {row, 1, trace->start_ns[row], trace->finish_ns[row]};
            g_array_append_val(search->found->teams, team);
        } else if (hiera_site_is_openmp(site, HIERA_IMPLICIT_TASK) &&
                   (parent == HIERA_NONE ||
                    !hiera_site_is_openmp(hiera_trace_peek_site(trace, parent), HIERA_PARALLEL))) {
            HieraWorker worker = {row, trace->thread[row], HIERA_NONE, 0, 0};
            g_array_append_val(search->workers, worker);
        }
    }
    g_array_sort(search->found->teams, compare_teams);
    g_array_sort_with_data(search->workers, compare_workers, (gpointer)trace);
}

/* Return the last worker of a thread, of those that have a team; NULL: none. */
static HieraWorker *peek_last(const HieraTeamSearch *search, guint32 thread)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(search->last, GUINT_TO_POINTER(thread)));
    return place == 0 ? NULL : &g_array_index(search->workers, HieraWorker, place - 1);
}

/* Whether a thread has a part of a team already, as the one that began it, or as a worker. */
static gboolean has_thread(const HieraTeamSearch *search, guint32 team, guint32 thread)
{
    const HieraWorker *last = peek_last(search, thread);
    return search->trace->thread[hiera_search_team(search, team)->row] == thread || (last && last->team == team);
}

/* Return how well a worker fits into a team: the greater, the better; 0: not at all. */
static guint find_fit(const HieraTeamSearch *search, guint32 team, const HieraWorker *worker)
{
    const HieraTeam *of = hiera_search_team(search, team);
    const HieraSite *a = hiera_trace_peek_site(search->trace, of->row);
    const HieraSite *b = hiera_trace_peek_site(search->trace, worker->row);
    gboolean has_place = a->line == b->line && g_str_equal(a->file, b->file);
    gboolean is_inside = search->trace->finish_ns[worker->row] <= of->end_ns;
    gboolean is_other =
        hiera_construct_number(search->trace, of->row) != hiera_construct_number(search->trace, worker->row);
    return is_other || has_thread(search, team, worker->thread) ? 0 : 1 + 2 * is_inside + has_place;
}

/* Return the team of a worker, of those that are open. @param open  guint32, in order of begin */
static guint32 choose_team(const HieraTeamSearch *search, const GArray *open, const HieraWorker *worker)
{
    guint32 chosen = HIERA_NONE;
    guint best = 0;
    for (guint i = 0; i < open->len; i++) {
        guint32 team = g_array_index(open, guint32, i);
        guint fit = find_fit(search, team, worker);
        if (fit > best || (fit > 0 && fit == best &&
                           hiera_search_team(search, team)->n_threads < hiera_search_team(search, chosen)->n_threads)) {
            best = fit;
            chosen = team;
        }
    }
    return chosen;
}

static void close_teams(const HieraTeamSearch *search, GArray *open, gint64 at_ns)
{
    for (guint i = open->len; i-- > 0;)
        if (hiera_search_team(search, g_array_index(open, guint32, i))->end_ns < at_ns)
            g_array_remove_index(open, i);
}

/* Let a worker be in its team. */
static void join_team(const HieraTeamSearch *search, guint index)
{
    HieraWorker *worker = &g_array_index(search->workers, HieraWorker, index),
                *last = peek_last(search, worker->thread);
    HieraTeam *team = hiera_search_team(search, worker->team);
    team->n_threads++;
    worker->from_ns = team->begin_ns;
    worker->until_ns = team->end_ns;
    if (last) {
        last->until_ns = MIN(last->until_ns, search->trace->start_ns[worker->row]);
        worker->from_ns = MAX(worker->from_ns, last->until_ns);
    }
    g_hash_table_insert(search->last, GUINT_TO_POINTER(worker->thread), GUINT_TO_POINTER(index + 1));
}

static void find_teams_of_workers(const HieraTeamSearch *search)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 next = 0;
    for (guint i = 0; i < search->workers->len; i++) {
        HieraWorker *worker = &g_array_index(search->workers, HieraWorker, i);
        gint64 start_ns = search->trace->start_ns[worker->row];
        for (; next < search->found->teams->len && hiera_search_team(search, next)->begin_ns <= start_ns; next++)
            g_array_append_val(open, next);
        close_teams(search, open, start_ns);
        worker->team = choose_team(search, open, worker);
        if (worker->team != HIERA_NONE)
            join_team(search, i);
    }
}

guint32 hiera_search_late(const HieraTeamSearch *search, const HieraWorker *worker, guint32 row)
{
    const HieraTrace *trace = search->trace;
    do
        row++;
    while (row < search->behind && trace->thread[row] == worker->thread && trace->parent[row] != HIERA_NONE);
    if (row == search->behind || trace->thread[row] != worker->thread ||
        trace->start_ns[row] >= hiera_search_team(search, worker->team)->end_ns ||
        hiera_site_is_openmp(hiera_trace_peek_site(trace, row), HIERA_IMPLICIT_TASK))
        return HIERA_NONE;
    return row;
}

/* Set team_of of all rows: an operation is in the team of the one around it. A region of one thread is no team. */
static void mark_rows(const HieraTeamSearch *search)
{
    for (guint32 i = 0; i < search->found->teams->len; i++)
        if (hiera_search_team(search, i)->n_threads > 1 || search->of_one)
            *hiera_search_team_of(search, hiera_search_team(search, i)->row) = i;
    for (guint i = 0; i < search->workers->len; i++) {
        const HieraWorker *worker = &g_array_index(search->workers, HieraWorker, i);
        if (worker->team == HIERA_NONE)
            continue;
        for (guint32 row = worker->row; row != HIERA_NONE; row = hiera_search_late(search, worker, row))
            *hiera_search_team_of(search, row) = worker->team;
    }
    for (guint32 row = search->first; row < search->behind; row++)
        if (*hiera_search_team_of(search, row) == HIERA_NONE)
            *hiera_search_team_of(search, row) = team_around(search, row);
}

gboolean hiera_search_teams(const HieraTeamSearch *search)
{
    find_regions(search);
    if (search->found->teams->len == 0 || (search->workers->len == 0) != search->of_one)
        return FALSE;
    find_teams_of_workers(search);
    mark_rows(search);
    return TRUE;
}
