/* Tests in vain: which operations a failed test could have completed.
 *
 * A test names requests by number. The operation is the one that started the request last; a request that is complete
 * and was not started again is not active, and no test waits for it. A loop tests the same requests again and again,
 * so the operations are looked up again only if the requests or any operation has changed. */
#include "base/vocabulary.h"
#include "match_common.h"
#include <string.h>

/* A request that a test may name: not completed yet, or persistent. */
typedef struct {
    gint64 number;
    guint32 started; /* row that started the request last; HIERA_NONE: the request is not active */
    gboolean persistent;
} Active;

typedef struct {
    const HieraTrace *trace;
    GHashTable *active; /* number of a request → Active */
    GArray *starts;     /* guint32: rows that started the requests which the last test named */
    HieraTestInVain test;
    const HieraPending *last; /* ranges of requests that the last test named */
    guint n_last;
    gboolean changed; /* a call has used a request since the last test */
    HieraTestVisit visit;
    gpointer user;
} Tests;

static void make(Tests *tests, gint64 number, guint32 row, const HieraSite *site)
{
    gboolean persistent = site->starts != HIERA_KIND_LOCAL;
    if (g_hash_table_contains(tests->active, &number) || (site->kind == HIERA_KIND_LOCAL && !persistent))
        return;
    Active *active = g_new(Active, 1);
    *active = (Active){number, persistent ? HIERA_NONE : row, persistent};
    g_hash_table_insert(tests->active, &active->number, active);
}

static void use_request(Tests *tests, gint64 number, guint32 row, const HieraSite *site)
{
    Active *active = g_hash_table_lookup(tests->active, &number);
    tests->changed = TRUE;
    if (site->kind == HIERA_KIND_START && active)
        active->started = row;
    else if (site->kind == HIERA_KIND_COMPLETE && active && active->persistent)
        active->started = HIERA_NONE;
    else if (site->kind == HIERA_KIND_COMPLETE && active)
        g_hash_table_remove(tests->active, &number);
    else if (site->kind != HIERA_KIND_START && site->kind != HIERA_KIND_COMPLETE)
        make(tests, number, row, site);
}

static void add_start(Tests *tests, const Active *active)
{
    if (!active)
        tests->test.whole = FALSE;
    else if (active->started != HIERA_NONE)
        g_array_append_val(tests->starts, active->started);
}

/* Add a range of requests that a test names. A trace may claim far more numbers than there are requests. */
static void add_range(Tests *tests, const HieraPending *range)
{
    GHashTableIter iter;
    gpointer value;
    guint found = 0;
    if (range->first == 0 || range->n <= g_hash_table_size(tests->active)) {
        for (gint64 i = 0; i < range->n; i++) {
            gint64 number = hiera_plus(range->first, i);
            add_start(tests, g_hash_table_lookup(tests->active, &number));
        }
        return;
    }
    g_hash_table_iter_init(&iter, tests->active);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Active *active = value;
        if (active->number < range->first || active->number - range->first >= range->n)
            continue;
        found++;
        add_start(tests, active);
    }
    tests->test.whole = tests->test.whole && found == range->n;
}

static gboolean is_again(const Tests *tests, const HieraPending *pending, guint n)
{
    if (tests->changed || n != tests->n_last)
        return FALSE;
    for (guint i = 0; i < n; i++)
        if (pending[i].first != tests->last[i].first || pending[i].n != tests->last[i].n)
            return FALSE;
    return TRUE;
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

static void use_test(Tests *tests, guint32 row)
{
    const HieraPending *pending;
    guint n = hiera_trace_peek_pending(tests->trace, row, &pending);
    if (n == 0)
        return;
    tests->test.row = row;
    tests->test.again = is_again(tests, pending, n);
    if (!tests->test.again) {
        g_array_set_size(tests->starts, 0);
        tests->test.whole = TRUE;
        for (guint i = 0; i < n; i++)
            add_range(tests, &pending[i]);
        g_array_sort(tests->starts, compare_rows);
    }
    tests->test.starts = (const guint32 *)(void *)tests->starts->data;
    tests->test.n = tests->starts->len;
    tests->last = pending;
    tests->n_last = n;
    tests->changed = FALSE;
    tests->visit(&tests->test, tests->user);
}

static void use_row(Tests *tests, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(tests->trace, row);
    const HieraRequest *request;
    guint n = site->mpi ? hiera_trace_peek_requests(tests->trace, row, &request) : 0;
    if (!site->mpi || (site->kind == HIERA_KIND_COMPLETE && hiera_trace_is_open(tests->trace, row)))
        return;
    for (guint i = 0; i < n; i++)
        if (request[i].number > 0)
            use_request(tests, request[i].number, row, site);
    if (n == 0 && site->kind == HIERA_KIND_COMPLETE)
        use_test(tests, row);
}

/* Whether a processor has tests that completed nothing. */
static gboolean has_tests(const HieraTrace *trace, const HieraProcessor *of)
{
    const HieraPending *all = (const HieraPending *)(void *)trace->pending->data;
    guint low = 0, high = trace->pending->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (all[middle].row < of->first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < trace->pending->len && all[low].row < of->first + of->n_operations;
}

void hiera_match_visit_tests(const HieraMatch *match, HieraTestVisit visit, gpointer user)
{
    const HieraTrace *trace = match->trace;
    g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 processor = 0; processor < trace->n_processors; processor++) {
        const HieraProcessor *of = &trace->processors[processor];
        if (!has_tests(trace, of))
            continue;
        g_autoptr(GHashTable) active = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
        g_autofree guint32 *order = hiera_match_order(trace, processor, TRUE);
        Tests tests = {
            .trace = trace, .active = active, .starts = starts, .changed = TRUE, .visit = visit, .user = user};
        for (guint64 i = 0; i < of->n_operations; i++)
            use_row(&tests, hiera_match_row(order, of, i));
    }
}
