/* The operations of one file; see piece.h. */
#include "piece.h"

#define LARGEST (HIERA_NONE - 1) /* number of rows, and of requests, in a trace */

HieraPiece *hiera_piece_new(guint keep)
{
    HieraPiece *piece = g_new0(HieraPiece, 1);
    piece->keep = keep;
    piece->sparse = g_array_new(FALSE, FALSE, sizeof(HieraSparseRow));
    piece->request = g_array_new(FALSE, FALSE, sizeof(HieraRequest));
    piece->pending = g_array_new(FALSE, FALSE, sizeof(HieraPending));
    piece->filtered = g_array_new(FALSE, FALSE, sizeof(HieraFiltered));
    piece->asserted = g_array_new(FALSE, FALSE, sizeof(HieraAsserted));
    piece->saved = g_array_new(FALSE, FALSE, sizeof(const char *));
    piece->counted = g_array_new(FALSE, FALSE, sizeof(HieraCounted));
    piece->failed = g_array_new(FALSE, FALSE, sizeof(guint32));
    piece->open = g_array_new(FALSE, FALSE, sizeof(guint32));
    return piece;
}

void hiera_piece_free(gpointer data)
{
    HieraPiece *piece = data;
#define X(type, name) g_free(piece->name);
    HIERA_COLUMNS(X)
#undef X
    g_free(piece->element_line);
    g_free(piece->posted);
    g_array_unref(piece->sparse);
    g_array_unref(piece->request);
    g_array_unref(piece->pending);
    g_array_unref(piece->filtered);
    g_array_unref(piece->asserted);
    g_array_unref(piece->saved);
    g_array_unref(piece->counted);
    g_array_unref(piece->failed);
    g_array_unref(piece->open);
    g_free(piece);
}

static void grow(HieraPiece *piece)
{
    piece->capacity = piece->capacity ? piece->capacity + piece->capacity / 2 : 1024;
#define X(type, name) piece->name = g_renew(type, piece->name, piece->capacity);
    HIERA_COLUMNS(X)
#undef X
    if (piece->keep & HIERA_KEEP_POSTED)
        piece->posted = g_renew(gint64, piece->posted, piece->capacity);
    if (piece->keep & HIERA_KEEP_LINES)
        piece->element_line = g_renew(guint32, piece->element_line, piece->capacity);
}

static void add_sparse(HieraPiece *piece, guint32 row, const HieraOperation *operation)
{
    const HieraSparseRow sparse = {row, {operation->other, operation->rtag, operation->rbytes}};
    if (operation->other != HIERA_NONE || operation->rtag != HIERA_ABSENT || operation->rbytes != -1)
        g_array_append_val(piece->sparse, sparse);
}

static void add_pending(HieraPiece *piece, guint32 row, const HieraOperation *operation)
{
    HieraPending missed = {.row = row};
    for (guint i = 0; i < operation->n_pending; i++) {
        g_array_append_val(piece->pending, operation->pending[i]);
        g_array_index(piece->pending, HieraPending, piece->pending->len - 1).row = row;
    }
    if (operation->missed)
        g_array_append_val(piece->pending, missed);
}

void hiera_piece_add(HieraPiece *piece, const HieraOperation *operation)
{
    if (piece->full || (piece->full = piece->n >= LARGEST || piece->request->len >= LARGEST - operation->n_requests))
        return;
    if (piece->n == piece->capacity)
        grow(piece);
    guint32 row = piece->n++;
    piece->site[row] = operation->site->id;
    piece->parent[row] = operation->parent == HIERA_NO_PARENT ? HIERA_NONE : (guint32)operation->parent;
    piece->depth[row] = operation->depth;
    piece->thread[row] = operation->thread;
    piece->start_ns[row] = operation->start_ns;
    piece->finish_ns[row] = operation->finish_ns;
    piece->comm[row] = operation->comm;
    piece->peer[row] = operation->peer;
    piece->source[row] = operation->source;
    piece->tag[row] = operation->tag;
    piece->bytes[row] = operation->bytes;
    add_sparse(piece, row, operation);
    add_pending(piece, row, operation);
    piece->requests[row] = piece->request->len;
    g_array_append_vals(piece->request, operation->requests, operation->n_requests);
    if (piece->keep & HIERA_KEEP_POSTED)
        piece->posted[row] = operation->posted;
    if (piece->keep & HIERA_KEEP_LINES)
        piece->element_line[row] = operation->element_line;
    if (operation->failed)
        g_array_append_val(piece->failed, row);
    if (operation->finish_ns == HIERA_TIME_OPEN)
        g_array_append_val(piece->open, row);
}
