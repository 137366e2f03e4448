/* The parts of matching, one file each, and the questions that several of them ask. Only for this folder: the others
 * see match.h. */
#ifndef HIERA_MATCH_COMMON_H
#define HIERA_MATCH_COMMON_H

#include "match.h"

/* What later operations tell about a row that began a request. */
typedef struct {
    guint32 completion; /* row that completed it, or HIERA_NONE */
    guint32 told;       /* where in `request` of the trace that row names it, and the message received; or HIERA_NONE */
    guint32 probed;     /* of a matched probe the row that received its message, of that one the probe; or HIERA_NONE */
    guint8 cancelled, freed;
    guint8 persistent; /* its starts are the messages, not the row itself */
} HieraFacts;

/* One start of a persistent request. */
typedef struct {
    guint32 row, made_by;
    HieraFacts facts;
} HieraStart;

/* Rows of a processor in the order of time, which is that of their starts (of completions their ends, if so wanted).
 * NULL: that is document order, because no threads run side by side. To be freed. */
guint32 *hiera_match_order(const HieraTrace *trace, guint32 processor, gboolean completions_end);
/* The n-th row of a processor in such an order. */
static inline guint32 hiera_match_row(const guint32 *order, const HieraProcessor *of, guint64 n)
{
    return order ? order[n] : (guint32)(of->first + n);
}

/* Facts about a row, which has requests if there are any; @param facts by request: those of a row stand at its first */
const HieraFacts *hiera_match_peek_facts(const HieraTrace *trace, const HieraFacts *facts, guint32 row);
/* The message received, as its completion told. */
static inline HieraRequest hiera_match_told(const HieraTrace *trace, const HieraFacts *facts)
{
    const HieraRequest nothing = {0, HIERA_ABSENT, HIERA_ABSENT, -1};
    return facts->told == HIERA_NONE ? nothing : trace->request[facts->told];
}

/* Pair starts and completions. @return facts by request; `starts` takes the HieraStart of all persistent requests */
HieraFacts *hiera_match_requests(const HieraTrace *trace, HieraMatch *match, GArray *starts);
void hiera_match_messages(const HieraTrace *trace, HieraMatch *match, const HieraFacts *facts, const GArray *starts);
/* Also finds the contexts of windows, files and communicators with processes of other jobs: before the messages. */
void hiera_match_collectives(const HieraTrace *trace, HieraMatch *match, const GArray *starts);

void hiera_match_windows(const HieraTrace *trace, HieraMatch *match);

/* What a rank only counted; a mask. */
typedef enum {
    HIERA_LACKS_SENDS = 1,
    HIERA_LACKS_RECEIVES = 2,
    HIERA_LACKS_COLLECTIVES = 4,
    HIERA_LACKS_COMPLETIONS = 8, /* calls that tell what became of others: waits, tests, cancels */
    HIERA_LACKS_EPOCHS = 16      /* calls that open and close windows */
} HieraLacks;
GHashTable *hiera_match_find_unrecorded(const HieraTrace *trace);
/* Did a processor not record all of some calls on a communicator? Of counts that do not tell theirs: on any. */
gboolean hiera_match_lacks(const HieraTrace *trace, const HieraMatch *match, guint32 processor, guint32 comm,
                           guint what);

/* Does a call only begin what another one completes? */
gboolean hiera_match_begins_request(const HieraTrace *trace, guint32 row);
/* Keep the worse of two reasons for a row. */
void hiera_match_set_reason(HieraMatch *match, guint32 row, HieraReason reason);
/* Why a rank offers no partner: of another job, not traced, cut (or the asker's own trace is), it lacks calls of that
 * kind on the communicator, or it did not make one. */
HieraReason hiera_match_blame(const HieraTrace *trace, const HieraMatch *match, guint32 own_processor, gint32 rank,
                              guint32 comm, guint what);
/* The communicator `comm`, NULL if it is none or its ranks are not known; that of all ranks is always known. */
const HieraCommunicator *hiera_match_communicator(const HieraTrace *trace, guint32 comm);
/* World rank of a rank in a communicator, as the program addresses it: in the remote group if there is one.
 * HIERA_ABSENT if there is no such rank. */
gint32 hiera_match_translate(const HieraCommunicator *communicator, gint32 rank);

#endif
