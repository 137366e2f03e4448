/* Waiting in calls that return at once and are repeated until something has happened: failed tests, and probes. A test
 * waits as long as the operations that it tests cannot complete. A probe waits for the message that it finds; a probe
 * that finds none, for the message of the next successful probe of its thread. */
#include "waiting_parts.h"

/* --- tests that found requests incomplete --- */

typedef struct {
    const HieraWaiting *waiting;
    guint32 *ended_by;   /* by row that starts a request: 1 + row that completed the request; 0: none */
    HieraDependence one; /* dependence of the previous test */
    gboolean early;      /* TRUE if the previous test returns as soon as one of its requests is complete */
} Tests;

/* Return the dependence of an operation that a test found incomplete. @param start  row that starts it */
static HieraDependence need_of(const Tests *tests, guint32 start)
{
    guint32 end = tests->ended_by[start];
    return hiera_waiting_for(tests->waiting, start, end == 0 ? G_MAXINT64 : tests->waiting->trace->finish_ns[end - 1]);
}

static HieraDependence find_need(const Tests *tests, const HieraTestInVain *test)
{
    HieraDependence found = {HIERA_NEVER, HIERA_NONE, HIERA_N_WAITS};
    if (tests->early && !test->whole)
        return found;
    for (guint i = 0; i < test->n; i++) {
        HieraDependence one = need_of(tests, test->starts[i]);
        if (!tests->early)
            hiera_waiting_later(&found, one.until_ns, one.causer, one.class);
        else if (i == 0 || one.until_ns < found.until_ns)
            found = one;
    }
    return found;
}

static void add_test(const HieraTestInVain *test, gpointer user)
{
    Tests *tests = user;
    gboolean early = hiera_waiting_returns_early(hiera_trace_peek_site(tests->waiting->trace, test->row));
    if (!test->again || early != tests->early) {
        tests->early = early;
        tests->one = find_need(tests, test);
    }
    tests->waiting->needs[test->row] = tests->one;
}

static void add_tests(const HieraWaiting *waiting)
{
    guint n;
    const HieraPair *pairs = hiera_match_peek_pairs(waiting->match, HIERA_PAIRS_REQUEST, &n);
    g_autofree guint32 *ended_by = g_new0(guint32, (gsize)waiting->trace->n_operations + 1);
    Tests tests = {.waiting = waiting, .ended_by = ended_by};
    for (guint i = 0; i < n; i++)
        ended_by[pairs[i].start] = pairs[i].completion + 1;
    hiera_match_visit_tests(waiting->match, add_test, &tests);
}

/* --- probes --- */

/* What a probe asks for: a message with this communicator, source and tag. HIERA_ANY: any source or tag. */
typedef struct {
    guint32 thread, comm;
    gint32 source, tag;
} Asked;

typedef struct {
    const HieraWaiting *waiting;
    GHashTable *next; /* Asked → 1 + row of the next successful probe of the thread for the same message */
} Probes;

static guint hash_asked(gconstpointer key)
{
    const Asked *asked = key;
    return ((asked->thread * 31 + asked->comm) * 31 + (guint)asked->source) * 31 + (guint)asked->tag;
}

static gboolean same_asked(gconstpointer left, gconstpointer right)
{
    const Asked *a = left, *b = right;
    return a->thread == b->thread && a->comm == b->comm && a->source == b->source && a->tag == b->tag;
}

/* Store a successful probe for earlier probes that ask for its message, or for any source or any tag. */
static void see_found(const Probes *probes, guint32 row)
{
    const HieraTrace *trace = probes->waiting->trace;
    for (guint any = 0; any < 4; any++) {
        Asked asked = {trace->thread[row], trace->comm[row], any & 1 ? HIERA_ANY : trace->source[row],
                       any & 2 ? HIERA_ANY : trace->tag[row]};
        g_hash_table_insert(probes->next, g_memdup2(&asked, sizeof asked), GUINT_TO_POINTER(row + 1));
    }
}

static void see_missed(const Probes *probes, guint32 row)
{
    const HieraTrace *trace = probes->waiting->trace;
    Asked asked = {trace->thread[row], trace->comm[row], trace->source[row], trace->tag[row]};
    guint32 next = GPOINTER_TO_UINT(g_hash_table_lookup(probes->next, &asked));
    if (next != 0)
        probes->waiting->needs[row] = probes->waiting->needs[next - 1];
}

/* Go through the probes of a processor from the last to the first.
 * @param found  index + 1 of the last of its successful probes; moved */
static void add_processor(const Probes *probes, const HieraProcessor *of, const HieraProbe *all, guint *found)
{
    const HieraTrace *trace = probes->waiting->trace;
    const HieraPending *pending;
    for (guint32 row = (guint32)(of->first + of->n_operations); row-- > of->first;) {
        if (*found > 0 && all[*found - 1].row == row) {
            see_found(probes, row);
            (*found)--;
        } else if (hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_PROBE &&
                   hiera_trace_peek_pending(trace, row, &pending) > 0) {
            see_missed(probes, row);
        }
    }
}

static void add_probes(const HieraWaiting *waiting)
{
    guint n, n_messages;
    const HieraTrace *trace = waiting->trace;
    const HieraProbe *all = hiera_match_peek_probes(waiting->match, &n);
    const HieraMessage *messages = hiera_match_peek_messages(waiting->match, &n_messages);
    for (guint i = 0; i < n; i++) {
        guint32 from = messages[all[i].message].from;
        waiting->needs[all[i].row] = (HieraDependence){trace->start_ns[from], from, HIERA_WAIT_LATE_SENDER};
    }
    for (guint32 i = trace->n_processors; n > 0 && i-- > 0;) {
        g_autoptr(GHashTable) next = g_hash_table_new_full(hash_asked, same_asked, g_free, NULL);
        Probes probes = {waiting, next};
        add_processor(&probes, &trace->processors[i], all, &n);
    }
}

void hiera_waiting_tests(const HieraWaiting *waiting)
{
    if (waiting->trace->pending->len > 0)
        add_tests(waiting);
    add_probes(waiting);
}
