/* Epochs: the times in which a rank may access windows of other ranks (MPI standard 4.0, section 12.5).
 *
 * Goes through each rank's calls on a window in the order of time and keeps track of the open epochs. A fence epoch
 * lasts from one fence to the next. */
#include "match_epochs.h"
#include "base/vocabulary.h"
#include "matching/match_before.h"
#include <string.h>

static HieraOpenEpochs *window_new(void)
{
    HieraOpenEpochs *window = g_new(HieraOpenEpochs, 1);
    *window = (HieraOpenEpochs){HIERA_NONE, HIERA_NONE, HIERA_NONE, HIERA_NONE, HIERA_NONE, NULL, NULL};
    window->locks = g_hash_table_new(NULL, NULL);
    window->pending = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    return window;
}

static void window_free(gpointer data)
{
    HieraOpenEpochs *window = data;
    g_hash_table_unref(window->locks);
    g_hash_table_unref(window->pending);
    g_free(window);
}

static HieraOpenEpochs *find_window(HieraEpochs *epochs, guint32 comm)
{
    HieraOpenEpochs *window = g_hash_table_lookup(epochs->windows, GUINT_TO_POINTER(comm));
    if (!window) {
        window = window_new();
        g_hash_table_insert(epochs->windows, GUINT_TO_POINTER(comm), window);
    }
    return window;
}

static void add_between(const HieraEpochs *epochs, guint32 row, const char *text, guint32 from, guint32 to)
{
    HieraMisuse misuse = {row, text, {from, to}};
    if (!hiera_match_lacks(epochs->trace, epochs->match, epochs->processor, epochs->trace->comm[row],
                           HIERA_LACKS_EPOCHS | HIERA_LACKS_COLLECTIVES) &&
        !hiera_match_before_made(epochs->trace, epochs->processor, epochs->trace->comm[row]))
        g_array_append_val(epochs->match->misuses, misuse);
}

void hiera_epochs_add_misuse(const HieraEpochs *epochs, guint32 row, const char *text)
{
    add_between(epochs, row, text, HIERA_NONE, HIERA_NONE);
}

/* --- opening and closing an epoch --- */

static guint32 open_epoch(HieraEpochs *epochs, HieraEpochKind kind, guint32 row)
{
    HieraEpoch epoch = {.kind = kind,
                        .processor = epochs->processor,
                        .window = epochs->trace->comm[row],
                        .group = hiera_trace_peek_sparse(epochs->trace, row)->other,
                        .open = row,
                        .close = HIERA_NONE};
    g_array_append_val(epochs->epochs, epoch);
    return epochs->epochs->len - 1;
}

static void close_epoch(HieraEpochs *epochs, guint32 *place, guint32 row)
{
    if (*place != HIERA_NONE)
        g_array_index(epochs->epochs, HieraEpoch, *place).close = row;
    *place = HIERA_NONE;
}

/* --- what each call on a window does --- */

/* win_start, win_lock_all: open an access epoch. @param place  set to the index of the epoch */
static void open_access(HieraEpochs *epochs, const HieraOpenEpochs *window, HieraEpochKind kind, guint32 row,
                        guint32 *place)
{
    if (hiera_epochs_are_accessed(window))
        hiera_epochs_add_misuse(epochs, row, "begins an access epoch while another one is open on its window");
    *place = open_epoch(epochs, kind, row);
}

/* win_complete, win_unlock_all: end the access epoch with the index *place. @param misuse  reported if there is none */
static void close_access(HieraEpochs *epochs, const HieraOpenEpochs *window, guint32 row, guint32 *place,
                         const char *misuse)
{
    if (*place == HIERA_NONE) {
        hiera_epochs_add_misuse(epochs, row, misuse);
        return;
    }
    hiera_epochs_complete_all(epochs, window, row);
    close_epoch(epochs, place, row);
}

static void fence(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    if (hiera_epochs_are_accessed(window) || window->post != HIERA_NONE)
        hiera_epochs_add_misuse(epochs, row, "is called while an epoch of another kind is open on its window");
    if (window->locked != HIERA_NONE && window->fence != HIERA_NONE)
        add_between(
            epochs, window->locked,
            "begins an epoch with accesses between two fences, which these accesses make an epoch, too; give the "
            "fences MPI_MODE_NOSUCCEED and MPI_MODE_NOPRECEDE",
            g_array_index(epochs->epochs, HieraEpoch, window->fence).open, row);
    window->locked = HIERA_NONE;
    hiera_epochs_complete_all(epochs, window, row);
    close_epoch(epochs, &window->fence, row);
    window->fence = open_epoch(epochs, HIERA_EPOCH_FENCE, row);
}

static void start(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    open_access(epochs, window, HIERA_EPOCH_START, row, &window->start);
}

static void complete(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    close_access(epochs, window, row, &window->start, "ends an epoch that no win_start began");
}

static void post(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    if (window->post != HIERA_NONE)
        hiera_epochs_add_misuse(epochs, row, "begins an exposure epoch while another one is open on its window");
    window->post = open_epoch(epochs, HIERA_EPOCH_POST, row);
}

/* win_wait, win_test: end the exposure epoch; win_test only if its flag (in the column `tag`) is true. */
static void end_exposure(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    if (epochs->trace->tag[row] == 0)
        return;
    if (window->post == HIERA_NONE)
        hiera_epochs_add_misuse(epochs, row, "ends an exposure epoch that no win_post began");
    close_epoch(epochs, &window->post, row);
}

static void lock(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    gint32 target = epochs->trace->peer[row];
    if (window->start != HIERA_NONE || window->lock_all != HIERA_NONE ||
        hiera_epochs_find_lock(window, target) != HIERA_NONE)
        hiera_epochs_add_misuse(epochs, row, "begins an access epoch while another one is open on its window");
    guint32 place = open_epoch(epochs, HIERA_EPOCH_LOCK, row);
    g_hash_table_insert(window->locks, GINT_TO_POINTER(target), GUINT_TO_POINTER(place + 1));
}

static void unlock(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    gint32 target = epochs->trace->peer[row];
    guint32 place = hiera_epochs_find_lock(window, target);
    if (place == HIERA_NONE) {
        hiera_epochs_add_misuse(epochs, row, "ends an epoch that no win_lock of that rank began");
        return;
    }
    hiera_epochs_complete_target(epochs, window, target, row);
    close_epoch(epochs, &place, row);
    g_hash_table_remove(window->locks, GINT_TO_POINTER(target));
}

static void lock_all(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    open_access(epochs, window, HIERA_EPOCH_LOCK, row, &window->lock_all);
}

static void unlock_all(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    close_access(epochs, window, row, &window->lock_all, "ends an epoch that no win_lock_all began");
}

static void check_locked(HieraEpochs *epochs, const HieraOpenEpochs *window, guint32 row, gboolean one)
{
    gboolean locked =
        window->lock_all != HIERA_NONE || (one ? hiera_epochs_find_lock(window, epochs->trace->peer[row]) != HIERA_NONE
                                               : g_hash_table_size(window->locks) > 0);
    if (!locked)
        hiera_epochs_add_misuse(epochs, row,
                                one ? "is called without win_lock of that rank or win_lock_all"
                                    : "is called without win_lock or win_lock_all");
}

static void flush(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    check_locked(epochs, window, row, TRUE);
    hiera_epochs_complete_target(epochs, window, epochs->trace->peer[row], row);
}

static void flush_all(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    check_locked(epochs, window, row, FALSE);
    hiera_epochs_complete_all(epochs, window, row);
}

/* win_flush_local: completes accesses at the origin only, so no transfer ends: the target may not have the data yet. */
static void flush_local(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    check_locked(epochs, window, row, TRUE);
}

static void flush_local_all(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    check_locked(epochs, window, row, FALSE);
}

static void free_window(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row)
{
    if (hiera_epochs_are_accessed(window) || window->post != HIERA_NONE)
        hiera_epochs_add_misuse(epochs, row, "frees a window while one of its epochs is open");
    else if (g_hash_table_size(window->pending) > 0)
        hiera_epochs_add_misuse(epochs, row, "frees a window before its accesses are complete");
    g_hash_table_remove(epochs->windows, GUINT_TO_POINTER(epochs->trace->comm[row]));
}

typedef void (*Step)(HieraEpochs *epochs, HieraOpenEpochs *window, guint32 row);

/* What operations do, by name, where several operations have the same kind. */
static const struct {
    const char *operation;
    Step step;
} steps[] = {
    {"win_fence", fence},
    {HIERA_OPERATION_WIN_FREE, free_window},
    {"win_lock", lock},
    {"win_unlock", unlock},
    {"win_lock_all", lock_all},
    {"win_unlock_all", unlock_all},
    {"win_flush", flush},
    {"win_flush_all", flush_all},
    {"win_flush_local", flush_local},
    {"win_flush_local_all", flush_local_all},
};

static Step find_step(const HieraSite *site)
{
    switch (site->kind) {
    case HIERA_KIND_PUT:
    case HIERA_KIND_GET:
    case HIERA_KIND_UPDATE:
        return hiera_epochs_access;
    case HIERA_KIND_ACCESS:
        return start;
    case HIERA_KIND_ACCESS_END:
        return complete;
    case HIERA_KIND_EXPOSE:
        return post;
    case HIERA_KIND_EXPOSE_END:
        return end_exposure;
    case HIERA_KIND_RMA:
    case HIERA_KIND_ALL_TO_ALL:
        for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
            if (strcmp(steps[i].operation, site->operation) == 0)
                return steps[i].step;
        }
        return NULL;
    default:
        return NULL;
    }
}

static void use_row(HieraEpochs *epochs, guint32 row)
{
    Step step = find_step(hiera_trace_peek_site(epochs->trace, row));
    guint32 comm = epochs->trace->comm[row];
    if (!step)
        return;
    if (comm == HIERA_NONE || epochs->match->context[comm] == HIERA_NONE)
        hiera_match_set_reason(epochs->match, row, HIERA_REASON_UNDECLARED);
    else if (step != hiera_epochs_access && hiera_trace_is_failed(epochs->trace, row))
        hiera_epochs_add_misuse(epochs, row, "returned an error, so it begins or ends no epoch");
    else
        step(epochs, find_window(epochs, comm), row);
}

/* --- the calls of all ranks, one rank after the other --- */

static void check_closed(const HieraEpochs *epochs, guint32 first)
{
    const HieraProcessor *processor = &epochs->trace->processors[epochs->processor];
    if (processor->cut || *processor->seam)
        return;
    for (guint i = first; i < epochs->epochs->len; i++) {
        const HieraEpoch *epoch = &g_array_index(epochs->epochs, HieraEpoch, i);
        if (epoch->kind != HIERA_EPOCH_FENCE && epoch->close == HIERA_NONE)
            hiera_epochs_add_misuse(epochs, epoch->open, "begins an epoch that no call ends");
    }
}

void hiera_match_epochs(const HieraTrace *trace, HieraMatch *match, GArray *epochs, GArray *accesses)
{
    HieraEpochs all = {trace, match, epochs, accesses, 0, NULL};
    for (all.processor = 0; all.processor < trace->n_processors; all.processor++) {
        guint first = epochs->len;
        const HieraProcessor *of = &trace->processors[all.processor];
        g_autofree guint32 *order = hiera_match_order(trace, all.processor, FALSE);
        all.windows = g_hash_table_new_full(NULL, NULL, NULL, window_free);
        for (guint64 i = 0; i < of->n_operations; i++)
            use_row(&all, hiera_match_row(order, of, i));
        check_closed(&all, first);
        g_hash_table_unref(all.windows);
    }
}
