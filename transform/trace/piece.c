/* See piece.h. A piece has the operations of one file. */
#include "piece.h"
#include "hiera_summed.h"

#define LARGEST (HIERA_NONE - 1) /* greatest number of rows in a trace, and of requests */

HieraPiece *hiera_piece_new(HieraBlockPool *pool, guint keep)
{
    HieraPiece *piece = g_new0(HieraPiece, 1);
    piece->keep = keep;
    piece->pool = pool;
    piece->blocks = g_ptr_array_new();
    piece->sparse = g_array_new(FALSE, FALSE, sizeof(HieraSparseRow));
    piece->request = g_array_new(FALSE, FALSE, sizeof(HieraRequest));
    piece->pending = g_array_new(FALSE, FALSE, sizeof(HieraPending));
    piece->filtered = g_array_new(FALSE, FALSE, sizeof(HieraFiltered));
    piece->summed = g_ptr_array_new();
    piece->asserted = g_array_new(FALSE, FALSE, sizeof(HieraAsserted));
    piece->saved = g_array_new(FALSE, FALSE, sizeof(const char *));
#define X(type, name, texts) piece->name = g_array_new(FALSE, FALSE, sizeof(type));
    HIERA_RECORDS(X)
#undef X
    piece->counted = g_array_new(FALSE, FALSE, sizeof(HieraCounted));
    piece->failed = g_array_new(FALSE, FALSE, sizeof(guint32));
    piece->open = g_array_new(FALSE, FALSE, sizeof(guint32));
    piece->any_source = g_array_new(FALSE, FALSE, sizeof(guint32));
    piece->any_tag = g_array_new(FALSE, FALSE, sizeof(guint32));
    return piece;
}

static void free_summed(gpointer summed, gpointer user)
{
    (void)user;
    if (summed)
        hiera_summed_free(summed);
}

void hiera_piece_free(gpointer data)
{
    HieraPiece *piece = data;
    if (!piece)
        return;
    g_ptr_array_unref(piece->blocks);
    g_array_unref(piece->sparse);
    g_array_unref(piece->request);
    g_array_unref(piece->pending);
    g_array_unref(piece->filtered);
    g_ptr_array_foreach(piece->summed, free_summed, NULL);
    g_ptr_array_unref(piece->summed);
    g_array_unref(piece->asserted);
    g_array_unref(piece->saved);
#define X(type, name, texts) g_array_unref(piece->name);
    HIERA_RECORDS(X)
#undef X
    g_array_unref(piece->counted);
    g_array_unref(piece->failed);
    g_array_unref(piece->open);
    g_array_unref(piece->any_source);
    g_array_unref(piece->any_tag);
    g_free(piece);
}

static HieraPieceBlock *peek_block(const HieraPiece *piece, guint32 row)
{
    return g_ptr_array_index(piece->blocks, row / HIERA_PIECE_ROWS);
}

static void add_sparse(HieraPiece *piece, guint32 row, const HieraOperation *operation)
{
    const HieraSparseRow sparse = {row, 0, {operation->other, operation->rtag, operation->rbytes}};
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

static void add_wildcards(HieraPiece *piece, guint32 row, const HieraOperation *operation)
{
    if (operation->any_source)
        g_array_append_val(piece->any_source, row);
    if (operation->any_tag)
        g_array_append_val(piece->any_tag, row);
}

void hiera_piece_add(HieraPiece *piece, const HieraOperation *operation)
{
    if (piece->full || (piece->full = piece->n >= LARGEST || piece->request->len >= LARGEST - operation->n_requests))
        return;
    if (piece->n % HIERA_PIECE_ROWS == 0)
        g_ptr_array_add(piece->blocks, hiera_block_pool_take(piece->pool));
    guint32 row = piece->n++, at = row % HIERA_PIECE_ROWS;
    HieraPieceBlock *block = peek_block(piece, row);
    block->site[at] = operation->site->id;
    block->parent[at] = operation->parent == HIERA_NO_PARENT ? HIERA_NONE : (guint32)operation->parent;
    block->depth[at] = operation->depth;
    block->thread[at] = operation->thread;
    block->start_ns[at] = operation->start_ns;
    block->finish_ns[at] = operation->finish_ns;
    block->comm[at] = operation->comm;
    block->peer[at] = operation->peer;
    block->source[at] = operation->source;
    block->tag[at] = operation->tag;
    block->requests[at] = piece->request->len;
    block->bytes[at] = operation->bytes;
    if (piece->keep & HIERA_KEEP_LINES)
        block->element_line[at] = operation->element_line;
    if (piece->keep & HIERA_KEEP_POSTED)
        block->posted[at] = operation->posted;
    add_sparse(piece, row, operation);
    add_pending(piece, row, operation);
    g_array_append_vals(piece->request, operation->requests, operation->n_requests);
    if (operation->failed)
        g_array_append_val(piece->failed, row);
    if (piece->keep & HIERA_KEEP_WILDCARDS && !operation->missed)
        add_wildcards(piece, row, operation);
    if (operation->finish_ns == HIERA_TIME_OPEN)
        g_array_append_val(piece->open, row);
}

void hiera_piece_finish_open(const HieraPiece *piece, gint64 finish_ns)
{
    for (guint i = 0; i < piece->open->len; i++) {
        guint32 row = g_array_index(piece->open, guint32, i);
        peek_block(piece, row)->finish_ns[row % HIERA_PIECE_ROWS] = finish_ns;
    }
}
