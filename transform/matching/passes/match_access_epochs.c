/* Accesses to windows; see match_epochs.h. An access belongs to the epoch of a fence only if no other one is open,
 * because a fence does not have to begin an epoch. */
#include "base/vocabulary.h"
#include "match_epochs.h"

guint32 hiera_epochs_find_lock(const HieraOpenEpochs *window, gint32 target)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(window->locks, GINT_TO_POINTER(target)));
    return place ? place - 1 : HIERA_NONE;
}

gboolean hiera_epochs_are_accessed(const HieraOpenEpochs *window)
{
    return window->start != HIERA_NONE || window->lock_all != HIERA_NONE || g_hash_table_size(window->locks) > 0;
}

static void complete_all(const HieraEpochs *epochs, GArray *rows, guint32 by)
{
    for (guint i = 0; i < rows->len; i++) {
        HieraPair pair = {g_array_index(rows, guint32, i), by};
        g_array_append_val(epochs->match->completions, pair);
    }
}

void hiera_epochs_complete_target(const HieraEpochs *epochs, const HieraOpenEpochs *window, gint32 target, guint32 by)
{
    GArray *rows = g_hash_table_lookup(window->pending, GINT_TO_POINTER(target));
    if (rows)
        complete_all(epochs, rows, by);
    g_hash_table_remove(window->pending, GINT_TO_POINTER(target));
}

void hiera_epochs_complete_all(const HieraEpochs *epochs, const HieraOpenEpochs *window, guint32 by)
{
    GHashTableIter at;
    gpointer rows;
    g_hash_table_iter_init(&at, window->pending);
    while (g_hash_table_iter_next(&at, NULL, &rows))
        complete_all(epochs, rows, by);
    g_hash_table_remove_all(window->pending);
}

static gboolean group_has(const HieraEpochs *epochs, guint32 place, gint32 world_rank)
{
    guint32 group = g_array_index(epochs->epochs, HieraEpoch, place).group;
    return group == HIERA_NONE ||
           hiera_ranks_contain(hiera_catalog_peek_communicator(epochs->trace->catalog, group)->ranks, world_rank);
}

/* Return the index of the open epoch in which an access to a target lies; HIERA_NONE: there is none. */
static guint32 find_epoch(const HieraEpochs *epochs, const HieraOpenEpochs *window, gint32 target, gint32 world_rank)
{
    if (window->start != HIERA_NONE)
        return group_has(epochs, window->start, world_rank) ? window->start : HIERA_NONE;
    if (hiera_epochs_find_lock(window, target) != HIERA_NONE)
        return hiera_epochs_find_lock(window, target);
    return hiera_epochs_are_accessed(window) ? window->lock_all : window->fence;
}

void hiera_epochs_access(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    gint32 target = epochs->trace->peer[row];
    if (target < 0) {
        hiera_match_set_reason(epochs->match, row,
                               target == HIERA_PROC_NULL ? HIERA_REASON_PROC_NULL : HIERA_REASON_UNKNOWN_PEER);
        return;
    }
    const HieraCommunicator *communicator = hiera_match_communicator(epochs->trace, epochs->trace->comm[row]);
    gint32 world_rank = communicator ? hiera_match_translate(communicator, target) : HIERA_ABSENT;
    if (world_rank < 0) {
        hiera_match_set_reason(epochs->match, row,
                               world_rank == HIERA_STRANGER ? HIERA_REASON_ELSEWHERE : HIERA_REASON_BAD_RANK);
        return;
    }
    HieraAccess access = {row, epochs->processor, world_rank, find_epoch(epochs, window, target, world_rank)};
    g_array_append_val(epochs->accesses, access);
    if (access.epoch == HIERA_NONE)
        return;
    const HieraEpoch *epoch = &g_array_index(epochs->epochs, HieraEpoch, access.epoch);
    gboolean locks = epoch->kind == HIERA_EPOCH_LOCK;
    if (!locks && hiera_trace_peek_site(epochs->trace, row)->operation[0] == 'r')
        hiera_epochs_add_misuse(
            epochs, row,
            "has a request, so it must lie in an epoch of win_lock or win_lock_all, not in one of a "
            "fence or win_start");
    if (locks && window->locked == HIERA_NONE)
        window->locked = epoch->open;
    GArray *rows = g_hash_table_lookup(window->pending, GINT_TO_POINTER(target));
    if (!rows) {
        rows = g_array_new(FALSE, FALSE, sizeof(guint32));
        g_hash_table_insert(window->pending, GINT_TO_POINTER(target), rows);
    }
    g_array_append_val(rows, row);
}
