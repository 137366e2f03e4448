/* Common synchronizations; see synchronization.h. Each rank has a list of events in the order of its rows; the search
 * goes back from the wait, not farther than the previous search for the same two ranks, unless messages overtake. */
#include "synchronization.h"
#include "text/hash.h"

#define COLLECTIVE 0x80000000u /* bit in Event.other: set if `other` is the index of a collective, not a row */

typedef struct {
    guint32 row;   /* row of the event on this rank, after which it has waited for the other one */
    guint32 other; /* row of the event on the other rank; or index of a collective + COLLECTIVE */
} Event;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    Event *events;        /* events of all ranks, sorted by row */
    guint32 *next;        /* by row, while `events` is filled: index at which its next event is stored */
    guint32 *first;       /* by processor, and one more: index of its first event */
    guint8 *rising;       /* by collective: TRUE if the rows of its members are sorted */
    GHashTable *ended_by; /* row that starts a non-blocking collective → row that completes it */
    GHashTable *met;      /* waiting processor << 32 | causing processor → Met */
} Search;

/* Result of the last search for a pair of ranks, one waiting and one causing. */
typedef struct {
    guint32 event; /* index of the first event to search next time; earlier events cannot give a later result */
    guint32 row, other_row;
} Met;

static guint32 received_in(const HieraMessage *message)
{
    return message->ended_by == HIERA_NONE ? message->to : message->ended_by;
}

static gboolean rises(const guint32 *rows, guint n)
{
    for (guint i = 1; i < n; i++) {
        if (rows[i] < rows[i - 1])
            return FALSE;
    }
    return TRUE;
}

/* Whether the calls of a collective only make persistent requests: they need not wait for each other. */
static gboolean only_makes(const Search *search, const guint32 *rows, guint n)
{
    return n > 0 && hiera_trace_peek_site(search->trace, rows[0])->starts != HIERA_KIND_LOCAL;
}

/* Whether a call only starts its collective, which another call completes. */
static gboolean only_starts(const Search *search, guint32 row)
{
    const HieraRequest *requests;
    return hiera_trace_peek_site(search->trace, row)->kind == HIERA_KIND_START ||
           hiera_trace_peek_requests(search->trace, row, &requests) > 0;
}

/* Set `rising` and `ended_by` for all collectives. */
static void find_collectives(Search *search)
{
    guint n_collectives, n;
    (void)hiera_match_peek_collectives(search->match, &n_collectives);
    search->rising = g_new(guint8, (gsize)n_collectives + 1);
    search->ended_by = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; i < n_collectives; i++) {
        const guint32 *rows = hiera_match_peek_members(search->match, i, &n);
        search->rising[i] = rises(rows, n);
        for (guint member = 0; member < n && only_starts(search, rows[member]); member++)
            g_hash_table_insert(search->ended_by, GUINT_TO_POINTER(rows[member]), GUINT_TO_POINTER(HIERA_NONE));
    }
    const HieraPair *pairs = hiera_match_peek_pairs(search->match, HIERA_PAIRS_REQUEST, &n);
    for (guint i = 0; i < n && g_hash_table_size(search->ended_by) > 0; i++) {
        gpointer start = GUINT_TO_POINTER(pairs[i].start);
        if (g_hash_table_contains(search->ended_by, start))
            g_hash_table_insert(search->ended_by, start, GUINT_TO_POINTER(pairs[i].completion));
    }
}

/* Return the call in which a member of a collective waits for the others; HIERA_NONE: no call is known. */
static guint32 waited_in(const Search *search, guint32 row)
{
    gpointer ended_by;
    gboolean found = g_hash_table_lookup_extended(search->ended_by, GUINT_TO_POINTER(row), NULL, &ended_by);
    return found ? GPOINTER_TO_UINT(ended_by) : row;
}

static inline void visit_events(const Search *search, void (*visit)(const Search *search, guint32 row, guint32 other))
{
    guint n_messages, n_collectives, n;
    const HieraMessage *messages = hiera_match_peek_messages(search->match, &n_messages);
    (void)hiera_match_peek_collectives(search->match, &n_collectives);
    for (guint i = 0; i < n_messages; i++) {
        guint32 received = received_in(&messages[i]);
        visit(search, messages[i].from, received);
        visit(search, received, messages[i].from);
    }
    for (guint32 i = 0; i < n_collectives; i++) {
        const guint32 *rows = hiera_match_peek_members(search->match, i, &n);
        for (guint member = 0; member < n && !only_makes(search, rows, n); member++) {
            guint32 row = waited_in(search, rows[member]);
            if (row != HIERA_NONE)
                visit(search, row, i | COLLECTIVE);
        }
    }
}

static void count_event(const Search *search, guint32 row, guint32 other)
{
    (void)other;
    search->next[row + 1]++;
}

static void place_event(const Search *search, guint32 row, guint32 other)
{
    search->events[search->next[row]++] = (Event){row, other};
}

/* Store the events of all rows sorted by row: a first visit counts them, so that a second one can place them. */
static void sort_events(Search *search)
{
    const HieraTrace *trace = search->trace;
    guint32 n_rows = trace->n_operations;
    g_autofree guint32 *next = search->next = g_new0(guint32, (gsize)n_rows + 2);
    visit_events(search, count_event);
    for (guint32 row = 0; row < n_rows; row++)
        next[row + 1] += next[row];
    search->first = g_new(guint32, (gsize)trace->n_processors + 1);
    for (guint32 i = 0; i < trace->n_processors; i++)
        search->first[i] = next[trace->processors[i].first];
    search->first[trace->n_processors] = next[n_rows];
    search->events = g_new(Event, (gsize)next[n_rows] + 1);
    visit_events(search, place_event);
}

/* Return the row of a processor's call in a collective; HIERA_NONE: it is no member. */
static guint32 find_member(const Search *search, guint32 collective, guint32 processor)
{
    guint n;
    const guint32 *rows = hiera_match_peek_members(search->match, collective, &n);
    const HieraProcessor *of = &search->trace->processors[processor];
    guint low = 0;
    for (guint high = search->rising[collective] ? n : 0; low < high;) {
        guint middle = low + (high - low) / 2;
        if (rows[middle] < of->first)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < n; low++) {
        if (rows[low] >= of->first && rows[low] < of->first + of->n_operations)
            return rows[low];
        if (search->rising[collective])
            break;
    }
    return HIERA_NONE;
}

/* Return the row of the causing processor that an event of the waiting one belongs to; HIERA_NONE if it does not lie
 * before the row `before`. */
static guint32 common_row(const Search *search, const Event *event, guint32 causing, guint32 before)
{
    const HieraProcessor *of = &search->trace->processors[causing];
    guint32 row = event->other & COLLECTIVE ? find_member(search, event->other & ~COLLECTIVE, causing) : event->other;
    return row != HIERA_NONE && row >= of->first && row < before ? row : HIERA_NONE;
}

/* Return the index of a processor's first event at `row` or later. */
static guint32 find_event(const Search *search, guint32 processor, guint32 row)
{
    guint32 low = search->first[processor], high = search->first[processor + 1];
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (search->events[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the row whose end begins the time after an event of a processor. For a non-blocking collective it is the call
 * that starts it, since that does not interrupt the time between its start and its end. */
static guint32 begin_of(const Search *search, const Event *event, guint32 processor)
{
    return event->other & COLLECTIVE ? find_member(search, event->other & ~COLLECTIVE, processor) : event->row;
}

static Met *find_met(const Search *search, guint32 waiting, guint32 causing)
{
    gpointer key = hiera_pair(waiting, causing);
    Met *met = g_hash_table_lookup(search->met, key);
    if (!met) {
        met = g_new(Met, 1);
        *met = (Met){search->first[waiting], HIERA_NONE, HIERA_NONE};
        g_hash_table_insert(search->met, key, met);
    }
    return met;
}

/* Whether an event did not bring the two ranks together: the causing one came out of it when more than half of the wait
 * was over, so what delayed it lies before. A root ends its reduction when the last member has come, the other members
 * long before; a message may have been there for long when it is received. But all leave an exchange of all together.
 */
static gboolean is_left_late(const Search *search, const Event *event, guint32 other, const HieraWait *wait)
{
    guint n;
    if (event->other & COLLECTIVE) {
        guint8 kind = hiera_match_peek_collectives(search->match, &n)[event->other & ~COLLECTIVE].kind;
        if (kind == HIERA_KIND_ALL_TO_ALL || kind == HIERA_KIND_GROUP)
            return FALSE;
    }
    return search->trace->finish_ns[other] > wait->begin_ns + (wait->end_ns - wait->begin_ns) / 2;
}

/* Search back from an event for the last event that both ranks have behind them. Events that the causing rank has still
 * before it, or has left late, are kept for the next search. */
static void search_back(const Search *search, Met *met, guint32 from, guint32 waiting, guint32 causing,
                        const HieraWait *wait)
{
    enum { LATE_MAX = 64 };
    const Event *last = NULL;
    guint32 keep = from, row = HIERA_NONE, other_row = HIERA_NONE, n_late = 0;
    for (guint32 at = from; at > met->event; at--) {
        const Event *event = &search->events[at - 1];
        if (last && event->row != last->row)
            break;
        guint32 other = common_row(search, event, causing, HIERA_NONE);
        if (other == HIERA_NONE)
            continue;
        if (other >= wait->causer || (n_late < LATE_MAX && is_left_late(search, event, other, wait))) {
            n_late += other < wait->causer;
            keep = at - 1;
        } else if (!last || other > other_row) {
            last = event;
            row = begin_of(search, event, waiting);
            other_row = other;
        }
    }
    while (keep > met->event && keep < from && search->events[keep - 1].row == search->events[keep].row)
        keep--; /* the events of a call that completes several requests are kept or dropped together */
    *met = row == HIERA_NONE ? (Met){keep, met->row, met->other_row} : (Met){keep, row, other_row};
}

static HieraSynchronization find_one(const Search *search, const HieraWait *wait)
{
    const HieraTrace *trace = search->trace;
    guint32 waiting = hiera_trace_find_processor(trace, wait->row),
            causing = hiera_trace_find_processor(trace, wait->causer);
    Met *met = find_met(search, waiting, causing);
    if (met->row != HIERA_NONE && met->other_row >= wait->causer)
        *met = (Met){search->first[waiting], HIERA_NONE, HIERA_NONE};
    search_back(search, met, find_event(search, waiting, wait->row), waiting, causing, wait);
    if (met->row == HIERA_NONE)
        return (HieraSynchronization){trace->processors[waiting].init_ns, trace->processors[causing].init_ns};
    return (HieraSynchronization){trace->finish_ns[met->row], trace->finish_ns[met->other_row]};
}

HieraSynchronization *hiera_synchronizations_find(const HieraMatch *match, const GArray *waits)
{
    Search search = {.match = match, .trace = hiera_match_peek_trace(match)};
    HieraSynchronization *all = g_new0(HieraSynchronization, (gsize)waits->len + 1);
    find_collectives(&search);
    sort_events(&search);
    search.met = g_hash_table_new_full(hiera_hash_pair, NULL, NULL, g_free);
    for (guint i = 0; i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        if (wait->causer != HIERA_NONE)
            all[i] = find_one(&search, wait);
    }
    g_hash_table_unref(search.met);
    g_hash_table_unref(search.ended_by);
    g_free(search.events);
    g_free(search.first);
    g_free(search.rising);
    return all;
}
