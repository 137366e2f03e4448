/** A piece: the operations of one file, in columns of its own, while the file is read. join_pieces.c joins pieces. */
#pragma once

#include "block_pool.h"
#include "hiera_pack.h"
#include "hiera_trace.h"
#include <stddef.h>

typedef struct {
    guint32 row;
    guint32 zero; /* always 0, instead of padding bytes: processes send these records to each other as bytes */
    HieraSparse sparse;
} HieraSparseRow;

/** Rows of a block: not a power of two, or the elements of a row in all columns would fall into the same few
 * cache lines. */
#define HIERA_PIECE_ROWS 1008
typedef struct {
#define X(type, name) type name[HIERA_PIECE_ROWS];
    HIERA_COLUMNS(X)
#undef X
    /* Optional columns, which stand last: a block without them is allocated without their memory. */
    guint32 element_line[HIERA_PIECE_ROWS];
    gint64 posted[HIERA_PIECE_ROWS];
} HieraPieceBlock;

/** Size in bytes of a block with the optional columns `keep` (HIERA_KEEP_…). */
#define HIERA_PIECE_BLOCK_BYTES(keep)                                                                                  \
    ((keep)&HIERA_KEEP_POSTED  ? sizeof(HieraPieceBlock)                                                               \
     : (keep)&HIERA_KEEP_LINES ? offsetof(HieraPieceBlock, posted)                                                     \
                               : offsetof(HieraPieceBlock, element_line))

/** The operations of one file as rows, numbered from 0. Rows never move in memory: new rows go to new blocks. */
typedef struct {
    guint32 n;
    HieraBlockPool *pool;                  /* owns the memory of `blocks` */
    GPtrArray *blocks;                     /* HieraPieceBlock: HIERA_PIECE_ROWS rows each */
    GArray *sparse;                        /* HieraSparseRow, by row */
    GArray *request;                       /* HieraRequest */
    GArray *pending;                       /* HieraPending */
    GArray *filtered;                      /* HieraFiltered */
    GPtrArray *summed;                     /* HieraSummed */
    GArray *asserted;                      /* HieraAsserted */
    GArray *saved;                         /* const char *: lines of probe scripts' results (hieraAggregation) */
#define X(type, name, texts) GArray *name; /* records of the type `type` */
    HIERA_RECORDS(X)
#undef X
    GArray *counted;              /* HieraCounted */
    GArray *failed;               /* guint32: rows of calls that returned an error, or did not return */
    GArray *open;                 /* guint32: rows of operations without end in the trace */
    GArray *any_source, *any_tag; /* guint32: rows that asked for any source, any tag; see HIERA_KEEP_WILDCARDS */
    guint keep;
    GPtrArray *held;      /* the builder's array of pieces that stay in this process when packed; NULL: none do */
    gboolean stays;       /* whether the piece is in `held`, which then owns it */
    guint process, place; /* if another process holds the piece: number of that process, and index in its `held` */
    gboolean full;        /* whether the file has more operations or requests than a trace can; the rest is skipped */
} HieraPiece;

/** @param pool  has blocks of HIERA_PIECE_BLOCK_BYTES(keep); must outlive the piece */
HieraPiece *hiera_piece_new(HieraBlockPool *pool, guint keep);

/** Free a piece. NULL is allowed. */
void hiera_piece_free(gpointer piece);

void hiera_piece_add(HieraPiece *piece, const HieraOperation *operation);

/** Change numbers of sites and communicators to those of an unpacker's catalog; the unpacker has unpacked the catalog
 * of the piece. */
void hiera_piece_renumber(const HieraPiece *piece, const HieraUnpacker *numbers);

/** Set the finish time of all operations that have none to `finish_ns`. */
void hiera_piece_finish_open(const HieraPiece *piece, gint64 finish_ns);

/** Join pieces: fill the columns of a trace, its requests and its rare data (sparse arguments, records), in the order
 * of the pieces. Their blocks are used up.
 *
 * @param trace       its numbers of operations and requests and its index are set
 * @param pieces      HieraPiece
 * @param keep        HIERA_KEEP_…: columns that the pieces have, and the trace gets */
void hiera_pieces_join(HieraTrace *trace, const GPtrArray *pieces, guint keep);
