/* Functions that the files of the measure hang share. hang_ranks.c finds the state of each rank, with the requests and
 * messages that are left over (hang_ends.c); hang_needs.c and hang_windows.c its needs; hang_stuck.c the ranks that can
 * never go on; hang_words.c has the texts, hang_causes.c chooses the causes of the hang. */
#pragma once

#include "hanging.h"

/* Whether the process of a rank still runs, but was stopped by a signal or a debugger. */
static inline gboolean hiera_hang_is_stopped(const HieraHang *hang, guint32 processor)
{
    return hang->trace->processors[processor].alive && *hang->trace->processors[processor].end;
}

/* Whether a rank is on another computer and seen up to its last record (--live): what it does now is not known. */
static inline gboolean hiera_hang_is_far(const HieraHang *hang, guint32 processor)
{
    const HieraProcessor *of = &hang->trace->processors[processor];
    return of->alive && !of->ended && of->end_ns > 0;
}

/* Return why calls are missing of ranks that are not far; NULL: none are. */
static inline const char *hiera_hang_peek_past(const HieraHang *hang)
{
    for (guint32 i = 0; i < hang->trace->n_processors; i++)
        if (!hiera_hang_is_far(hang, i) && hiera_processor_is_past(&hang->trace->processors[i]))
            return hang->trace->processors[i].past;
    return NULL;
}

/* Whether all members of a communicator must call operations of this kind. */
static inline gboolean hiera_hang_is_collective(HieraKind kind)
{
    return kind == HIERA_KIND_GROUP || hiera_kind_collective(kind);
}

/* --- hang_ends.c: sends and receives without a partner --- */

/* Set `partnered`, `ends` and `requests`, and what goes with them. */
void hiera_hang_find_ends(HieraHang *hang);
/* Whether one side of a message has its partner. @param side  HIERA_HANG_SENT or HIERA_HANG_RECEIVED */
gboolean hiera_hang_is_partnered(const HieraHang *hang, guint32 made_by, guint32 act, guint8 side);
/* Return what kind of operation a call makes; of a persistent request, what its start does. */
HieraKind hiera_hang_kind(const HieraTrace *trace, guint32 made_by);
/* Return the world rank of a peer on the communicator of a row; HIERA_ANY, HIERA_PROC_NULL, HIERA_ABSENT stay. */
gint32 hiera_hang_peer(const HieraHang *hang, guint32 row, gint32 peer);
/* Return the source (world rank or HIERA_ANY) of the receive in a row; the next function returns its tag. */
gint32 hiera_hang_source(const HieraHang *hang, guint32 row);
gint32 hiera_hang_receive_tag(const HieraHang *hang, guint32 row);
/* Whether a receive could take the message of a send, by communicator, ranks and tag. */
gboolean hiera_hang_fits(const HieraHang *hang, const HieraHangEnd *send, const HieraHangEnd *receive);

/* --- hang_needs.c, hang_windows.c: what calls need of other ranks --- */

/* Set the needs of all calls that had not ended. */
void hiera_hang_find_needs(HieraHang *hang);
/* Add a rank to a need; ranks outside of this job (negative numbers) are ignored. */
void hiera_hang_need_rank(HieraHangNeed *need, gint32 rank);
/* Update `locks` if a call locks or unlocks a window. */
void hiera_hang_see_lock(const HieraHang *hang, guint32 processor, guint32 row);
/* Set the ranks of a need for a call on a window, and whether the need is met. */
void hiera_hang_window_need(const HieraHang *hang, guint32 processor, HieraHangNeed *need);

/* --- hang_stuck.c: ranks that can never go on --- */

/* Set which ranks have free threads, and which are stuck: they can never go on. */
void hiera_hang_find_stuck(HieraHang *hang);
/* Whether a rank has made its last MPI call, so that it does nothing that others need. */
gboolean hiera_hang_has_ended(const HieraHang *hang, guint32 processor);
/* Return the first need of a rank that cannot be met any more; NULL if the rank is not stuck. */
const HieraHangNeed *hiera_hang_first_need(const HieraHang *hang, guint32 processor);

/* Return the first unmet need of a rank, also if it can still be met; NULL: there is none. */
const HieraHangNeed *hiera_hang_open_need(const HieraHang *hang, guint32 processor);

/* --- hang_near.c: operations that nearly fit a need --- */

/* An operation of another rank that nearly is the one that a need waits for. */
typedef struct {
    guint32 row;      /* row with its arguments; HIERA_NONE: no operation nearly fits */
    guint32 act;      /* row by which MPI orders messages; HIERA_NONE: the request was never started */
    gint32 peer, tag; /* of a send or receive: as in HieraHangEnd */
    gboolean sent;    /* of a message: TRUE for a send, FALSE for a receive */
    const char *how;  /* what differs from the needed operation, as text; a constant */
} HieraHangNear;

/* Return the send, receive or collective of another rank that differs least from the one that a need waits for. */
HieraHangNear hiera_hang_find_near(const HieraHang *hang, guint32 processor, const HieraHangNeed *need);

/* --- hang_words.c: texts, all to be freed with g_free --- */

/* Return the name and call site of a call, like "MPI_Recv (app.c:31)". */
char *hiera_hang_call(const HieraHang *hang, guint32 row);
/* Return ranks as text, like "rank 1", "ranks 0-3 7". @param ranks  gint32 */
char *hiera_hang_ranks(const GArray *ranks);
/* Return tag and communicator of a message as text, like ", tag 7, on MPI_COMM_WORLD". */
char *hiera_hang_envelope(const HieraHang *hang, gint32 tag, guint32 comm);
/* Return what a need waits for as text, like "a message from rank 1, tag 7, on MPI_COMM_WORLD". */
char *hiera_hang_describe_need(const HieraHang *hang, const HieraHangNeed *need);
/* Return what a rank is doing as text, like "is in MPI_Recv (app.c:40)". */
char *hiera_hang_describe_rank(const HieraHang *hang, gint32 rank);
/* Return what ranks are doing as text, like "rank 1 is in …, rank 2 has ended". @param ranks  gint32 */
char *hiera_hang_describe_ranks(const HieraHang *hang, const GArray *ranks);
/* Return why a need is not met, as text: an operation in the way, or one that nearly fits; "": not known. */
char *hiera_hang_describe_why(const HieraHang *hang, guint32 processor, const HieraHangNeed *need);
/* Return as text how the calls `row` and `other` of two members of a collective differ. */
char *hiera_hang_describe_difference(const HieraHang *hang, guint32 row, guint32 other);
/* Return the text of the column `reason` for a rank: why it waits. */
char *hiera_hang_describe_reason(const HieraHang *hang, guint32 processor);
