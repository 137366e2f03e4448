/* Join the pieces (operations of one file each) into the columns of a trace: block by block, in several threads. */
#include "base/threads.h"
#include "hiera_summed.h"
#include "piece.h"
#include "trace_index.h"
#include <string.h>

static HieraPiece *peek_piece(const GPtrArray *pieces, guint index)
{
    return g_ptr_array_index(pieces, index);
}

static gboolean is_zero(const guint8 *bytes, gsize n)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0;
}

/* A block of rows of a piece, and its rows in the trace. */
typedef struct {
    HieraPieceBlock *block;
    guint32 n, row;               /* number of rows in the block; row in the trace of the first one */
    guint32 first, first_request; /* first row and first request of the whole piece in the trace */
} Part;

typedef struct {
    HieraTrace *trace;
    guint keep;
    const Part *parts;
} Joining;

/* Change the block's parents and request indices from those in the piece to those in the trace. */
static void renumber(const Part *part)
{
    for (guint32 i = 0; i < part->n; i++) {
        part->block->requests[i] += part->first_request;
        if (part->block->parent[i] != HIERA_NONE)
            part->block->parent[i] += part->first;
    }
}

/* Copy into zeroed memory, and skip zeros: untouched pages use no memory. Whole columns can be zero, for example
 * `thread`. */
static void copy(void *to, const void *from, gsize n)
{
    if (!is_zero(from, n))
        memcpy(to, from, n);
}

static void join_part(guint number, gpointer user)
{
    const Joining *joining = user;
    const Part *part = &joining->parts[number];
    renumber(part);
#define X(type, name) copy(joining->trace->name + part->row, part->block->name, part->n * sizeof(type));
    HIERA_COLUMNS(X)
#undef X
    if (joining->keep & HIERA_KEEP_LINES)
        copy(joining->trace->element_line + part->row, part->block->element_line, part->n * sizeof(guint32));
    if (joining->keep & HIERA_KEEP_POSTED)
        copy(joining->trace->posted + part->row, part->block->posted, part->n * sizeof(gint64));
}

/* Return the blocks of all pieces, as GArray of Part, to be freed with g_array_unref. */
static GArray *list_parts(const GPtrArray *pieces)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(Part));
    guint32 first = 0, first_request = 0;
    for (guint i = 0; i < pieces->len; i++) {
        const HieraPiece *piece = peek_piece(pieces, i);
        for (guint32 row = 0; row < piece->n; row += HIERA_PIECE_ROWS) {
            HieraPieceBlock *block = g_ptr_array_index(piece->blocks, row / HIERA_PIECE_ROWS);
            Part part = {block, MIN(piece->n - row, HIERA_PIECE_ROWS), first + row, first, first_request};
            g_array_append_val(parts, part);
        }
        first += piece->n;
        first_request += piece->request->len;
    }
    return parts;
}

/* Join all columns in parallel: most time goes into new memory pages of the kernel, which several threads can share. */
static void join_columns(HieraTrace *trace, const GPtrArray *pieces, guint keep)
{
    gsize n = (gsize)trace->n_operations + 1;
    g_autoptr(GArray) parts = list_parts(pieces);
    Joining joining = {trace, keep, (const Part *)(const void *)parts->data};
#define X(type, name) trace->name = g_new0(type, n);
    HIERA_COLUMNS(X)
#undef X
    if (keep & HIERA_KEEP_LINES)
        trace->element_line = g_new0(guint32, n);
    if (keep & HIERA_KEEP_POSTED)
        trace->posted = g_new0(gint64, n);
    hiera_threads_each(parts->len, join_part, &joining);
}

static guint count_sparse(const GPtrArray *pieces)
{
    guint n = 0;
    for (guint i = 0; i < pieces->len; i++)
        n += peek_piece(pieces, i)->sparse->len;
    return n;
}

/* Join the sparse arguments of all pieces, and make the index from rows to them. */
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

/* Move the summed operations of all pieces into the trace; the pieces get NULL instead. */
static void join_summed(HieraTrace *trace, const GPtrArray *pieces)
{
    trace->summed = g_array_new(FALSE, FALSE, sizeof(HieraSummedOf));
    for (guint i = 0; i < pieces->len; i++) {
        GPtrArray *summed = peek_piece(pieces, i)->summed;
        for (guint j = 0; j < summed->len; j++) {
            HieraSummedOf of = {i, g_steal_pointer(&summed->pdata[j])};
            g_array_append_val(trace->summed, of);
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

#define X(type, name, texts)                                                                                           \
    static void join_##name(HieraTrace *trace, const GPtrArray *pieces)                                                \
    {                                                                                                                  \
        trace->name = g_array_new(FALSE, FALSE, sizeof(type));                                                         \
        for (guint i = 0; i < pieces->len; i++) {                                                                      \
            const GArray *records = peek_piece(pieces, i)->name;                                                       \
            for (guint j = 0; j < records->len; j++) {                                                                 \
                type of = g_array_index(records, type, j);                                                             \
                of.processor = i;                                                                                      \
                g_array_append_val(trace->name, of);                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }
HIERA_RECORDS(X)
#undef X

/* Compare by row: values are recorded at the end of operations, so those of inner operations come first in a file. */
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
    trace->any_source = g_array_new(FALSE, FALSE, sizeof(guint32));
    trace->any_tag = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < pieces->len; i++) {
        const HieraPiece *piece = peek_piece(pieces, i);
        append_rows(trace->failed, piece->failed, first);
        append_rows(trace->open, piece->open, first);
        append_rows(trace->any_source, piece->any_source, first);
        append_rows(trace->any_tag, piece->any_tag, first);
        first += piece->n;
    }
}

void hiera_pieces_join(HieraTrace *trace, const GPtrArray *pieces, guint keep)
{
    join_columns(trace, pieces, keep);
    join_sparse(trace, pieces);
    join_requests(trace, pieces);
    join_pending(trace, pieces);
    join_filtered(trace, pieces);
    join_summed(trace, pieces);
    join_asserted(trace, pieces);
    join_saved(trace, pieces);
#define X(type, name, texts) join_##name(trace, pieces);
    HIERA_RECORDS(X)
#undef X
    join_counted(trace, pieces);
    join_marked(trace, pieces);
}
