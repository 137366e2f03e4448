/* See lockstep.h. Each thread goes on until a call has to wait, and again when that is over. Among those that are left
 * at the end a search finds the circles. O(n) for n operations and waits. */
#include "base/key_index.h"
#include "lockstep.h"

/* Nodes are the rows of all operations, and behind them the groups. */
typedef struct {
    HieraLockstep of;
    guint32 n_rows, n_nodes;
    guint32 *missing;     /* by node: for how many others it waits */
    guint32 *first, *out; /* waits by the node that they are for: those of node i are out[first[i]], … */
    guint8 *begun;        /* by node */
    guint32 *at;          /* by lane: row that the lane is at */
    GArray *ready;        /* guint32: nodes, and lanes, to go on with */
} Run;

static const HieraAwait *await_of(const Run *run, guint32 i)
{
    return &g_array_index(run->of.awaits, HieraAwait, i);
}

static guint32 lane_of(const Run *run, guint32 row)
{
    guint32 low = 0;
    for (guint32 high = run->of.lanes->len; high - low > 1;) {
        guint32 middle = low + (high - low) / 2;
        if (g_array_index(run->of.lanes, HieraThreadRows, middle).first <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static guint32 end_of(const Run *run, guint32 lane)
{
    return lane + 1 < run->of.lanes->len ? g_array_index(run->of.lanes, HieraThreadRows, lane + 1).first : run->n_rows;
}

static guint32 rank_of(const Run *run, guint32 lane)
{
    return g_array_index(run->of.lanes, HieraThreadRows, lane).rank;
}

/* --- running --- */

/* Give the groups their nodes. */
static void number_groups(Run *run)
{
    g_autoptr(HieraKeyIndex) groups = hiera_key_index_new(1);
    run->n_nodes = run->n_rows;
    for (guint32 i = 0; i < run->of.awaits->len; i++) {
        HieraAwait *await = &g_array_index(run->of.awaits, HieraAwait, i);
        if (await->flags & HIERA_AWAITED_OF)
            await->waiter = run->n_rows + hiera_key_index_add(groups, &await->waiter);
        if (await->flags & HIERA_AWAIT_GROUP)
            await->awaited = run->n_rows + hiera_key_index_add(groups, &await->awaited);
        run->n_nodes = MAX(run->n_nodes, MAX(await->waiter, await->awaited) + 1);
    }
}

static void sort_waits(Run *run)
{
    guint32 n = run->of.awaits->len;
    run->missing = g_new0(guint32, run->n_nodes);
    run->first = g_new0(guint32, (gsize)run->n_nodes + 2);
    run->out = g_new(guint32, (gsize)n + 1);
    run->begun = g_new0(guint8, run->n_nodes);
    for (guint32 i = 0; i < n; i++) {
        run->missing[await_of(run, i)->waiter]++;
        run->first[await_of(run, i)->awaited + 2]++;
    }
    for (guint32 i = 2; i < run->n_nodes + 2; i++)
        run->first[i] += run->first[i - 1];
    for (guint32 i = 0; i < n; i++)
        run->out[run->first[await_of(run, i)->awaited + 1]++] = i;
}

/* A node begins. Groups of which it was the last member are ready then, and lanes that waited for it alone. */
static void begin(Run *run, guint32 node)
{
    run->begun[node] = TRUE;
    for (guint32 i = run->first[node]; i < run->first[node + 1]; i++) {
        guint32 waiter = await_of(run, run->out[i])->waiter;
        if (--run->missing[waiter] == 0 && (waiter >= run->n_rows || run->begun[waiter]))
            g_array_append_val(run->ready, waiter);
    }
}

/* Go on with a lane from where it is, until a call has to wait. */
static void go_on(Run *run, guint32 lane)
{
    guint32 end = end_of(run, lane);
    for (guint32 row = run->at[lane]; row < end; row = ++run->at[lane]) {
        if (!run->begun[row])
            begin(run, row);
        if (run->missing[row] > 0)
            return;
    }
}

static void run_all(Run *run)
{
    for (guint32 lane = 0; lane < run->of.lanes->len; lane++)
        run->at[lane] = g_array_index(run->of.lanes, HieraThreadRows, lane).first;
    for (guint32 lane = 0; lane < run->of.lanes->len; lane++) {
        go_on(run, lane);
        while (run->ready->len > 0) {
            guint32 node = g_array_index(run->ready, guint32, run->ready->len - 1);
            g_array_set_size(run->ready, run->ready->len - 1);
            if (node >= run->n_rows)
                begin(run, node);
            else if (run->at[lane_of(run, node)] == node)
                go_on(run, lane_of(run, node));
        }
    }
}

/* --- circles --- */

/* A wait that is not over: from a lane that is stuck, or a group (numbered behind the lanes), to what it waits for. */
typedef struct {
    guint32 from, to, await;
} Edge;

static gint compare_edges(gconstpointer a, gconstpointer b)
{
    const Edge *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return (left->to > right->to) - (left->to < right->to);
}

static guint32 place_of(const Run *run, guint32 node)
{
    return node < run->n_rows ? lane_of(run, node) : run->of.lanes->len + node - run->n_rows;
}

/* By rank: whether it has a receive from any source that waits, which could get any message to it. */
static guint8 *find_open(const Run *run)
{
    guint32 ranks = 0;
    for (guint32 lane = 0; lane < run->of.lanes->len; lane++)
        ranks = MAX(ranks, rank_of(run, lane) + 1);
    guint8 *open = g_new0(guint8, (gsize)ranks + 1);
    for (guint i = 0; i < run->of.wild->len; i++) {
        const HieraWildReceive *wild = &g_array_index(run->of.wild, HieraWildReceive, i);
        if (run->begun[wild->row] && (wild->from == HIERA_NONE || !run->begun[wild->from]))
            open[rank_of(run, lane_of(run, wild->row))] = TRUE;
    }
    return open;
}

/* The waits that nothing else can end, by where they are from. */
static GArray *find_edges(const Run *run)
{
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(Edge));
    g_autofree guint8 *open = find_open(run);
    for (guint32 i = 0; i < run->of.awaits->len; i++) {
        const HieraAwait *await = await_of(run, i);
        gboolean is_lane = await->waiter < run->n_rows;
        if (run->begun[await->awaited] || await->flags & HIERA_AWAIT_MAYBE ||
            (is_lane && run->at[lane_of(run, await->waiter)] != await->waiter))
            continue;
        Edge edge = {place_of(run, await->waiter), place_of(run, await->awaited), i};
        if (!(await->flags & HIERA_AWAIT_SEND) || !open[rank_of(run, edge.to)])
            g_array_append_val(edges, edge);
    }
    g_array_sort(edges, compare_edges);
    return edges;
}

/* A search for circles, from place to place. */
typedef struct {
    const Run *run;
    GArray *edges;
    guint32 *first; /* by place: its first edge; where that of the next place is, the list ends */
    guint32 *depth; /* by place: number of it on the path, from 1; 0: not yet seen; HIERA_NONE: done */
    GArray *path;   /* guint32: edges from the first place to the last one */
    GArray *hops;   /* HieraHop, of all circles */
} Search;

static const Edge *edge_at(const Search *search, guint32 i)
{
    return &g_array_index(search->edges, Edge, g_array_index(search->path, guint32, i));
}

static void add_circle(const Search *search, guint32 from)
{
    guint32 n_lanes = search->run->of.lanes->len, n = search->path->len, shift = 0;
    while (edge_at(search, from + shift)->from >= n_lanes)
        shift++;
    for (guint32 i = 0; i < n - from; i++) {
        const Edge *edge = edge_at(search, from + (i + shift) % (n - from));
        const HieraAwait *await = await_of(search->run, edge->await);
        HieraHop hop = {await->waiter, await->awaited, await->flags, i + 1 == n - from};
        if (edge->from < n_lanes)
            g_array_append_val(search->hops, hop);
        else
            g_array_index(search->hops, HieraHop, search->hops->len - 1).awaited = await->awaited;
        g_array_index(search->hops, HieraHop, search->hops->len - 1).last = hop.last;
    }
}

static void search_from(Search *search, guint32 place)
{
    g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(guint32)); /* by number on the path: its next edge */
    g_array_set_size(search->path, 0);
    search->depth[place] = 1;
    g_array_append_val(next, search->first[place]);
    while (next->len > 0) {
        guint32 edge = g_array_index(next, guint32, next->len - 1)++;
        if (edge >= search->first[place + 1]) {
            search->depth[place] = HIERA_NONE;
            g_array_set_size(next, next->len - 1);
            if (next->len == 0)
                return;
            place = g_array_index(search->edges, Edge, g_array_index(search->path, guint32, next->len - 1)).from;
            g_array_set_size(search->path, next->len - 1);
            continue;
        }
        guint32 to = g_array_index(search->edges, Edge, edge).to;
        g_array_append_val(search->path, edge);
        if (search->depth[to] != 0 && search->depth[to] != HIERA_NONE)
            add_circle(search, search->depth[to] - 1);
        if (search->depth[to] != 0) {
            g_array_set_size(search->path, search->path->len - 1);
            continue;
        }
        place = to;
        search->depth[place] = next->len + 1;
        g_array_append_val(next, search->first[place]);
    }
}

static void find_circles(const Run *run, GArray *hops)
{
    guint32 n = run->of.lanes->len + run->n_nodes - run->n_rows;
    g_autoptr(GArray) edges = find_edges(run), path = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree guint32 *first = g_new0(guint32, (gsize)n + 2), *depth = g_new0(guint32, (gsize)n + 1);
    Search search = {run, edges, first, depth, path, hops};
    for (guint32 i = 0; i < edges->len; i++)
        first[g_array_index(edges, Edge, i).from + 1]++;
    for (guint32 i = 1; i <= n; i++)
        first[i] += first[i - 1];
    for (guint32 lane = 0; lane < run->of.lanes->len; lane++)
        if (depth[lane] == 0)
            search_from(&search, lane);
}

static gint compare_lanes(gconstpointer a, gconstpointer b)
{
    return ((const HieraThreadRows *)a)->first < ((const HieraThreadRows *)b)->first ? -1 : 1;
}

void hiera_lockstep_run(const HieraLockstep *lockstep, guint32 n_rows, GArray *hops)
{
    Run run = {.of = *lockstep, .n_rows = n_rows};
    g_array_sort(run.of.lanes, compare_lanes);
    number_groups(&run);
    sort_waits(&run);
    run.at = g_new0(guint32, (gsize)run.of.lanes->len + 1);
    run.ready = g_array_new(FALSE, FALSE, sizeof(guint32));
    run_all(&run);
    find_circles(&run, hops);
    g_free(run.missing);
    g_free(run.first);
    g_free(run.out);
    g_free(run.begun);
    g_free(run.at);
    g_array_unref(run.ready);
}
