/* Functions that the files of the measure hang share. hang_ranks.c finds the state of each rank, with the requests and
 * messages that are left over (hang_ends.c); hang_needs.c and hang_windows.c its needs; hang_stuck.c the ranks that can
 * never go on; hang_words.c has the texts, hang_causes.c chooses the causes of the hang. */
#pragma once

#include "hanging.h"

/* True if operations of this kind are called by all members of a communicator. */
static inline gboolean hiera_hang_is_collective(HieraKind kind)
{
    return kind == HIERA_KIND_GROUP || hiera_kind_collective(kind);
}

/* --- hang_ranks.c --- */

/* Fill `ranks` except their needs, and `hung`. */
void hiera_hang_find_states(HieraHang *hang);

/* --- hang_ends.c --- */

/* Fill `partnered`, `ends` and `requests`. */
void hiera_hang_find_ends(HieraHang *hang);
/* True if one side of a message has its partner. @param side  HIERA_HANG_SENT or HIERA_HANG_RECEIVED */
gboolean hiera_hang_is_partnered(const HieraHang *hang, guint32 made_by, guint32 act, guint8 side);
/* Return what a request does; for a persistent request what its start does. */
HieraKind hiera_hang_kind(const HieraTrace *trace, guint32 made_by);
/* Return the world rank of a peer given in a row, which may be HIERA_ANY, HIERA_PROC_NULL or HIERA_ABSENT. */
gint32 hiera_hang_peer(const HieraHang *hang, guint32 row, gint32 peer);
/* Return the source (world rank or HIERA_ANY), and the tag, of a receive. */
gint32 hiera_hang_source(const HieraHang *hang, guint32 row);
gint32 hiera_hang_receive_tag(const HieraHang *hang, guint32 row);
/* True if a send without a partner could be received by a receive in the same context. */
gboolean hiera_hang_fits(const HieraHang *hang, const HieraHangEnd *send, const HieraHangEnd *receive);

/* --- hang_needs.c, hang_windows.c --- */

/* Fill the needs of all calls. */
void hiera_hang_find_needs(HieraHang *hang);
/* Add a rank to a need; ranks outside of this job are ignored. */
void hiera_hang_need_rank(HieraHangNeed *need, gint32 rank);
/* Update `locks` for a call that may lock or unlock a window. */
void hiera_hang_see_lock(const HieraHang *hang, guint32 processor, guint32 row);
/* Add the needs of a call on a window. */
void hiera_hang_window_need(const HieraHang *hang, guint32 processor, HieraHangNeed *need);

/* --- hang_stuck.c --- */

/* Find the ranks that can never go on. */
void hiera_hang_find_stuck(HieraHang *hang);
/* True if a rank is after its last MPI call: it can do nothing that others need. */
gboolean hiera_hang_has_ended(const HieraHang *hang, guint32 processor);
/* True if a need of a rank cannot be met any more. */
gboolean hiera_hang_in_vain(const HieraHang *hang, const HieraHangNeed *need);
/* Return the first need of a rank that keeps it stuck; NULL if it is not stuck. */
const HieraHangNeed *hiera_hang_first_need(const HieraHang *hang, guint32 processor);

/* Return the first unmet need of a rank, whether it can still be met or not; NULL if there is none. */
const HieraHangNeed *hiera_hang_open_need(const HieraHang *hang, guint32 processor);

/* --- hang_near.c --- */

/* The operation that nearly fits a need. */
typedef struct {
    guint32 row; /* the call with the arguments; HIERA_NONE: no operation nearly fits */
    guint32 act; /* the call that takes part in MPI's order of messages; HIERA_NONE: the request was never started */
    gint32 peer, tag; /* for a message: as in HieraHangEnd */
    gboolean sent;    /* for a message: as in HieraHangEnd */
    const char *how;  /* the difference in words; a constant */
} HieraHangNear;

/* Return the send, receive or collective that differs least from the one that a rank needs. */
HieraHangNear hiera_hang_find_near(const HieraHang *hang, guint32 processor, const HieraHangNeed *need);

/* --- hang_words.c; all texts to be freed with g_free --- */

/* Return a call like "MPI_Recv (app.c:31)". */
char *hiera_hang_call(const HieraHang *hang, guint32 row);
/* Return ranks like "rank 1", "ranks 0-3 7". @param ranks  gint32 */
char *hiera_hang_ranks(const GArray *ranks);
/* Return a message like ", tag 7, on MPI_COMM_WORLD". */
char *hiera_hang_envelope(const HieraHang *hang, gint32 tag, guint32 comm);
/* Return the need in words, like "a message from rank 1, tag 7, on MPI_COMM_WORLD". */
char *hiera_hang_describe_need(const HieraHang *hang, const HieraHangNeed *need);
/* Return what a rank is doing, like "is in MPI_Recv (app.c:40)". */
char *hiera_hang_describe_rank(const HieraHang *hang, gint32 rank);
/* Return what ranks are doing, like "rank 1 is in …, rank 2 has ended". @param ranks  gint32 */
char *hiera_hang_describe_ranks(const HieraHang *hang, const GArray *ranks);
/* Return why a need is not met: an operation in the way, or one that nearly fits; "" if the reason is not known. */
char *hiera_hang_describe_why(const HieraHang *hang, guint32 processor, const HieraHangNeed *need);
/* Return how the calls of two members of a collective differ. */
char *hiera_hang_describe_difference(const HieraHang *hang, guint32 row, guint32 other);
/* Return the reason of a rank's wait for the table. */
char *hiera_hang_describe_reason(const HieraHang *hang, guint32 processor);
