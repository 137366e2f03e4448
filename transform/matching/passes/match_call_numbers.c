/* Numbers of collective calls: the calls of each member on an object are counted, in the order of time.
 *
 * Calls of the members of a communicator that the call itself creates (MPI_Comm_create_group) are counted on the new
 * communicator; those that start a persistent collective on an object of their own. */
#include "base/key_index.h"
#include "base/vocabulary.h"
#include "matching/match_before.h"
#include "matching/match_calls.h"

/* Flags of HieraMemberCall: calls that create the communicator on which they are counted, and calls that create a
 * persistent collective, are counted separately from the other calls on a communicator. */
#define MAKES_CONTEXT    0x80000000u
#define MAKES_PERSISTENT 0x40000000u

/* Key of a Count: what the calls of one processor are counted on, separately for each value of flags. */
typedef struct {
    guint32 object, flags;
} Place;

/* Counter of the calls of one processor for one Place. */
typedef struct {
    gint64 n;    /* number of calls so far; HIERA_BEFORE_UNKNOWN: not known, because the trace begins late */
    gint32 rank; /* rank of the processor in the communicator, as hiera_match_rank_in() gives it */
} Count;

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *calls;          /* HieraMemberCall, with their numbers: the result */
    GArray *context;        /* guint32, by number of the object; HIERA_NONE: not known yet */
    GHashTable *persistent; /* row that made a persistent collective → number of its object */
    HieraKeyIndex *places;  /* Place → number, of the current processor */
    GArray *counts;         /* Count, by number of its Place */
    guint32 processor;      /* the processor whose calls are being added */
} Numbering;

/* Return how many calls of the kind of `call` there were before the processor's trace begins. */
static gint64 count_before(const Numbering *numbering, const HieraMemberCall *call)
{
    const HieraMatchBefore *before = numbering->match->before;
    if (call->flags & MAKES_CONTEXT)
        return 0;
    if (call->object != call->comm)
        return hiera_match_before_starts(before, numbering->processor, call->made_by);
    return hiera_match_before_calls(before, numbering->processor,
                                    call->flags & MAKES_PERSISTENT ? HIERA_BEFORE_INITS : HIERA_BEFORE_CALLS,
                                    call->comm);
}

/* Return the counter for the object and the flags of a call. It begins at the number of calls before the trace. */
static Count *find_count(Numbering *numbering, const HieraCommunicator *communicator, const HieraMemberCall *call)
{
    const Place place = {call->object, call->flags};
    guint32 number = hiera_key_index_add(numbering->places, &place);
    if (number == numbering->counts->len) {
        gint32 world_rank = (gint32)numbering->trace->processors[numbering->processor].rank;
        const Count count = {count_before(numbering, call), hiera_match_rank_in(communicator, world_rank)};
        g_array_append_val(numbering->counts, count);
    }
    return &g_array_index(numbering->counts, Count, number);
}

static void add_call(Numbering *numbering, HieraMemberCall call)
{
    const HieraCommunicator *communicator = hiera_match_communicator(numbering->trace, call.comm);
    if (!communicator) {
        hiera_match_set_reason(numbering->match, call.row, HIERA_REASON_UNDECLARED);
        return;
    }
    if (hiera_match_is_behind_sums(numbering->trace, numbering->processor, call.row)) {
        hiera_match_set_reason(numbering->match, call.row, HIERA_REASON_LIMIT);
        return;
    }
    Count *count = find_count(numbering, communicator, &call);
    gint64 place = count->n;
    if (!hiera_before_is_carried(numbering->trace, call.row, &place))
        count->n += count->n != HIERA_BEFORE_UNKNOWN;
    call.number = (guint32)place;
    call.rank = count->rank;
    call.processor = numbering->processor;
    if (place == HIERA_BEFORE_UNKNOWN)
        hiera_match_set_reason(numbering->match, call.row, HIERA_REASON_BEFORE);
    else if (call.rank == HIERA_ABSENT)
        hiera_match_set_reason(numbering->match, call.row, HIERA_REASON_BAD_RANK);
    else
        g_array_append_val(numbering->calls, call);
}

/* Return the object that a call creates, if its context is known only after the call is matched; else HIERA_NONE. */
static guint32 find_made(const Numbering *numbering, guint32 row)
{
    guint32 other = hiera_trace_peek_sparse(numbering->trace, row)->other;
    return other != HIERA_NONE && g_array_index(numbering->context, guint32, other) == HIERA_NONE ? other : HIERA_NONE;
}

/* Return the number of a new object, on which the starts of one rank's persistent collective are counted. */
static guint32 add_persistent(Numbering *numbering)
{
    guint32 unknown = HIERA_NONE;
    g_array_append_val(numbering->context, unknown);
    return numbering->context->len - 1;
}

static void add_row(Numbering *numbering, guint32 row, const HieraSite *site)
{
    const HieraTrace *trace = numbering->trace;
    HieraMemberCall call = {.row = row, .made_by = row, .comm = trace->comm[row], .makes = HIERA_NONE};
    if (site->kind == HIERA_KIND_GROUP) {
        call.comm = hiera_trace_peek_sparse(trace, row)->other;
        call.flags = MAKES_CONTEXT;
    } else if (hiera_kind_collective(site->kind)) {
        call.makes = find_made(numbering, row);
    } else {
        call.flags = MAKES_PERSISTENT;
        call.makes = add_persistent(numbering);
        g_hash_table_insert(numbering->persistent, GUINT_TO_POINTER(row), GUINT_TO_POINTER(call.makes));
    }
    call.object = call.comm;
    add_call(numbering, call);
}

static void add_start(Numbering *numbering, const HieraStart *start)
{
    gpointer object;
    if (!g_hash_table_lookup_extended(numbering->persistent, GUINT_TO_POINTER(start->made_by), NULL, &object))
        return;
    HieraMemberCall call = {.row = start->row,
                            .made_by = start->made_by,
                            .comm = numbering->trace->comm[start->made_by],
                            .object = GPOINTER_TO_UINT(object),
                            .makes = HIERA_NONE};
    add_call(numbering, call);
}

static gboolean takes_part(const HieraSite *site)
{
    return site->kind == HIERA_KIND_GROUP || hiera_kind_collective(site->kind) || hiera_kind_collective(site->starts);
}

/* Add the calls of the current processor in the order of time. `starts` has the same order.
 * @param next  index of the first start that was not added yet; advanced */
static void add_processor(Numbering *numbering, const GArray *starts, guint *next)
{
    const HieraTrace *trace = numbering->trace;
    const HieraProcessor *of = &trace->processors[numbering->processor];
    g_autofree guint32 *order = hiera_match_order(trace, numbering->processor, FALSE);
    for (guint64 i = 0; i < of->n_operations; i++) {
        guint32 row = hiera_match_row(order, of, i);
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        if (takes_part(site))
            add_row(numbering, row, site);
        for (; *next < starts->len && g_array_index(starts, HieraStart, *next).row == row; (*next)++)
            add_start(numbering, &g_array_index(starts, HieraStart, *next));
    }
}

void hiera_match_number_calls(const HieraTrace *trace, HieraMatch *match, const GArray *starts, GArray *context,
                              GArray *calls)
{
    guint next = 0;
    g_autoptr(GHashTable) persistent = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) counts = g_array_new(FALSE, FALSE, sizeof(Count));
    Numbering numbering = {trace, match, calls, context, persistent, NULL, counts, 0};
    for (; numbering.processor < trace->n_processors; numbering.processor++) {
        numbering.places = hiera_key_index_new(sizeof(Place) / sizeof(guint32));
        g_array_set_size(counts, 0);
        add_processor(&numbering, starts, &next);
        hiera_key_index_free(numbering.places);
    }
}
