/** Partners: the operations on different ranks that belong together, by MPI's rules of order.
 *
 * This hides channels, contexts, requests, wildcards and epochs. The result does not use igraph; the graph is built
 * from it. Rows are those of the trace. */
#ifndef HIERA_MATCH_PUBLIC_H
#define HIERA_MATCH_PUBLIC_H

#include "hiera_trace.h"

typedef struct HieraMatch HieraMatch;
typedef struct HieraTable HieraTable;

/** Reasons why an operation has no partner: X(identifier, severity, text). MATCHED and NOT_COMMUNICATING are no
 * reasons. */
#define HIERA_REASONS(X)                                                                                               \
    X(NOT_COMMUNICATING, NOTE, "")                                                                                     \
    X(MATCHED, NOTE, "")                                                                                               \
    X(PROC_NULL, NOTE, "its peer is MPI_PROC_NULL")                                                                    \
    X(CANCELLED, NOTE, "it was cancelled")                                                                             \
    X(ELSEWHERE, NOTE, "its partner is a process of another job")                                                      \
    X(FILTERED, NOTE, "a partner did not record all of its calls: a filter, a pause, or a loss")                       \
    X(LIMIT, NOTE, "the trace of a partner, or its own, has sums there or before")                                     \
    X(BEFORE, NOTE, "it, or its partner, was made before the trace of a rank begins")                                  \
    X(RUNS, NOTE, "the job still runs: its partner may come, or is not seen yet")                                      \
    X(FAILED, NOTE, "the call failed")                                                                                 \
    X(NOT_TRACED, WARNING, "not all of its partners were traced")                                                      \
    X(CUT, WARNING, "the trace of a partner, or its own, is cut short")                                                \
    X(UNDECLARED, WARNING, "its communicator, window or file is not declared in the trace")                            \
    X(UNKNOWN_PEER, WARNING, "the trace does not tell its peer")                                                       \
    X(NO_EPOCH, ERROR, "it lies in no epoch of its window that reaches this rank")                                     \
    X(BAD_RANK, ERROR, "its peer is no rank of the communicator")                                                      \
    X(NO_PARTNER, ERROR, "nobody made the call that belongs to it")                                                    \
    X(MISMATCH, ERROR, "other members made another call, or gave another root or operator")
typedef enum {
#define X(identifier, severity, text) HIERA_REASON_##identifier,
    HIERA_REASONS(X)
#undef X
} HieraReason;

/** Return the text of a reason, as in findings; a constant; "" for MATCHED and NOT_COMMUNICATING. */
HIERA_API const char *hiera_reason_text(HieraReason reason);

/** Severity of the finding that an operation has no partner for this reason. */
HIERA_API HieraSeverity hiera_reason_severity(HieraReason reason);

/** Why a message may have been paired with a wrong receive. */
typedef enum {
    HIERA_DOUBT_NONE,
    HIERA_DOUBT_THREADS, /* MPI does not order calls of different threads */
    HIERA_DOUBT_COUNTED  /* the sender or receiver did not record all calls, so counting messages may pair wrong ones */
} HieraDoubt;

/** A message: the rows that sent and received it; with a persistent request, the rows that started the request. */
typedef struct {
    guint32 from, to;
    guint32 comm : 30;
    guint32 doubt : 2; /* HieraDoubt: why the pairing may be wrong */
    guint32 ended_by;  /* row that completed the receive; HIERA_NONE if it is not known */
} HieraMessage;

/** One collective operation: the calls of all members of a communicator. */
typedef struct {
    guint32 first, n; /* range of the collective's rows in `members` of the match, sorted by rank in the communicator */
    guint32 root;     /* row of the root; HIERA_NONE if there is no root or it is not traced */
    guint32 comm;
    guint32 made_by; /* row with the first member's arguments: its call, or the call that made its persistent request */
    gboolean whole;  /* whether the calls of all members were found, and these ranks recorded all their calls */
    HieraKind kind;
} HieraCollective;

/** Two rows that belong together; for a request, the row that started it and the row that completed it. */
typedef struct {
    guint32 start, completion;
} HieraPair;

/** A probe, and the message that it found. */
typedef struct {
    guint32 row, message; /* row: of the probe; message: index in hiera_match_peek_messages */
} HieraProbe;

/** A call like MPI_Test that completed nothing, and the requests that it tested. */
typedef struct {
    guint32 row;
    const guint32 *starts; /* rows that started the tested requests, rising; inactive requests are left out */
    guint n;               /* number of elements of `starts` */
    gboolean whole;        /* whether `starts` names all requests that the call tested */
    gboolean again;        /* whether `starts` and `whole` are the same as in the call of HieraTestVisit before */
} HieraTestInVain;

/** Match the operations of a trace. O(n log n).
 *
 * @param trace  must outlive the result
 * @return the partners, to be freed by hiera_match_free */
HIERA_API HieraMatch *hiera_match_build(const HieraTrace *trace);

/** Free the result of hiera_match_build. NULL is allowed. */
HIERA_API void hiera_match_free(HieraMatch *match);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraMatch, hiera_match_free)

/** Computes a result from a match, to be freed by hiera_match_find_once's `destroy`. */
typedef gpointer (*HieraMatchFind)(const HieraMatch *match);

/** Return the result of `find` for a match. `find` is called the first time only; the match keeps its result, so that
 * all measures of a command share it. Other threads that want the result wait until it is there.
 *
 * @param find     also the key of the result; may use this function for other results
 * @param destroy  frees the result together with the match
 * @return the result, owned by the match */
HIERA_API gpointer hiera_match_find_once(const HieraMatch *match, HieraMatchFind find, GDestroyNotify destroy);

/** The trace whose operations were matched. */
HIERA_API const HieraTrace *hiera_match_peek_trace(const HieraMatch *match);

/** The messages, channel after channel, in the order in which they were sent on it.
 *
 * @param n  becomes how many there are
 * @return the messages, owned by the match */
HIERA_API const HieraMessage *hiera_match_peek_messages(const HieraMatch *match, guint *n);

/** Bytes that a message carries: as its sender says, else as its receiver does. O(log n).
 *
 * @param message  its index in hiera_match_peek_messages
 * @return -1 if neither trace says it */
HIERA_API gint64 hiera_match_message_bytes(const HieraMatch *match, guint32 message);

/** Tag of a message; of a partitioned one that of its request. O(log n).
 *
 * @param message  its index in hiera_match_peek_messages */
HIERA_API gint32 hiera_match_message_tag(const HieraMatch *match, guint32 message);

/** Kinds of linked operations beside messages and collectives: X(identifier, array of pairs in the match). */
#define HIERA_PAIRS(X)                                                                                                 \
    X(REQUEST, requests)       /* the call that started a request → the call that completed it */                    \
    X(TRANSFER, transfers)     /* put → call that ends the target's epoch; call that begins that epoch → get */    \
    X(COMPLETION, completions) /* put or get → operation that completes it at its origin */                          \
    X(EPOCH, epochs)           /* MPI_Win_post → MPI_Win_start; MPI_Win_complete → MPI_Win_wait */
typedef enum {
#define X(identifier, field) HIERA_PAIRS_##identifier,
    HIERA_PAIRS(X)
#undef X
} HieraPairs;

/** Return the pairs of one kind, owned by the match; `n` becomes their number. */
HIERA_API const HieraPair *hiera_match_peek_pairs(const HieraMatch *match, HieraPairs kind, guint *n);

/** The probes whose message was received, by row: blocking probes, non-blocking ones that found a message, and
 * matched ones; otherwise as hiera_match_peek_messages. */
HIERA_API const HieraProbe *hiera_match_peek_probes(const HieraMatch *match, guint *n);

/** Called with a test that completed nothing. `test` is valid during the call. */
typedef void (*HieraTestVisit)(const HieraTestInVain *test, gpointer user);

/** Visit the tests (not probes) that completed nothing and whose requests the trace names, by processor and time. */
HIERA_API void hiera_match_visit_tests(const HieraMatch *match, HieraTestVisit visit, gpointer user);

/** Return all collectives, owned by the match; `n` becomes their number. */
HIERA_API const HieraCollective *hiera_match_peek_collectives(const HieraMatch *match, guint *n);

/** Rows of the members of a collective, by rank in its communicator; of an intercommunicator, by world rank.
 *
 * @param collective  its index in hiera_match_peek_collectives
 * @param n           becomes how many there are
 * @return the rows, owned by the match */
HIERA_API const guint32 *hiera_match_peek_members(const HieraMatch *match, guint32 collective, guint *n);

/** Called with the indices of two members of a collective: `to` needs data from `from`. */
typedef void (*HieraNeighborVisit)(guint32 from, guint32 to, gpointer user);

/** Visit the dependences of a neighbourhood collective, member after member. There are none unless all members took
 * part and declared their neighbours. */
HIERA_API void hiera_match_visit_neighbors(const HieraMatch *match, guint32 collective, HieraNeighborVisit visit,
                                           gpointer user);

/** The group of an intercommunicator to which a rank belongs.
 *
 * @param comm  of the collective
 * @param rank  world rank
 * @return 0 or 1; 0 if the communicator is no intercommunicator */
HIERA_API guint hiera_match_group(const HieraMatch *match, guint32 comm, guint32 rank);

/** Whether a communicator is an intercommunicator. */
HIERA_API gboolean hiera_match_is_inter(const HieraMatch *match, guint32 comm);

/** The context of a communicator, window or file: equal for all ranks that share it, though its ids and numbers may
 * differ. HIERA_NONE: not known. */
HIERA_API guint32 hiera_match_context(const HieraMatch *match, guint32 comm);

/** Number of communicators, windows and files: all indices in the trace's column `comm` are below it. */
HIERA_API guint32 hiera_match_count_communicators(const HieraMatch *match);

/** Id of a communicator, window or file as the traces declare it; "" for HIERA_NONE. Owned by the catalog. */
HIERA_API const char *hiera_match_comm_id(const HieraMatch *match, guint32 comm);

/** Name that the program gave to a communicator, or the path of a file; "" if there is none. Owned by the catalog. */
HIERA_API const char *hiera_match_comm_name(const HieraMatch *match, guint32 comm);

/** World rank that the column `peer` of an operation names.
 *
 * @return HIERA_STRANGER for a process of another job; HIERA_ABSENT if it names no rank, or the members of its
 *         communicator are not known */
HIERA_API gint32 hiera_match_peer(const HieraMatch *match, guint32 row);

/** Index of the collective (hiera_match_peek_collectives) that an operation took part in; HIERA_NONE: in none. */
HIERA_API guint32 hiera_match_collective(const HieraMatch *match, guint32 row);

/** World rank of the process that a rank on a communicator or window refers to; on an intercommunicator, ranks are of
 * the remote group. HIERA_STRANGER for a process of another job, HIERA_ABSENT if there is no such rank or it is not
 * known. */
HIERA_API gint32 hiera_match_world_rank(const HieraMatch *match, guint32 comm, gint32 rank);

/** Ranks along the n-th dimension (from 0) of the Cartesian topology of a communicator; 0 behind the last dimension,
 * and if it has no such topology. */
HIERA_API gint64 hiera_match_dimension(const HieraMatch *match, guint32 comm, guint n);

/** World rank of the n-th member (from 0) of a communicator, window or group; in an intercommunicator the remote group
 * follows the local one. HIERA_ABSENT behind the last one. */
HIERA_API gint32 hiera_match_member(const HieraMatch *match, guint32 comm, gint64 n);

/** Row of another member whose call differs from this member's call at the same position on the communicator;
 * HIERA_NONE if none is known. */
HIERA_API guint32 hiera_match_differing(const HieraMatch *match, guint32 row);

/** Position, from 1, of a collective without all its partners among this rank's collectives on the communicator; 0 for
 * other operations. */
HIERA_API guint32 hiera_match_position(const HieraMatch *match, guint32 row);

/** Reason why an operation has no partner, or HIERA_REASON_MATCHED; of a send-receive the worse of both halves'. */
HIERA_API HieraReason hiera_match_reason(const HieraMatch *match, guint32 row);

/** Check a trace against MPI's rules: every message received, as many bytes received as sent, collectives in the same
 * order with fitting sizes on all members, children inside the time of their parents, nothing received before it was
 * sent.
 *
 * @param findings  takes each rule that is broken */
HIERA_API void hiera_match_check(const HieraMatch *match, HieraFindings *findings);

/** Messages sent and received on each communicator: one row each, with those that lack a partner for a reason that is
 * no error (`excused`), and the collectives of all members. To be freed by hiera_table_free. */
HIERA_API HieraTable *hiera_match_make_conservation(const HieraMatch *match);

/** Time and bytes by level of the hierarchy: one row for each level. `inclusive` is the time inside its operations,
 * each moment of a thread once; `exclusive` the part of it outside of all that they called; `bytes inside` the bytes
 * that MPI calls sent in them. To be freed by hiera_table_free. */
HIERA_API HieraTable *hiera_match_make_hierarchy(const HieraMatch *match);

#endif
