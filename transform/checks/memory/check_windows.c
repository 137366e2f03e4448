/* Conflicts in the memory of windows: two accesses to the same bytes, one of which writes, that nothing orders.
 *
 * What happens before what follows from the order of calls in a rank, and from messages, collectives, epochs. The
 * events of all ranks are visited in an order that agrees with it; `known[p]` of a rank is the last row of rank p that
 * happened before where it is. An access conflicts with an earlier one if the row that completes that one is not known.
 *
 * Two accesses under locks of which one is exclusive have some order. Ranks may also agree on one by what they read in
 * windows, which no trace shows: so nothing is said if that is possible. Threads of a rank, and tasks, are strands with
 * clocks of their own (thread_order.h). They may agree by variables, so what they do is a note. */
#include "thread_order.h"
#include "window_accesses.h"
#include <string.h>

enum { RANKS_MOST = 2048 };

/* What a row has to do with other strands. Calls give before they take. */
typedef enum {
    TAKES_PLACE,
    GIVES_PLACE,
    GIVES_MESSAGE,
    GIVES_EPOCH,
    ARRIVES,
    TAKES_MESSAGE,
    TAKES_EPOCH,
    LEAVES,
    USES
} EventKind;
typedef struct {
    guint32 strand, row;
    gboolean behind; /* when an operation is over whose last row it is; `depth`: of that one */
    guint32 depth;
    EventKind kind;
    guint number; /* of the place, message, epoch, collective or use */
} Event;

typedef struct {
    const HieraMatch *match;
    const HieraThreadOrder *order;
    const GArray *uses; /* HieraBufferUse */
    HieraWindowAccesses *accesses;
    guint32 n;           /* strands */
    GArray *events;      /* Event, by strand and row */
    guint *next, *end;   /* by strand: index of its next event, and behind its last one */
    guint32 *known;      /* n numbers for each strand: rows + 1 that have happened before */
    guint32 **places;    /* by place: what was given to it, or NULL */
    guint32 *given_to;   /* by place: how often */
    guint32 *taken_from; /* by place: how often; what was given is freed then */
    GHashTable *given;   /* number << 1 of a message, or of an epoch | 1 → what its giver knew */
    guint32 **joined;    /* by collective: what its members knew that have arrived, or NULL */
    guint32 *arrived;    /* by collective */
} Walk;

static guint32 *known_of(const Walk *walk, guint32 strand)
{
    return walk->known + (gsize)strand * walk->n;
}

static guint32 *copy_known(const Walk *walk, guint32 strand)
{
    return g_memdup2(known_of(walk, strand), walk->n * sizeof(guint32));
}

static void join(const Walk *walk, guint32 *to, const guint32 *from)
{
    for (guint32 i = 0; i < walk->n; i++)
        to[i] = MAX(to[i], from[i]);
}

/* --- the walk --- */

static gpointer given_key(const Event *event)
{
    gboolean epoch = event->kind == GIVES_EPOCH || event->kind == TAKES_EPOCH;
    return (gpointer)(guintptr)((guint64)event->number << 1 | epoch);
}

static void arrive(Walk *walk, guint32 strand, guint number)
{
    if (!walk->joined[number])
        walk->joined[number] = copy_known(walk, strand);
    else
        join(walk, walk->joined[number], known_of(walk, strand));
    walk->arrived[number]++;
}

static void give_to_place(Walk *walk, guint32 strand, guint place)
{
    gboolean is_wanted = g_array_index(walk->order->takers, guint32, place) > walk->taken_from[place];
    if (is_wanted && !walk->places[place])
        walk->places[place] = copy_known(walk, strand);
    else if (is_wanted)
        join(walk, walk->places[place], known_of(walk, strand));
    walk->given_to[place]++;
}

static gboolean take_from_place(Walk *walk, guint32 strand, guint place, gboolean anyway)
{
    if (walk->given_to[place] < g_array_index(walk->order->givers, guint32, place) && !anyway)
        return FALSE;
    if (walk->places[place])
        join(walk, known_of(walk, strand), walk->places[place]);
    if (++walk->taken_from[place] == g_array_index(walk->order->takers, guint32, place))
        g_clear_pointer(&walk->places[place], g_free);
    return TRUE;
}

static gboolean take_given(Walk *walk, guint32 strand, const Event *event, gboolean anyway)
{
    const guint32 *taken = g_hash_table_lookup(walk->given, given_key(event));
    if (taken)
        join(walk, known_of(walk, strand), taken);
    if (taken)
        g_hash_table_remove(walk->given, given_key(event));
    return taken || anyway;
}

static gboolean leave(const Walk *walk, guint32 strand, guint number, gboolean anyway)
{
    if (walk->arrived[number] < g_array_index(walk->match->collectives, HieraCollective, number).n && !anyway)
        return FALSE;
    join(walk, known_of(walk, strand), walk->joined[number]);
    return TRUE;
}

/* Take part in an event; FALSE: what it takes is not there yet. @param anyway  go on without it */
static gboolean pass(Walk *walk, const Event *event, gboolean anyway)
{
    guint32 strand = event->strand;
    known_of(walk, strand)[strand] = event->row + 1;
    switch (event->kind) {
    case TAKES_PLACE:
        return take_from_place(walk, strand, event->number, anyway);
    case GIVES_PLACE:
        give_to_place(walk, strand, event->number);
        return TRUE;
    case GIVES_MESSAGE:
    case GIVES_EPOCH:
        g_hash_table_insert(walk->given, given_key(event), copy_known(walk, strand));
        return TRUE;
    case ARRIVES:
        arrive(walk, strand, event->number);
        return TRUE;
    case TAKES_MESSAGE:
    case TAKES_EPOCH:
        return take_given(walk, strand, event, anyway);
    case LEAVES:
        return leave(walk, strand, event->number, anyway);
    default:
        hiera_window_accesses_add(walk->accesses, event->number, strand, known_of(walk, strand));
        return TRUE;
    }
}

/* Return the strand whose next event is the earliest; HIERA_NONE: there are no more events. */
static guint32 find_earliest(const Walk *walk)
{
    guint32 found = HIERA_NONE;
    gint64 least = G_MAXINT64;
    for (guint32 i = 0; i < walk->n; i++) {
        if (walk->next[i] == walk->end[i])
            continue;
        gint64 ns = walk->match->trace->start_ns[g_array_index(walk->events, Event, walk->next[i]).row];
        if (found == HIERA_NONE || ns < least) {
            found = i;
            least = ns;
        }
    }
    return found;
}

static void visit_all(Walk *walk)
{
    for (guint32 earliest; (earliest = find_earliest(walk)) != HIERA_NONE;) {
        gboolean moved = FALSE;
        for (guint32 i = 0; i < walk->n; i++)
            while (walk->next[i] < walk->end[i] &&
                   pass(walk, &g_array_index(walk->events, Event, walk->next[i]), FALSE)) {
                walk->next[i]++;
                moved = TRUE;
            }
        if (!moved)
            pass(walk, &g_array_index(walk->events, Event, walk->next[earliest]++), TRUE);
    }
}

/* --- events --- */

static gint compare_events(gconstpointer a, gconstpointer b)
{
    const Event *left = a, *right = b;
    if (left->strand != right->strand)
        return left->strand < right->strand ? -1 : 1;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->behind != right->behind)
        return left->behind - right->behind;
    if (left->depth != right->depth)
        return left->depth > right->depth ? -1 : 1;
    return (gint)left->kind - (gint)right->kind;
}

static void add_event(Walk *walk, guint32 row, EventKind kind, guint number)
{
    if (row == HIERA_NONE)
        return;
    const Event event = {
        .strand = hiera_thread_strands_peek(&walk->order->strands, row), .row = row, .kind = kind, .number = number};
    g_array_append_val(walk->events, event);
}

static void add_steps(Walk *walk)
{
    for (guint i = 0; i < walk->order->steps->len; i++) {
        const HieraOrderStep *step = &g_array_index(walk->order->steps, HieraOrderStep, i);
        const Event event = {.strand = step->strand,
                             .row = step->row,
                             .behind = step->behind,
                             .depth = step->behind ? step->depth : 0,
                             .kind = step->takes ? TAKES_PLACE : GIVES_PLACE,
                             .number = step->place};
        g_array_append_val(walk->events, event);
    }
}

/* Members of a collective give when they enter it, and take when the call, or the request that it starts, is over. */
static void add_collectives(Walk *walk, GHashTable *completed)
{
    const HieraMatch *match = walk->match;
    for (guint i = 0; i < match->collectives->len; i++) {
        const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, i);
        if (collective->kind == HIERA_KIND_IO_ALL)
            continue;
        for (guint32 k = 0; k < collective->n; k++) {
            guint32 row = g_array_index(match->members, guint32, collective->first + k);
            guint32 end = GPOINTER_TO_UINT(g_hash_table_lookup(completed, GUINT_TO_POINTER(row)));
            add_event(walk, row, ARRIVES, i);
            add_event(walk, end ? end - 1 : row, LEAVES, i);
        }
    }
}

static void add_events(Walk *walk)
{
    const HieraMatch *match = walk->match;
    g_autoptr(GHashTable) completed = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < match->requests->len; i++) {
        const HieraPair *pair = &g_array_index(match->requests, HieraPair, i);
        g_hash_table_insert(completed, GUINT_TO_POINTER(pair->start), GUINT_TO_POINTER(pair->completion + 1));
    }
    for (guint i = 0; i < match->messages->len; i++) {
        const HieraMessage *message = &g_array_index(match->messages, HieraMessage, i);
        add_event(walk, message->from, GIVES_MESSAGE, i);
        add_event(walk, message->ended_by, TAKES_MESSAGE, i);
    }
    for (guint i = 0; i < match->epochs->len; i++) {
        const HieraPair *pair = &g_array_index(match->epochs, HieraPair, i);
        add_event(walk, pair->start, GIVES_EPOCH, i);
        add_event(walk, pair->completion, TAKES_EPOCH, i);
    }
    add_collectives(walk, completed);
    for (guint i = 0; i < walk->uses->len; i++)
        add_event(walk, g_array_index(walk->uses, HieraBufferUse, i).row, USES, i);
    add_steps(walk);
    g_array_sort(walk->events, compare_events);
}

static void share_events(Walk *walk)
{
    for (guint i = 0; i < walk->events->len; i++) {
        guint32 strand = g_array_index(walk->events, Event, i).strand;
        if (walk->end[strand] == 0)
            walk->next[strand] = i;
        walk->end[strand] = i + 1;
    }
}

static void walk_init(Walk *walk, const HieraCheck *check, const GArray *uses, const HieraThreadOrder *order)
{
    guint32 n = order->strands.n;
    *walk = (Walk){.match = check->match, .order = order, .uses = uses, .n = n};
    walk->accesses = hiera_window_accesses_new(check, uses, &order->strands);
    walk->events = g_array_new(FALSE, FALSE, sizeof(Event));
    walk->next = g_new0(guint, n);
    walk->end = g_new0(guint, n);
    walk->known = g_new0(guint32, (gsize)n * n);
    walk->places = g_new0(guint32 *, order->givers->len + 1);
    walk->given_to = g_new0(guint32, order->givers->len + 1);
    walk->taken_from = g_new0(guint32, order->givers->len + 1);
    walk->given = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    walk->joined = g_new0(guint32 *, check->match->collectives->len + 1);
    walk->arrived = g_new0(guint32, check->match->collectives->len + 1);
}

static void walk_clear(Walk *walk)
{
    hiera_window_accesses_free(walk->accesses);
    for (guint i = 0; i < walk->match->collectives->len; i++)
        g_free(walk->joined[i]);
    for (guint i = 0; i < walk->order->givers->len; i++)
        g_free(walk->places[i]);
    g_array_unref(walk->events);
    g_hash_table_unref(walk->given);
    gpointer all[] = {walk->next,    walk->end,    walk->known,    walk->joined,
                      walk->arrived, walk->places, walk->given_to, walk->taken_from};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
}

static gboolean is_possible(const HieraCheck *check, const GArray *uses)
{
    gboolean any = FALSE;
    for (guint i = 0; i < uses->len && !any; i++)
        any = strchr("pga", g_array_index(uses, HieraBufferUse, i).use) != NULL;
    return any && !check->scope->share.own && check->trace->n_processors <= RANKS_MOST;
}

static void walk_all(const HieraCheck *check, const GArray *uses, const HieraThreadOrder *order)
{
    Walk walk;
    walk_init(&walk, check, uses, order);
    add_events(&walk);
    share_events(&walk);
    visit_all(&walk);
    walk_clear(&walk);
}

void hiera_check_windows(const HieraCheck *check)
{
    g_autoptr(GArray) uses = hiera_buffer_uses(check->match);
    if (check->part || !is_possible(check, uses))
        return;
    HieraThreadOrder *order = hiera_thread_order_new(check->trace);
    gboolean is_known = TRUE;
    for (guint32 i = 0; i < check->trace->n_processors; i++)
        is_known = is_known && order->is_known[i];
    if (is_known)
        walk_all(check, uses, order);
    hiera_thread_order_free(order);
}
