/* Operations that nearly fit: of all sends and receives without a partner, the one that differs least; a persistent
 * request that was never started; a collective on another communicator. */
#include "hang_parts.h"

/* Weights of the differences between two sides of a message: a wrong tag is likelier than a wrong communicator, and
 * that likelier than a wrong rank. */
enum { OTHER_TAG = 1, OTHER_COMM = 2, OTHER_RANK = 5 };

/* The half of a message (send or receive) that a rank waits for. */
typedef struct {
    gboolean sent;         /* TRUE: a send is missing; FALSE: a receive */
    gint32 own, peer, tag; /* world ranks of the waiting and of the missing side, and the tag; HIERA_ANY: any */
    gint32 written;        /* `peer` as it is written in the call: a rank in the communicator */
    guint32 context;
} Wanted;

static Wanted wanted_of(const HieraHang *hang, guint32 processor, const HieraHangNeed *need)
{
    const HieraTrace *trace = hang->trace;
    guint32 row = need->made_by, context = hiera_match_context(hang->match, trace->comm[row]);
    gint32 own = (gint32)trace->processors[processor].rank;
    if (need->kind == HIERA_KIND_SEND)
        return (Wanted){FALSE,  own, hiera_hang_peer(hang, row, trace->peer[row]), trace->tag[row], trace->peer[row],
                        context};
    return (Wanted){TRUE,   own, hiera_hang_source(hang, row), hiera_hang_receive_tag(hang, row), trace->source[row],
                    context};
}

static gboolean differs(gint32 a, gint32 b)
{
    return a != b && a != HIERA_ANY && b != HIERA_ANY;
}

/* Return how much a send or receive differs from the wanted one; 0 if it fits. On another communicator, the rank number
 * that the program gave may also be the right one. */
static guint distance(const HieraHang *hang, const Wanted *wanted, const HieraHangEnd *end)
{
    gint32 own = (gint32)hang->trace->processors[end->processor].rank;
    guint32 comm = hang->trace->comm[end->made_by];
    gboolean other = hiera_match_context(hang->match, comm) != wanted->context;
    gboolean meant = other && hiera_match_world_rank(hang->match, comm, wanted->written) == own;
    return (differs(wanted->tag, end->tag) ? OTHER_TAG : 0) + (other ? OTHER_COMM : 0) +
           (differs(wanted->peer, own) && !meant ? OTHER_RANK : 0) + (differs(wanted->own, end->peer) ? OTHER_RANK : 0);
}

static const char *describe_distance(guint how)
{
    if (how >= OTHER_RANK)
        return "the rank differs";
    if (how == OTHER_TAG)
        return "the tag differs";
    return how == OTHER_COMM ? "the communicator differs" : "tag and communicator differ";
}

/* Whether the partner of a send or receive is stuck or has no trace, so that the two may be meant for each other. */
static gboolean may_meet(const HieraHang *hang, const HieraHangEnd *end)
{
    guint32 processor = hiera_trace_find_rank(hang->trace, end->peer);
    return processor == HIERA_NONE || hang->ranks[processor].stuck;
}

static HieraHangNear near_message(const HieraHang *hang, guint32 processor, const Wanted *wanted)
{
    HieraHangNear best = {HIERA_NONE, HIERA_NONE, 0, 0, FALSE, ""};
    guint least = OTHER_RANK + 1;
    for (guint i = 0; i < hang->ends->len; i++) {
        const HieraHangEnd *end = &g_array_index(hang->ends, HieraHangEnd, i);
        guint how = end->sent == wanted->sent && end->processor != processor ? distance(hang, wanted, end) : 0;
        if (how > 0 && how < least && (how < OTHER_RANK || !may_meet(hang, end))) {
            best = (HieraHangNear){end->made_by, end->act, end->peer, end->tag, end->sent, describe_distance(how)};
            least = how;
        }
    }
    return best;
}

/* Return a persistent request of a rank that is the wanted send or receive, but was never started. */
static HieraHangNear near_request(const HieraHang *hang, guint32 processor, const Wanted *wanted)
{
    HieraHangNear best = {HIERA_NONE, HIERA_NONE, 0, 0, wanted->sent, "it was never started"};
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, hang->requests[processor]);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const HieraHangRequest *request = value;
        guint32 row = request->made_by;
        HieraKind kind = hiera_trace_peek_site(hang->trace, row)->starts;
        if (request->started || kind != (wanted->sent ? HIERA_KIND_SEND : HIERA_KIND_RECEIVE) || row >= best.row)
            continue;
        HieraHangEnd end = {row,
                            row,
                            processor,
                            wanted->sent ? hiera_hang_peer(hang, row, hang->trace->peer[row])
                                         : hiera_hang_source(hang, row),
                            hang->trace->tag[row],
                            wanted->sent};
        if (distance(hang, wanted, &end) == 0) {
            best.row = row;
            best.peer = end.peer;
            best.tag = end.tag;
        }
    }
    return best;
}

/* Return a call of the same collective on another communicator, in which a missing member is stuck. */
static HieraHangNear near_collective(const HieraHang *hang, const HieraHangNeed *need)
{
    guint32 context = hiera_match_context(hang->match, hang->trace->comm[need->made_by]);
    const char *operation = hiera_trace_peek_site(hang->trace, need->made_by)->operation;
    for (guint i = 0; i < need->ranks->len; i++) {
        guint32 processor = hiera_trace_find_rank(hang->trace, g_array_index(need->ranks, gint32, i));
        const HieraHangNeed *theirs = processor == HIERA_NONE ? NULL : hiera_hang_first_need(hang, processor);
        if (theirs && hiera_hang_is_collective(theirs->kind) &&
            hiera_trace_peek_site(hang->trace, theirs->made_by)->operation == operation &&
            hiera_match_context(hang->match, hang->trace->comm[theirs->made_by]) != context)
            return (HieraHangNear){theirs->made_by, theirs->act, HIERA_ABSENT,
                                   HIERA_ABSENT,    FALSE,       "the communicator differs"};
    }
    return (HieraHangNear){HIERA_NONE, HIERA_NONE, 0, 0, FALSE, ""};
}

HieraHangNear hiera_hang_find_near(const HieraHang *hang, guint32 processor, const HieraHangNeed *need)
{
    HieraHangNear near = {HIERA_NONE, HIERA_NONE, 0, 0, FALSE, ""};
    if (hiera_hang_is_collective(need->kind))
        return near_collective(hang, need);
    if (need->kind != HIERA_KIND_SEND && need->kind != HIERA_KIND_RECEIVE && need->kind != HIERA_KIND_PROBE)
        return near;
    Wanted wanted = wanted_of(hang, processor, need);
    for (guint i = 0; near.row == HIERA_NONE && i < need->ranks->len; i++) {
        guint32 other = hiera_trace_find_rank(hang->trace, g_array_index(need->ranks, gint32, i));
        if (other != HIERA_NONE)
            near = near_request(hang, other, &wanted);
    }
    return near.row != HIERA_NONE ? near : near_message(hang, processor, &wanted);
}
