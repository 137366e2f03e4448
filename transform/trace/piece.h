/** The operations of one file, in columns of its own, while they are read; join_pieces.c joins them. */
#ifndef HIERA_PIECE_H
#define HIERA_PIECE_H

#include "hiera_trace.h"

typedef struct {
    guint32 row;
    HieraSparse sparse;
} HieraSparseRow;

/** The rows of one file, numbered from 0. */
typedef struct {
    guint32 n, capacity;
#define X(type, name) type *name;
    HIERA_COLUMNS(X)
#undef X
    guint32 *element_line;
    gint64 *posted;
    GArray *sparse;   /* HieraSparseRow */
    GArray *request;  /* HieraRequest */
    GArray *pending;  /* HieraPending */
    GArray *filtered; /* HieraFiltered */
    GArray *asserted; /* HieraAsserted */
    GArray *saved;    /* const char *: lines of hieraAggregation */
    GArray *counted;  /* HieraCounted */
    GArray *failed;   /* guint32: rows of calls that returned an error */
    GArray *open;     /* guint32: rows of operations without a finish time */
    guint keep;
    gboolean full; /* the file has more operations or requests than a trace can have; the others are skipped */
} HieraPiece;

HieraPiece *hiera_piece_new(guint keep);

/** Free a piece, or what joining has left of it. */
void hiera_piece_free(gpointer piece);

void hiera_piece_add(HieraPiece *piece, const HieraOperation *operation);

/** Join pieces: fill the columns of a trace, its requests and what few operations have, in the order of the pieces. The
 * columns of the pieces are freed.
 *
 * @param trace       its numbers of operations and requests and its index are there
 * @param pieces      HieraPiece
 * @param keep  HIERA_KEEP_…: columns that the pieces have, and the trace gets */
void hiera_pieces_join(HieraTrace *trace, const GPtrArray *pieces, guint keep);

#endif
