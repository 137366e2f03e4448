/** The operations of one file, in columns of its own, while they are read; join_pieces.c joins them. */
#ifndef HIERA_PIECE_H
#define HIERA_PIECE_H

#include "block_pool.h"
#include "hiera_pack.h"
#include "hiera_trace.h"
#include <stddef.h>

typedef struct {
    guint32 row;
    guint32 zero; /* instead of bytes that nobody sets: processes send these to each other */
    HieraSparse sparse;
} HieraSparseRow;

/** The columns of some rows: not of a power of two, or the places of a row in all columns would be in the same few
 * lines of the cache. */
#define HIERA_PIECE_ROWS 1008
typedef struct {
#define X(type, name) type name[HIERA_PIECE_ROWS];
    HIERA_COLUMNS(X)
#undef X
    /* Behind the others: what nobody keeps has no memory. */
    guint32 element_line[HIERA_PIECE_ROWS];
    gint64 posted[HIERA_PIECE_ROWS];
} HieraPieceBlock;

/** Bytes of a block, with what HIERA_KEEP_… says. */
#define HIERA_PIECE_BLOCK_BYTES(keep)                                                                                  \
    ((keep)&HIERA_KEEP_POSTED  ? sizeof(HieraPieceBlock)                                                               \
     : (keep)&HIERA_KEEP_LINES ? offsetof(HieraPieceBlock, posted)                                                     \
                               : offsetof(HieraPieceBlock, element_line))

/** The rows of one file, numbered from 0. They never move: blocks are added. */
typedef struct {
    guint32 n;
    HieraBlockPool *pool;                  /* owns the blocks */
    GPtrArray *blocks;                     /* HieraPieceBlock */
    GArray *sparse;                        /* HieraSparseRow */
    GArray *request;                       /* HieraRequest */
    GArray *pending;                       /* HieraPending */
    GArray *filtered;                      /* HieraFiltered */
    GPtrArray *summed;                     /* HieraSummed */
    GArray *asserted;                      /* HieraAsserted */
    GArray *saved;                         /* const char *: lines of hieraAggregation */
#define X(type, name, texts) GArray *name; /* of `type` */
    HIERA_RECORDS(X)
#undef X
    GArray *counted;              /* HieraCounted */
    GArray *failed;               /* guint32: rows of calls that returned an error, or did not return */
    GArray *open;                 /* guint32: rows of operations without a finish time */
    GArray *any_source, *any_tag; /* guint32: rows of calls that asked for any; empty without HIERA_KEEP_WILDCARDS */
    guint keep;
    GPtrArray *held;      /* of its builder: where it stays if it is packed; NULL: nowhere */
    gboolean stays;       /* it is there */
    guint process, place; /* of one that stays in another process: which, and its place there */
    gboolean full;        /* the file has more operations or requests than a trace can have; the others are skipped */
} HieraPiece;

/** @param pool  for blocks of HIERA_PIECE_BLOCK_BYTES; must outlive the piece */
HieraPiece *hiera_piece_new(HieraBlockPool *pool, guint keep);

/** NULL is allowed. */
void hiera_piece_free(gpointer piece);

void hiera_piece_add(HieraPiece *piece, const HieraOperation *operation);

/** Change numbers of sites and communicators to those of the catalog of an unpacker, which has unpacked those of the
 * piece. */
void hiera_piece_renumber(const HieraPiece *piece, const HieraUnpacker *numbers);

/** Set the finish time of all operations without one. */
void hiera_piece_finish_open(const HieraPiece *piece, gint64 finish_ns);

/** Join pieces: fill the columns of a trace, its requests and what few operations have, in the order of the pieces.
 * Their blocks are used up.
 *
 * @param trace       its numbers of operations and requests and its index are there
 * @param pieces      HieraPiece
 * @param keep        HIERA_KEEP_…: columns that the pieces have, and the trace gets */
void hiera_pieces_join(HieraTrace *trace, const GPtrArray *pieces, guint keep);

#endif
