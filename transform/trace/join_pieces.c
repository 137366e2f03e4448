/* Puts the pieces of all files behind one another: several columns at the same time, and each column of a piece is
 * freed as soon as it is copied. */
#include "base/threads.h"
#include "piece.h"
#include "trace_index.h"
#include <stddef.h>
#include <string.h>

#define COPY_BLOCK 4096 /* bytes */

static HieraPiece *peek_piece(const GPtrArray *pieces, guint index)
{
    return g_ptr_array_index(pieces, index);
}

static gboolean is_zero(const guint8 *bytes, gsize n)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0;
}

/* Copy into memory that is zero, and skip blocks of zeros: untouched pages use no memory. Complete columns can be
 * zero, those of threads and depths for example. */
static void copy_block_by_block(void *to, const void *from, gsize n)
{
    for (gsize at = 0, size; at < n; at += size) {
        size = MIN(n - at, COPY_BLOCK);
        if (!is_zero((const guint8 *)from + at, size))
            memcpy((guint8 *)to + at, (const guint8 *)from + at, size);
    }
}

/* A column: offsets of its pointer in HieraTrace and in HieraPiece, and the bytes of a row. */
typedef struct {
    gsize in_trace, in_piece, size;
} Column;

typedef struct {
    HieraTrace *trace;
    const GPtrArray *pieces;
    const Column *columns;
} Joining;

/* Join one column of all pieces, and free it in each piece. */
static void join_column(guint number, gpointer user)
{
    const Joining *joining = user;
    const Column *column = &joining->columns[number];
    guint8 *to = g_malloc0(((gsize)joining->trace->n_operations + 1) * column->size);
    memcpy(G_STRUCT_MEMBER_P(joining->trace, column->in_trace), &to, sizeof to);
    for (guint i = 0; i < joining->pieces->len; i++) {
        HieraPiece *piece = peek_piece(joining->pieces, i);
        guint8 *from;
        memcpy(&from, G_STRUCT_MEMBER_P(piece, column->in_piece), sizeof from);
        copy_block_by_block(to, from, piece->n * column->size);
        to += piece->n * column->size;
        g_free(from);
        memset(G_STRUCT_MEMBER_P(piece, column->in_piece), 0, sizeof from);
    }
}

/* Join all columns, in parallel: most of the time the kernel provides new memory pages, which threads can share. */
static void join_columns(HieraTrace *trace, const GPtrArray *pieces, guint keep)
{
#define X(type, name) {offsetof(HieraTrace, name), offsetof(HieraPiece, name), sizeof(type)},
    static const Column always[] = {HIERA_COLUMNS(X)}, more[] = {X(guint32, element_line) X(gint64, posted)};
#undef X
    Column columns[G_N_ELEMENTS(always) + 2];
    guint n = G_N_ELEMENTS(always);
    memcpy(columns, always, sizeof always);
    if (keep & HIERA_KEEP_LINES)
        columns[n++] = more[0];
    if (keep & HIERA_KEEP_POSTED)
        columns[n++] = more[1];
    Joining joining = {trace, pieces, columns};
    hiera_threads_each(n, join_column, &joining);
}

/* Change row and request numbers from those of the pieces to those of the trace. */
static void renumber(HieraTrace *trace, const GPtrArray *pieces)
{
    guint32 first = 0, first_request = 0;
    for (guint i = 0; i < pieces->len; i++) {
        const HieraPiece *piece = peek_piece(pieces, i);
        for (guint32 row = first; row < first + piece->n; row++) {
            trace->requests[row] += first_request;
            if (trace->parent[row] != HIERA_NONE)
                trace->parent[row] += first;
        }
        first += piece->n;
        first_request += piece->request->len;
    }
}

static guint count_sparse(const GPtrArray *pieces)
{
    guint n = 0;
    for (guint i = 0; i < pieces->len; i++)
        n += peek_piece(pieces, i)->sparse->len;
    return n;
}

/* Join the sparse arguments, and make their index. */
static void join_sparse(const HieraTrace *trace, const GPtrArray *pieces)
{
    HieraTraceIndex *index = trace->index;
    gsize n_blocks = (gsize)trace->n_operations / HIERA_SPARSE_BLOCK + 1;
    guint32 first = 0, n = 0;
    index->sparse = g_new(HieraSparse, (gsize)count_sparse(pieces) + 1);
    index->sparse_blocks = g_new0(HieraSparseBlock, n_blocks);
    for (guint i = 0; i < pieces->len; i++) {
        const HieraPiece *piece = peek_piece(pieces, i);
        for (guint j = 0; j < piece->sparse->len; j++) {
            const HieraSparseRow *sparse = &g_array_index(piece->sparse, HieraSparseRow, j);
            guint32 row = first + sparse->row;
            index->sparse_blocks[row / HIERA_SPARSE_BLOCK].rows |= G_GUINT64_CONSTANT(1) << row % HIERA_SPARSE_BLOCK;
            index->sparse[n++] = sparse->sparse;
        }
        first += piece->n;
    }
    for (gsize i = 1; i < n_blocks; i++)
        index->sparse_blocks[i].before =
            index->sparse_blocks[i - 1].before + (guint32)__builtin_popcountll(index->sparse_blocks[i - 1].rows);
}

static void join_requests(HieraTrace *trace, const GPtrArray *pieces)
{
    HieraRequest *at = trace->request = g_new(HieraRequest, (gsize)trace->n_requests + 1);
    for (guint i = 0; i < pieces->len; i++) {
        const GArray *request = peek_piece(pieces, i)->request;
        if (request->len > 0)
            memcpy(at, request->data, request->len * sizeof *at);
        at += request->len;
    }
}

static void join_pending(HieraTrace *trace, const GPtrArray *pieces)
{
    guint32 first = 0;
    trace->pending = g_array_new(FALSE, FALSE, sizeof(HieraPending));
    for (guint i = 0; i < pieces->len; i++) {
        const HieraPiece *piece = peek_piece(pieces, i);
        for (guint j = 0; j < piece->pending->len; j++) {
            HieraPending pending = g_array_index(piece->pending, HieraPending, j);
            pending.row += first;
            g_array_append_val(trace->pending, pending);
        }
        first += piece->n;
    }
}

static void join_filtered(HieraTrace *trace, const GPtrArray *pieces)
{
    trace->filtered = g_array_new(FALSE, FALSE, sizeof(HieraFilteredOf));
    for (guint i = 0; i < pieces->len; i++) {
        const GArray *filtered = peek_piece(pieces, i)->filtered;
        for (guint j = 0; j < filtered->len; j++) {
            HieraFilteredOf of = {i, g_array_index(filtered, HieraFiltered, j)};
            g_array_append_val(trace->filtered, of);
        }
    }
}

static void join_asserted(HieraTrace *trace, const GPtrArray *pieces)
{
    trace->asserted = g_array_new(FALSE, FALSE, sizeof(HieraAsserted));
    for (guint i = 0; i < pieces->len; i++) {
        const GArray *asserted = peek_piece(pieces, i)->asserted;
        for (guint j = 0; j < asserted->len; j++) {
            HieraAsserted of = g_array_index(asserted, HieraAsserted, j);
            of.processor = i;
            g_array_append_val(trace->asserted, of);
        }
    }
}

static void join_saved(HieraTrace *trace, const GPtrArray *pieces)
{
    trace->saved = g_array_new(FALSE, FALSE, sizeof(HieraSavedLine));
    for (guint i = 0; i < pieces->len; i++) {
        const GArray *saved = peek_piece(pieces, i)->saved;
        for (guint j = 0; j < saved->len; j++) {
            HieraSavedLine of = {i, g_array_index(saved, const char *, j)};
            g_array_append_val(trace->saved, of);
        }
    }
}

/* Values come when operations end, so inner ones are before outer ones. */
static gint compare_counted(gconstpointer a, gconstpointer b)
{
    const HieraCounted *left = a, *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    return strcmp(left->counter->name, right->counter->name);
}

static void join_counted(HieraTrace *trace, const GPtrArray *pieces)
{
    guint32 first = 0;
    trace->counted = g_array_new(FALSE, FALSE, sizeof(HieraCounted));
    for (guint i = 0; i < pieces->len; i++) {
        const HieraPiece *piece = peek_piece(pieces, i);
        guint before = trace->counted->len;
        g_array_append_vals(trace->counted, piece->counted->data, piece->counted->len);
        for (guint j = before; j < trace->counted->len; j++) {
            HieraCounted *counted = &g_array_index(trace->counted, HieraCounted, j);
            counted->row = first + (guint32)counted->index;
        }
        first += piece->n;
    }
    g_array_sort(trace->counted, compare_counted);
}

static void append_rows(GArray *to, const GArray *rows, guint32 first)
{
    for (guint i = 0; i < rows->len; i++) {
        guint32 row = first + g_array_index(rows, guint32, i);
        g_array_append_val(to, row);
    }
}

static void join_marked(HieraTrace *trace, const GPtrArray *pieces)
{
    guint32 first = 0;
    trace->failed = g_array_new(FALSE, FALSE, sizeof(guint32));
    trace->open = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < pieces->len; i++) {
        const HieraPiece *piece = peek_piece(pieces, i);
        append_rows(trace->failed, piece->failed, first);
        append_rows(trace->open, piece->open, first);
        first += piece->n;
    }
}

void hiera_pieces_join(HieraTrace *trace, const GPtrArray *pieces, guint keep)
{
    join_columns(trace, pieces, keep);
    renumber(trace, pieces);
    join_sparse(trace, pieces);
    join_requests(trace, pieces);
    join_pending(trace, pieces);
    join_filtered(trace, pieces);
    join_asserted(trace, pieces);
    join_saved(trace, pieces);
    join_counted(trace, pieces);
    join_marked(trace, pieces);
}
