/* The steps of matching, one file each, and helpers that several of them use. Private to this folder; the interface
 * is match.h. */
#pragma once

#include "match.h"

/* What later calls of the processor tell of a request, or of a message that a matched probe took. */
typedef struct {
    guint32 completion; /* row that completed the request; HIERA_NONE: none */
    guint32 status;     /* index in `request` of the trace where `completion` names the request and reports the message;
                         * or HIERA_NONE */
    guint32 probed;     /* for a matched probe, the row that received the message; for that row, the probe; or
                         * HIERA_NONE */
    guint8 cancelled, freed;
    guint8 persistent; /* the row made a persistent request: messages belong to the request's starts, not to this row */
} HieraFacts;

/* One start of a persistent request: the row that started it, and the row that made it. */
typedef struct {
    guint32 row, made_by;
    HieraFacts facts;
} HieraStart;

/* Whether a row follows calls that the trace has only as sums (`hieraTurns`), so that its number on a channel is
 * unknown. */
gboolean hiera_match_is_behind_sums(const HieraTrace *trace, guint32 processor, guint32 row);

/* Sort the rows of a processor by start time.
 *
 * @param completions_end  sort operations of the kind COMPLETE by their finish time instead
 * @return  the rows, to be freed with g_free; NULL if the processor has one thread: document order is right then */
guint32 *hiera_match_order(const HieraTrace *trace, guint32 processor, gboolean completions_end);
/* Return the n-th row (from 0) of a processor in the order that hiera_match_order() returned. */
static inline guint32 hiera_match_row(const guint32 *order, const HieraProcessor *of, guint64 n)
{
    return order ? order[n] : (guint32)(of->first + n);
}

/* Return the facts about a row; if it has no requests, empty facts.
 * @param facts  by request; the facts of a row are at the index of its first request */
const HieraFacts *hiera_match_peek_facts(const HieraTrace *trace, const HieraFacts *facts, guint32 row);
/* Return source, tag and size of a received message as the completion of its request reported them; absent: unknown. */
static inline HieraRequest hiera_match_status(const HieraTrace *trace, const HieraFacts *facts)
{
    const HieraRequest nothing = {0, HIERA_ABSENT, HIERA_ABSENT, -1};
    return facts->status == HIERA_NONE ? nothing : trace->request[facts->status];
}

/* Pair the starts and completions of requests.
 * @param starts  receives a HieraStart for each start of a persistent request
 * @return  facts, indexed by request; to be freed with g_free */
HieraFacts *hiera_match_requests(const HieraTrace *trace, HieraMatch *match, GArray *starts);
/* Match sends with receives. Call it after hiera_match_collectives(), which finds the contexts. */
void hiera_match_messages(const HieraTrace *trace, HieraMatch *match, const HieraFacts *facts, const GArray *starts);
/* Match collectives, and find the contexts of windows, files and communicators that include processes of other jobs. */
void hiera_match_collectives(const HieraTrace *trace, HieraMatch *match, const GArray *starts);

/* Match one-sided communication. Call it after hiera_match_collectives(). */
void hiera_match_windows(const HieraTrace *trace, HieraMatch *match);

/* Kinds of calls of which a rank did not record all, because of a filter or a pause: bits of a mask. */
typedef enum {
    HIERA_LACKS_SENDS = 1,
    HIERA_LACKS_RECEIVES = 2,
    HIERA_LACKS_COLLECTIVES = 4,
    HIERA_LACKS_COMPLETIONS = 8, /* calls that complete requests, and cancels */
    HIERA_LACKS_EPOCHS = 16      /* calls that begin and end epochs of windows */
} HieraLacks;
/* Find the calls that ranks did not record: the table HieraMatch.lacking, to be freed with g_hash_table_unref. */
GHashTable *hiera_match_find_unrecorded(const HieraTrace *trace);
/* True if a processor did not record all of its calls of a kind on a communicator. Unrecorded calls whose
 * communicator is not known count for every communicator.
 * @param lacks  kinds of calls: HieraLacks, combined by | */
gboolean hiera_match_lacks(const HieraTrace *trace, const HieraMatch *match, guint32 processor, guint32 comm,
                           guint lacks);

/* Return an empty table for HieraMatch.results. */
struct HieraMatchResults *hiera_match_results_new(void);
void hiera_match_results_free(struct HieraMatchResults *results);

/* Whether a call names a request of its own, so that another call may complete it. */
gboolean hiera_match_begins_request(const HieraTrace *trace, guint32 row);
/* Set why a row has no partner; if the row already has a reason, the worse of both stays. */
void hiera_match_set_reason(HieraMatch *match, guint32 row, HieraReason reason);
/* Return the reason why a rank offers no partner: it is a process of another job, it is not traced, its trace (or
 * that of own_processor) is cut short, it did not record all such calls on the communicator, or it did not make the
 * call.
 *
 * @param own_processor  processor of the call that lacks a partner
 * @param rank           world rank of the missing partner
 * @param lacks          kinds of calls that could be the partner: HieraLacks, combined by | */
HieraReason hiera_match_blame(const HieraTrace *trace, const HieraMatch *match, guint32 own_processor, gint32 rank,
                              guint32 comm, guint lacks);
/* Return a communicator by its number; NULL if `comm` is HIERA_NONE or its ranks are not known. The ranks of
 * MPI_COMM_WORLD are always known. */
const HieraCommunicator *hiera_match_communicator(const HieraTrace *trace, guint32 comm);
/* Return the world rank of a peer: of a rank in the communicator, or in the remote group of an intercommunicator.
 * HIERA_ABSENT if there is no such rank. */
gint32 hiera_match_translate(const HieraCommunicator *communicator, gint32 rank);
