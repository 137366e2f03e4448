/* One-sided communication: pairs exposure epochs with access epochs, and each access with the calls that open and
 * close the window at its target.
 *
 * On a window, the n-th win_post of rank A for rank B matches the n-th win_start of B for A. Fences are collectives.
 * For an access under a lock the target makes no call; its window counts as open from its creation until it is
 * freed. */
#include "match_windows.h"
#include "base/vocabulary.h"
#include "matching/match_before.h"
#include "text/hash.h"
#include <string.h>

/* A win_start or win_post, for one rank of its group. `origin` and `target` are world ranks. */
typedef struct {
    guint32 context;
    gint32 origin, target;
    guint32 epoch; /* index in `epochs`; within a rank, indices rise with time */
} Side;

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *epochs, *accesses;
    GArray *starts, *posts; /* Side: one for each win_start or win_post, and each rank of its group */
    GHashTable *exposures; /* index of the epoch of a win_start, and target → index of the epoch of the win_post + 1 */
    GHashTable *made, *freed; /* context and processor → row + 1 of the call that created (freed) the window */
} Windows;

static guint32 find(GHashTable *table, guint32 high, guint32 low)
{
    guint value = GPOINTER_TO_UINT(g_hash_table_lookup(table, hiera_pair(high, low)));
    return value ? value - 1 : HIERA_NONE;
}

static const HieraEpoch *peek_epoch(const Windows *windows, guint32 place)
{
    return &g_array_index(windows->epochs, HieraEpoch, place);
}

static void add_pair(GArray *pairs, guint32 from, guint32 to)
{
    HieraPair pair = {from, to};
    if (from != HIERA_NONE && to != HIERA_NONE)
        g_array_append_val(pairs, pair);
}

/* --- pairing win_start with win_post --- */

static void add_side(const Windows *windows, guint32 place, gint32 other)
{
    const HieraEpoch *epoch = peek_epoch(windows, place);
    gboolean starts = epoch->kind == HIERA_EPOCH_START;
    gint32 own = (gint32)windows->trace->processors[epoch->processor].rank;
    Side side = {windows->match->context[epoch->window], starts ? own : other, starts ? other : own, place};
    g_array_append_val(starts ? windows->starts : windows->posts, side);
}

/* Add a Side for each rank of a group. A trace may claim that a group has billions of ranks, so of a large group only
 * the traced ranks are added.
 * @return  why other ranks of the group have no Side; MATCHED if there are none */
static HieraReason add_members(const Windows *windows, guint32 place, const HieraRanks *group)
{
    const HieraTrace *trace = windows->trace;
    gint64 n = hiera_ranks_count(group), added = 0;
    if (n <= trace->n_processors) {
        for (gint64 i = 0; i < n; i++)
            add_side(windows, place, hiera_ranks_at(group, i));
        return HIERA_REASON_MATCHED;
    }
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!hiera_ranks_contain(group, trace->processors[i].rank))
            continue;
        add_side(windows, place, (gint32)trace->processors[i].rank);
        added++;
    }
    if (added == n)
        return HIERA_REASON_MATCHED;
    return hiera_ranks_has_strangers(group) ? HIERA_REASON_ELSEWHERE : HIERA_REASON_NOT_TRACED;
}

static void add_sides(const Windows *windows, guint32 place)
{
    const HieraEpoch *epoch = peek_epoch(windows, place);
    if (epoch->kind != HIERA_EPOCH_START && epoch->kind != HIERA_EPOCH_POST)
        return;
    if (hiera_match_before_made(windows->trace, epoch->processor, epoch->window)) {
        /* No partner can be found, because the number of earlier epochs is not known. */
        hiera_match_set_reason(windows->match, epoch->open, HIERA_REASON_BEFORE);
        return;
    }
    if (epoch->group == HIERA_NONE) {
        hiera_match_set_reason(windows->match, epoch->open, HIERA_REASON_UNDECLARED);
        return;
    }
    const HieraRanks *group = hiera_catalog_peek_communicator(windows->trace->catalog, epoch->group)->ranks;
    hiera_match_set_reason(windows->match, epoch->open, add_members(windows, place, group));
}

static int compare_keys(const Side *left, const Side *right)
{
    if (left->context != right->context)
        return left->context < right->context ? -1 : 1;
    if (left->origin != right->origin)
        return left->origin < right->origin ? -1 : 1;
    return (left->target > right->target) - (left->target < right->target);
}

static int compare_sides(const void *a, const void *b)
{
    const Side *left = a, *right = b;
    int order = compare_keys(left, right);
    return order ? order : (left->epoch > right->epoch) - (left->epoch < right->epoch);
}

/* Pair a win_start with its win_post, and the calls that end both epochs. */
static void pair(const Windows *windows, const Side *start, const Side *post)
{
    const HieraEpoch *access = peek_epoch(windows, start->epoch), *exposure = peek_epoch(windows, post->epoch);
    add_pair(windows->match->epochs, exposure->open, access->open);
    add_pair(windows->match->epochs, access->close, exposure->close);
    g_hash_table_insert(windows->exposures, hiera_pair(start->epoch, (guint32)start->target),
                        GUINT_TO_POINTER(post->epoch + 1));
}

/* Return why a call of `rank` is missing; BEFORE if one of both traces begins late, as the call may lie before. */
static HieraReason blame_rank(const Windows *windows, guint32 own, gint32 rank, guint32 window, guint lacks)
{
    HieraReason reason = hiera_match_blame(windows->trace, windows->match, own, rank, window, lacks);
    guint32 other = hiera_trace_find_rank(windows->trace, rank);
    gboolean begins =
        windows->trace->processors[own].before || (other != HIERA_NONE && windows->trace->processors[other].before);
    return begins && reason == HIERA_REASON_NO_PARTNER ? HIERA_REASON_BEFORE : reason;
}

/* Give a win_start or win_post the reason why a rank of its group has no call for it. @param peer  that rank */
static void blame(const Windows *windows, const Side *side, gint32 peer)
{
    const HieraEpoch *epoch = peek_epoch(windows, side->epoch);
    HieraReason reason = blame_rank(windows, epoch->processor, peer, epoch->window, HIERA_LACKS_EPOCHS);
    hiera_match_set_reason(windows->match, epoch->open, reason);
}

/* Pair the n-th win_start with the n-th win_post between two ranks. Both arrays are sorted. */
static void pair_sides(const Windows *windows)
{
    const Side *start = (const Side *)(void *)windows->starts->data, *last_start = start + windows->starts->len;
    const Side *post = (const Side *)(void *)windows->posts->data, *last_post = post + windows->posts->len;
    while (start < last_start || post < last_post) {
        int order = start == last_start ? 1 : -1;
        if (start < last_start && post < last_post)
            order = compare_keys(start, post);
        if (order == 0)
            pair(windows, start++, post++);
        else if (order < 0)
            blame(windows, start, start->target), start++;
        else
            blame(windows, post, post->origin), post++;
    }
}

/* Copy the reason (why no partner) of the call that began an epoch to the call that ends the epoch. */
static void give_reasons(const Windows *windows)
{
    for (guint i = 0; i < windows->epochs->len; i++) {
        const HieraEpoch *epoch = peek_epoch(windows, i);
        if ((epoch->kind == HIERA_EPOCH_START || epoch->kind == HIERA_EPOCH_POST) && epoch->close != HIERA_NONE)
            hiera_match_set_reason(windows->match, epoch->close, (HieraReason)windows->match->reason[epoch->open]);
    }
}

/* --- accesses and the window at their target --- */

/* Find, for each window and processor, the rows that created and freed it. */
static void find_lives(const Windows *windows)
{
    const HieraTrace *trace = windows->trace;
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        if (site->kind != HIERA_KIND_ALL_TO_ALL)
            continue;
        gboolean frees = strcmp(site->operation, HIERA_OPERATION_WIN_FREE) == 0;
        guint32 window = frees ? trace->comm[row] : hiera_trace_peek_sparse(trace, row)->other;
        if (window == HIERA_NONE || windows->match->context[window] == HIERA_NONE)
            continue;
        g_hash_table_insert(frees ? windows->freed : windows->made,
                            hiera_pair(windows->match->context[window], hiera_trace_find_processor(trace, row)),
                            GUINT_TO_POINTER(row + 1));
    }
}

static gboolean is_of(const HieraProcessor *processor, guint32 row)
{
    return row >= processor->first && row < processor->first + processor->n_operations;
}

/* Return the row of one processor in the collective of `row`; HIERA_NONE if it took no part.
 * @param rank  of the processor in the communicator: its index if all members took part, which is tried first */
static guint32 find_member(const Windows *windows, guint32 row, guint32 processor, gint32 rank)
{
    guint32 number = row == HIERA_NONE ? HIERA_NONE : hiera_match_collective(windows->match, row);
    if (number == HIERA_NONE)
        return HIERA_NONE;
    const HieraCollective *collective = &g_array_index(windows->match->collectives, HieraCollective, number);
    const HieraProcessor *of = &windows->trace->processors[processor];
    const guint32 *members = &g_array_index(windows->match->members, guint32, collective->first);
    if ((guint32)rank < collective->n && is_of(of, members[rank]))
        return members[rank];
    for (guint32 i = 0; i < collective->n; i++) {
        if (is_of(of, members[i]))
            return members[i];
    }
    return HIERA_NONE;
}

/* Find the calls of the target that open and close its window for an access.
 * @param processor    of the target
 * @param open, close  receive rows, or HIERA_NONE */
static void find_exposure(const Windows *windows, const HieraAccess *access, guint32 processor, guint32 *open,
                          guint32 *close)
{
    const HieraEpoch *epoch = peek_epoch(windows, access->epoch);
    guint32 context = windows->match->context[epoch->window];
    guint32 exposure = HIERA_NONE;
    *open = *close = HIERA_NONE;
    switch (epoch->kind) {
    case HIERA_EPOCH_FENCE:
        *open = find_member(windows, epoch->open, processor, windows->trace->peer[access->row]);
        *close = find_member(windows, epoch->close, processor, windows->trace->peer[access->row]);
        break;
    case HIERA_EPOCH_START:
        exposure = find(windows->exposures, access->epoch, (guint32)access->target);
        if (exposure != HIERA_NONE) {
            *open = peek_epoch(windows, exposure)->open;
            *close = peek_epoch(windows, exposure)->close;
        }
        break;
    case HIERA_EPOCH_LOCK:
    case HIERA_EPOCH_POST:
        *open = find(windows->made, context, processor);
        *close = find(windows->freed, context, processor);
        break;
    }
}

static void add_transfer(const Windows *windows, const HieraAccess *access)
{
    HieraMatch *match = windows->match;
    guint32 window = windows->trace->comm[access->row], open, close;
    guint32 processor = hiera_trace_find_rank(windows->trace, access->target);
    if (access->epoch == HIERA_NONE) {
        gboolean lacks = hiera_match_lacks(windows->trace, match, access->processor, window,
                                           HIERA_LACKS_EPOCHS | HIERA_LACKS_COLLECTIVES);
        gboolean before = hiera_match_before_made(windows->trace, access->processor, window);
        hiera_match_set_reason(match, access->row,
                               lacks    ? HIERA_REASON_FILTERED
                               : before ? HIERA_REASON_BEFORE
                                        : HIERA_REASON_NO_EPOCH);
        return;
    }
    if (processor == HIERA_NONE) {
        hiera_match_set_reason(match, access->row, HIERA_REASON_NOT_TRACED);
        return;
    }
    HieraKind kind = hiera_trace_peek_site(windows->trace, access->row)->kind;
    find_exposure(windows, access, processor, &open, &close);
    if (kind != HIERA_KIND_PUT)
        add_pair(match->transfers, open, access->row);
    if (kind != HIERA_KIND_GET)
        add_pair(match->transfers, access->row, close);
    hiera_match_set_reason(match, access->row,
                           (kind != HIERA_KIND_PUT ? open : close) != HIERA_NONE
                               ? HIERA_REASON_MATCHED
                               : blame_rank(windows, access->processor, access->target, window,
                                            HIERA_LACKS_EPOCHS | HIERA_LACKS_COLLECTIVES));
}

static void windows_init(Windows *windows, const HieraTrace *trace, HieraMatch *match)
{
    *windows = (Windows){.trace = trace, .match = match};
    windows->epochs = g_array_new(FALSE, FALSE, sizeof(HieraEpoch));
    windows->accesses = g_array_new(FALSE, FALSE, sizeof(HieraAccess));
    windows->starts = g_array_sized_new(FALSE, FALSE, sizeof(Side), 1); /* 1, so that `data` is never NULL */
    windows->posts = g_array_sized_new(FALSE, FALSE, sizeof(Side), 1);
    windows->exposures = g_hash_table_new(hiera_hash_pair, NULL);
    windows->made = g_hash_table_new(hiera_hash_pair, NULL);
    windows->freed = g_hash_table_new(hiera_hash_pair, NULL);
}

static void windows_clear(Windows *windows)
{
    g_array_unref(windows->epochs);
    g_array_unref(windows->accesses);
    g_array_unref(windows->starts);
    g_array_unref(windows->posts);
    g_hash_table_unref(windows->exposures);
    g_hash_table_unref(windows->made);
    g_hash_table_unref(windows->freed);
}

void hiera_match_windows(const HieraTrace *trace, HieraMatch *match)
{
    Windows windows;
    windows_init(&windows, trace, match);
    hiera_match_epochs(trace, match, windows.epochs, windows.accesses);
    for (guint i = 0; i < windows.epochs->len; i++)
        add_sides(&windows, i);
    g_array_sort(windows.starts, compare_sides);
    g_array_sort(windows.posts, compare_sides);
    pair_sides(&windows);
    give_reasons(&windows);
    if (windows.accesses->len > 0)
        find_lives(&windows);
    for (guint i = 0; i < windows.accesses->len; i++)
        add_transfer(&windows, &g_array_index(windows.accesses, HieraAccess, i));
    windows_clear(&windows);
}
