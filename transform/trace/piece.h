/** The operations of one file, in columns of its own, while they are read; join_pieces.c joins them. */
#pragma once

#include "block_pool.h"
#include "hiera_pack.h"
#include "hiera_trace.h"
#include <stddef.h>

typedef struct {
    guint32 row;
    guint32 zero; /* sets padding bytes to 0, as processes send these to each other */
    HieraSparse sparse;
} HieraSparseRow;

/** Rows of a block: not a power of two, or the elements of a row in all columns would fall into the same few
 * cache lines. */
#define HIERA_PIECE_ROWS 1008
typedef struct {
#define X(type, name) type name[HIERA_PIECE_ROWS];
    HIERA_COLUMNS(X)
#undef X
    /* At the end: these columns have no memory unless they are kept. */
    guint32 element_line[HIERA_PIECE_ROWS];
    gint64 posted[HIERA_PIECE_ROWS];
} HieraPieceBlock;

/** Bytes of a block with the columns of HIERA_KEEP_…. */
#define HIERA_PIECE_BLOCK_BYTES(keep)                                                                                  \
    ((keep)&HIERA_KEEP_POSTED  ? sizeof(HieraPieceBlock)                                                               \
     : (keep)&HIERA_KEEP_LINES ? offsetof(HieraPieceBlock, posted)                                                     \
                               : offsetof(HieraPieceBlock, element_line))

/** The rows of one file, numbered from 0. Rows never move: new blocks are added. */
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
#define X(type, name, texts) GArray *name; /* records of type `type` */
    HIERA_RECORDS(X)
#undef X
    GArray *counted;              /* HieraCounted */
    GArray *failed;               /* guint32: rows of calls that returned an error, or did not return */
    GArray *open;                 /* guint32: rows of operations without a finish time */
    GArray *any_source, *any_tag; /* guint32: rows of calls that asked for any; empty without HIERA_KEEP_WILDCARDS */
    guint keep;
    GPtrArray *held;      /* array of its builder that keeps it when it is packed; NULL: it is not kept */
    gboolean stays;       /* the piece is in `held` */
    guint process, place; /* if another process holds the piece: number of that process, and its place there */
    gboolean full;        /* the file has more operations or requests than a trace can have; the others are skipped */
} HieraPiece;

/** @param pool  for blocks of HIERA_PIECE_BLOCK_BYTES; must outlive the piece */
HieraPiece *hiera_piece_new(HieraBlockPool *pool, guint keep);

/** NULL is allowed. */
void hiera_piece_free(gpointer piece);

void hiera_piece_add(HieraPiece *piece, const HieraOperation *operation);

/** Change numbers of sites and communicators to those of an unpacker's catalog; the unpacker has unpacked the catalog
 * of the piece. */
void hiera_piece_renumber(const HieraPiece *piece, const HieraUnpacker *numbers);

/** Set the finish time of all operations without one. */
void hiera_piece_finish_open(const HieraPiece *piece, gint64 finish_ns);

/** Join pieces: fill the columns of a trace, its requests and its rare data (sparse arguments, records), in the order
 * of the pieces. Their blocks are used up.
 *
 * @param trace       its numbers of operations and requests and its index are set
 * @param pieces      HieraPiece
 * @param keep        HIERA_KEEP_…: columns that the pieces have, and the trace gets */
void hiera_pieces_join(HieraTrace *trace, const GPtrArray *pieces, guint keep);
