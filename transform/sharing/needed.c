/* See needed.h. If it is not certain which processes need an operation (a receive from any source), all get it. */
#include "needed.h"
#include "parallel/parallel.h"

#define EVERYBODY G_MAXUINT64 /* mask of all processes; bit i of a mask: processes with HIERA_NEEDED_GROUP i */

/* Cache of a call site: the mask of its last call, as the next call mostly names the same ranks. */
typedef struct {
    gboolean known;
    guint32 comm;
    gint32 peer, source;
    guint64 mask;
} Last;

struct HieraNeeded {
    const HieraCatalog *catalog;
    const GArray *processors; /* HieraProcessor */
    const guint *processes;
    GHashTable *by_rank; /* world rank → 1 + index of the processor in `processors` */
    guint64 *members;    /* by communicator: mask of processes that have traces of members; 0: not computed yet */
    Last *last;          /* by call site: mask of the last call */
    guint64 others;      /* mask of all processes but this one; of all if several processes share a bit */
};

static guint64 mask_of_process(guint process)
{
    return G_GUINT64_CONSTANT(1) << HIERA_NEEDED_GROUP(process);
}

static guint64 mask_of_groups(guint n)
{
    return n < HIERA_NEEDED_GROUPS ? (G_GUINT64_CONSTANT(1) << n) - 1 : EVERYBODY;
}

/* State of the search in one piece, the operations of one trace file. */
typedef struct {
    const HieraNeeded *needed;
    const HieraPiece *piece;
    guint64 *masks;       /* by row: mask of processes that need the row */
    GHashTable *requests; /* request number → mask of processes that need the calls which name the request */
    GHashTable *windows;  /* window → mask of processes whose ranks this rank names in its epochs of the window */
} Search;

HieraNeeded *hiera_needed_new(const HieraCatalog *catalog, const GArray *processors, const guint *processes)
{
    HieraNeeded *needed = g_new(HieraNeeded, 1);
    *needed = (HieraNeeded){catalog,
                            processors,
                            processes,
                            g_hash_table_new(NULL, NULL),
                            g_new0(guint64, (gsize)hiera_catalog_count_communicators(catalog) + 1),
                            g_new0(Last, (gsize)hiera_catalog_count_sites(catalog) + 1),
                            EVERYBODY};
    if (hiera_parallel_size() <= HIERA_NEEDED_GROUPS)
        needed->others = ~mask_of_process(hiera_parallel_rank());
    for (guint i = 0; i < processors->len; i++)
        g_hash_table_insert(needed->by_rank, GUINT_TO_POINTER(g_array_index(processors, HieraProcessor, i).rank),
                            GUINT_TO_POINTER(i + 1));
    return needed;
}

void hiera_needed_free(HieraNeeded *needed)
{
    g_hash_table_unref(needed->by_rank);
    g_free(needed->members);
    g_free(needed->last);
    g_free(needed);
}

/* --- ranks as masks of processes --- */

/* Return the mask of the process that has the trace of a world rank; 0: no process has it. */
static guint64 mask_of_rank(const HieraNeeded *needed, gint64 rank)
{
    guint number = rank < 0 ? 0 : GPOINTER_TO_UINT(g_hash_table_lookup(needed->by_rank, GUINT_TO_POINTER((guint)rank)));
    return number == 0 ? 0 : mask_of_process(needed->processes[number - 1]);
}

static guint64 mask_of_list(const HieraNeeded *needed, const HieraRanks *ranks)
{
    guint64 mask = 0;
    for (guint i = 0; ranks && i < needed->processors->len; i++) {
        if (hiera_ranks_contain(ranks, g_array_index(needed->processors, HieraProcessor, i).rank))
            mask |= mask_of_process(needed->processes[i]);
    }
    return mask;
}

/* Return the mask of processes that have traces of a communicator's members; of all if the members are unknown. */
static guint64 mask_of_members(const HieraNeeded *needed, guint32 comm)
{
    if (comm == HIERA_NONE)
        return 0;
    guint64 *mask = &needed->members[comm];
    const HieraCommunicator *of = hiera_catalog_peek_communicator(needed->catalog, comm);
    if (*mask == 0)
        *mask = of->declared ? mask_of_list(needed, of->ranks) | mask_of_list(needed, of->remote) : EVERYBODY;
    return *mask;
}

/* Return the mask of the process that has a communicator's rank `peer`; if `peer` is a wildcard, of all members. */
static guint64 mask_of_peer(const HieraNeeded *needed, guint32 comm, gint32 peer)
{
    if (comm == HIERA_NONE || peer == HIERA_PROC_NULL)
        return 0;
    const HieraCommunicator *of = hiera_catalog_peek_communicator(needed->catalog, comm);
    if (peer < 0)
        return mask_of_members(needed, comm);
    return mask_of_rank(needed, of->declared ? hiera_ranks_at(of->remote ? of->remote : of->ranks, peer) : peer);
}

/* --- which processes need an operation --- */

/* Whether a call may be about locks of a window: it has no partner, but other ranks must know who holds which lock. */
static gboolean is_of_locks(const HieraSite *site)
{
    return site->kind == HIERA_KIND_RMA && !g_str_has_prefix(site->operation, "win_flush");
}

static gboolean is_of_epochs(HieraKind kind)
{
    return kind >= HIERA_KIND_EXPOSE && kind <= HIERA_KIND_ACCESS_END;
}

static guint64 find_mask(const HieraNeeded *needed, const HieraPieceBlock *block, guint32 at)
{
    const HieraSite *site = hiera_catalog_peek_site(needed->catalog, block->site[at]);
    HieraKind kind = site->starts == HIERA_KIND_LOCAL ? site->kind : site->starts;
    guint32 comm = block->comm[at];
    if (kind == HIERA_KIND_SEND)
        return mask_of_peer(needed, comm, block->peer[at]);
    if (kind == HIERA_KIND_RECEIVE || kind == HIERA_KIND_PROBE)
        return mask_of_peer(needed, comm, block->source[at]);
    if (kind == HIERA_KIND_SEND_RECEIVE)
        return mask_of_peer(needed, comm, block->peer[at]) | mask_of_peer(needed, comm, block->source[at]);
    return hiera_kind_collective(kind) || kind == HIERA_KIND_GROUP || is_of_locks(site) ? mask_of_members(needed, comm)
                                                                                        : 0;
}

static guint64 mask_of_row(const HieraNeeded *needed, const HieraPieceBlock *block, guint32 at)
{
    Last *last = &needed->last[block->site[at]];
    if (!last->known || last->comm != block->comm[at] || last->peer != block->peer[at] ||
        last->source != block->source[at])
        *last = (Last){TRUE, block->comm[at], block->peer[at], block->source[at], find_mask(needed, block, at)};
    return last->mask;
}

static const HieraPieceBlock *block_of(const HieraPiece *piece, guint32 row)
{
    return g_ptr_array_index(piece->blocks, row / HIERA_PIECE_ROWS);
}

/* Return the requests that a row names. @param n  becomes their number */
static const HieraRequest *requests_of(const HieraPiece *piece, guint32 row, guint *n)
{
    guint32 first = block_of(piece, row)->requests[row % HIERA_PIECE_ROWS];
    *n = (row + 1 < piece->n ? block_of(piece, row + 1)->requests[(row + 1) % HIERA_PIECE_ROWS] : piece->request->len) -
         first;
    return &g_array_index(piece->request, HieraRequest, first);
}

static guint32 first_request(const HieraPiece *piece, guint32 row)
{
    return block_of(piece, row)->requests[row % HIERA_PIECE_ROWS];
}

/* @param row  a row at or a little before the result @return the row that names a request, by the request's index
 *  */
static guint32 find_row(const HieraPiece *piece, guint32 request, guint32 row)
{
    guint32 step = 1;
    for (; step < piece->n - row && first_request(piece, row + step) <= request; step *= 2)
        row += step;
    for (guint32 high = MIN(row + step, piece->n); high - row > 1;) {
        guint32 middle = row + (high - row) / 2;
        if (first_request(piece, middle) <= request)
            row = middle;
        else
            high = middle;
    }
    return row;
}

static guint64 find_request(const Search *search, gint64 number)
{
    return GPOINTER_TO_SIZE(g_hash_table_lookup(search->requests, GSIZE_TO_POINTER((gsize)number)));
}

static void add_request(const Search *search, gint64 number, guint64 mask)
{
    if (number != 0)
        g_hash_table_insert(search->requests, GSIZE_TO_POINTER((gsize)number),
                            GSIZE_TO_POINTER((gsize)(find_request(search, number) | mask)));
}

static void mark_rows(const Search *search)
{
    guint n;
    for (guint32 row = 0; row < search->piece->n; row++) {
        guint64 mask =
            mask_of_row(search->needed, block_of(search->piece, row), row % HIERA_PIECE_ROWS) & search->needed->others;
        search->masks[row] = mask;
        if (mask == 0)
            continue;
        const HieraRequest *requests = requests_of(search->piece, row, &n);
        for (guint i = 0; i < n; i++)
            add_request(search, requests[i].number, mask);
    }
}

/* Mark all calls that name a request which a needed call has started. The requests of the rows follow one
 * another. */
static void mark_requests(const Search *search)
{
    const GArray *requests = search->piece->request;
    guint32 row = 0;
    for (guint i = 0; i < requests->len; i++) {
        guint64 mask = find_request(search, g_array_index(requests, HieraRequest, i).number);
        if (mask == 0)
            continue;
        row = find_row(search->piece, i, row);
        search->masks[row] |= mask;
    }
}

/* Mark the callers of needed operations as needed, too; they have smaller rows than what they call. */
static void mark_callers(const Search *search)
{
    for (guint32 row = search->piece->n; row-- > 0;) {
        guint32 parent = block_of(search->piece, row)->parent[row % HIERA_PIECE_ROWS];
        if (parent != HIERA_NONE)
            search->masks[parent] |= search->masks[row];
    }
}

static guint64 find_window(const Search *search, guint32 window)
{
    return GPOINTER_TO_SIZE(g_hash_table_lookup(search->windows, GUINT_TO_POINTER(window)));
}

/* Mark calls for members of a communicator that the call itself creates, as these are counted on it. Members of a group
 * that an epoch names need all epochs of that window, since epochs are counted. */
static void mark_groups(const Search *search)
{
    for (guint i = 0; i < search->piece->sparse->len; i++) {
        const HieraSparseRow *of = &g_array_index(search->piece->sparse, HieraSparseRow, i);
        const HieraPieceBlock *block = block_of(search->piece, of->row);
        guint32 at = of->row % HIERA_PIECE_ROWS, window = block->comm[at];
        HieraKind kind = hiera_catalog_peek_site(search->needed->catalog, block->site[at])->kind;
        guint64 mask = mask_of_members(search->needed, of->sparse.other) & search->needed->others;
        if (kind == HIERA_KIND_GROUP || hiera_kind_collective(kind))
            search->masks[of->row] |= mask;
        if (is_of_epochs(kind))
            g_hash_table_insert(search->windows, GUINT_TO_POINTER(window),
                                GSIZE_TO_POINTER((gsize)(find_window(search, window) | mask)));
    }
}

static void mark_epochs(const Search *search)
{
    for (guint32 row = 0; g_hash_table_size(search->windows) > 0 && row < search->piece->n; row++) {
        const HieraPieceBlock *block = block_of(search->piece, row);
        guint32 at = row % HIERA_PIECE_ROWS;
        if (is_of_epochs(hiera_catalog_peek_site(search->needed->catalog, block->site[at])->kind))
            search->masks[row] |= find_window(search, block->comm[at]);
    }
}

/* --- lists of needed rows --- */

/* @param n  becomes, by HIERA_NEEDED_GROUP, the number of rows that the group needs */
static void count_rows(const Search *search, guint groups, guint *n)
{
    for (guint32 row = 0; row < search->piece->n; row++) {
        for (guint64 mask = search->masks[row] & mask_of_groups(groups); mask != 0; mask &= mask - 1)
            n[__builtin_ctzll(mask)]++;
    }
}

static GPtrArray *list_rows(const Search *search)
{
    GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    guint n[HIERA_NEEDED_GROUPS] = {0}, groups = MIN(hiera_parallel_size(), HIERA_NEEDED_GROUPS);
    count_rows(search, groups, n);
    for (guint i = 0; i < groups; i++)
        g_ptr_array_add(lists, g_array_sized_new(FALSE, FALSE, sizeof(guint32), n[i]));
    for (guint32 row = 0; row < search->piece->n; row++) {
        for (guint64 mask = search->masks[row] & mask_of_groups(groups); mask != 0; mask &= mask - 1)
            g_array_append_val(g_ptr_array_index(lists, __builtin_ctzll(mask)), row);
    }
    return lists;
}

GPtrArray *hiera_needed_find(const HieraNeeded *needed, const HieraPiece *piece)
{
    g_autoptr(GHashTable) requests = g_hash_table_new(NULL, NULL), windows = g_hash_table_new(NULL, NULL);
    g_autofree guint64 *masks = g_new0(guint64, (gsize)piece->n + 1);
    Search search = {needed, piece, masks, requests, windows};
    mark_rows(&search);
    mark_requests(&search);
    mark_groups(&search);
    mark_epochs(&search);
    mark_callers(&search);
    return list_rows(&search);
}
