/* Builds the columns of a trace. Each file fills a piece with columns of its own while its thread reads it.
 * Afterwards the pieces are joined: several columns at the same time, and each piece is freed as soon as it is
 * copied. */
#include "base/threads.h"
#include "catalog.h"
#include "trace_index.h"
#include <malloc.h>
#include <stddef.h>
#include <string.h>

#define LARGEST    (HIERA_NONE - 1) /* number of rows, and of requests, in a trace */
#define COPY_BLOCK 4096             /* bytes */

typedef struct {
    guint32 row;
    HieraSparse sparse;
} SparseRow;

/* The rows of one file, numbered from 0. */
typedef struct {
    guint32 n, capacity;
#define X(type, name) type *name;
    HIERA_COLUMNS(X)
#undef X
    guint32 *element_line;
    GArray *sparse;   /* SparseRow */
    GArray *request;  /* HieraRequest */
    GArray *pending;  /* HieraPending */
    GArray *filtered; /* HieraFiltered */
    GArray *failed;   /* guint32: rows of calls that returned an error */
    GArray *open;     /* guint32: rows of operations without a finish time */
} Piece;

struct HieraBuilder {
    HieraCatalog *catalog;
    gboolean keep_lines;
    GPtrArray *pieces; /* by rank */
};

/* The state of the sink while it reads one file. */
typedef struct {
    Piece piece;
    gboolean keep_lines;
    gboolean full; /* the file has more operations or requests than LARGEST; the others are skipped */
} State;

static void state_free(gpointer data)
{
    State *state = data;
#define X(type, name) g_free(state->piece.name);
    HIERA_COLUMNS(X)
#undef X
    g_free(state->piece.element_line);
    g_array_unref(state->piece.sparse);
    g_array_unref(state->piece.request);
    g_array_unref(state->piece.pending);
    g_array_unref(state->piece.filtered);
    g_array_unref(state->piece.failed);
    g_array_unref(state->piece.open);
    g_free(state);
}

static gpointer begin(gpointer user, const HieraProcessor *processor)
{
    (void)processor;
    const HieraBuilder *builder = user;
    State *state = g_new0(State, 1);
    state->keep_lines = builder->keep_lines;
    state->piece.sparse = g_array_new(FALSE, FALSE, sizeof(SparseRow));
    state->piece.request = g_array_new(FALSE, FALSE, sizeof(HieraRequest));
    state->piece.pending = g_array_new(FALSE, FALSE, sizeof(HieraPending));
    state->piece.filtered = g_array_new(FALSE, FALSE, sizeof(HieraFiltered));
    state->piece.failed = g_array_new(FALSE, FALSE, sizeof(guint32));
    state->piece.open = g_array_new(FALSE, FALSE, sizeof(guint32));
    return state;
}

static void grow(State *state)
{
    Piece *piece = &state->piece;
    piece->capacity = piece->capacity ? piece->capacity + piece->capacity / 2 : 1024;
#define X(type, name) piece->name = g_renew(type, piece->name, piece->capacity);
    HIERA_COLUMNS(X)
#undef X
    if (state->keep_lines)
        piece->element_line = g_renew(guint32, piece->element_line, piece->capacity);
}

static void add_sparse(Piece *piece, guint32 row, const HieraOperation *operation)
{
    const SparseRow sparse = {row, {operation->other, operation->rtag, operation->rbytes}};
    if (operation->other != HIERA_NONE || operation->rtag != HIERA_ABSENT || operation->rbytes != -1)
        g_array_append_val(piece->sparse, sparse);
}

static void add_pending(Piece *piece, guint32 row, const HieraOperation *operation)
{
    HieraPending missed = {.row = row};
    for (guint i = 0; i < operation->n_pending; i++) {
        g_array_append_val(piece->pending, operation->pending[i]);
        g_array_index(piece->pending, HieraPending, piece->pending->len - 1).row = row;
    }
    if (operation->missed)
        g_array_append_val(piece->pending, missed);
}

static void add(gpointer user, const HieraOperation *operation)
{
    State *state = user;
    Piece *piece = &state->piece;
    if (state->full || (state->full = piece->n >= LARGEST || piece->request->len >= LARGEST - operation->n_requests))
        return;
    if (piece->n == piece->capacity)
        grow(state);
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
    if (state->keep_lines)
        piece->element_line[row] = operation->element_line;
    if (operation->failed)
        g_array_append_val(piece->failed, row);
    if (operation->finish_ns == HIERA_TIME_OPEN)
        g_array_append_val(piece->open, row);
}

static void add_filtered(gpointer user, const HieraFiltered *filtered)
{
    State *state = user;
    g_array_append_vals(state->piece.filtered, filtered, 1);
}

static void end(gpointer user, gpointer data, const HieraProcessor *processor, gboolean keep)
{
    HieraBuilder *builder = user;
    State *state = data;
    for (guint i = 0; i < state->piece.open->len; i++)
        state->piece.finish_ns[g_array_index(state->piece.open, guint32, i)] = processor->finalize_ns;
    if (keep)
        g_ptr_array_add(builder->pieces, state);
    else
        state_free(state);
}

HieraBuilder *hiera_builder_new(HieraCatalog *catalog, gboolean keep_lines)
{
    HieraBuilder *builder = g_new0(HieraBuilder, 1);
    builder->catalog = catalog;
    builder->keep_lines = keep_lines;
    builder->pieces = g_ptr_array_new_with_free_func(state_free);
    return builder;
}

void hiera_builder_free(HieraBuilder *builder)
{
    if (!builder)
        return;
    g_ptr_array_unref(builder->pieces);
    g_free(builder);
}

HieraSink hiera_builder_sink(HieraBuilder *builder)
{
    return (HieraSink){begin, add, end, builder, add_filtered};
}

static const Piece *peek_piece(const HieraBuilder *builder, guint index)
{
    return &((const State *)g_ptr_array_index(builder->pieces, index))->piece;
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

/* A column: offsets of its pointer in HieraTrace and in Piece, and the bytes of a row. */
typedef struct {
    gsize in_trace, in_piece, size;
} Column;

typedef struct {
    HieraTrace *trace;
    HieraBuilder *builder;
    const Column *columns;
    guint n_columns;
    gint next; /* index of the column that the next free thread takes */
} Joining;

/* Join one column of all pieces, and free it in each piece. */
static void join_column(const Joining *joining, const Column *column)
{
    guint8 *to = g_malloc0(((gsize)joining->trace->n_operations + 1) * column->size);
    memcpy(G_STRUCT_MEMBER_P(joining->trace, column->in_trace), &to, sizeof to);
    for (guint i = 0; i < joining->builder->pieces->len; i++) {
        const Piece *piece = peek_piece(joining->builder, i);
        guint8 *from;
        memcpy(&from, G_STRUCT_MEMBER_P(piece, column->in_piece), sizeof from);
        copy_block_by_block(to, from, piece->n * column->size);
        to += piece->n * column->size;
        g_free(from);
        memset(G_STRUCT_MEMBER_P(piece, column->in_piece), 0, sizeof from);
    }
}

static gpointer join_some(gpointer data)
{
    Joining *joining = data;
    for (;;) {
        guint column = (guint)g_atomic_int_add(&joining->next, 1);
        if (column >= joining->n_columns)
            return NULL;
        join_column(joining, &joining->columns[column]);
    }
}

/* Join all columns, in parallel: most of the time the kernel provides new memory pages, which threads can share. */
static void join_columns(HieraTrace *trace, HieraBuilder *builder)
{
#define X(type, name) {offsetof(HieraTrace, name), offsetof(Piece, name), sizeof(type)},
    static const Column columns[] = {HIERA_COLUMNS(X) X(guint32, element_line)};
#undef X
    Joining joining = {trace, builder, columns, G_N_ELEMENTS(columns) - (builder->keep_lines ? 0 : 1), 0};
    guint n_threads = MIN(hiera_threads_count(), joining.n_columns) - 1;
    g_autofree GThread **threads = g_new0(GThread *, n_threads + 1);
    for (guint i = 0; i < n_threads; i++)
        threads[i] = g_thread_try_new("columns", join_some, &joining, NULL);
    join_some(&joining);
    for (guint i = 0; i < n_threads; i++) {
        if (threads[i])
            g_thread_join(threads[i]);
    }
}

/* Change row and request numbers from those of the pieces to those of the trace. */
static void renumber(HieraTrace *trace, const HieraBuilder *builder)
{
    guint32 first = 0, first_request = 0;
    for (guint i = 0; i < builder->pieces->len; i++) {
        const Piece *piece = peek_piece(builder, i);
        for (guint32 row = first; row < first + piece->n; row++) {
            trace->requests[row] += first_request;
            if (trace->parent[row] != HIERA_NONE)
                trace->parent[row] += first;
        }
        first += piece->n;
        first_request += piece->request->len;
    }
}

static guint count_sparse(const HieraBuilder *builder)
{
    guint n = 0;
    for (guint i = 0; i < builder->pieces->len; i++)
        n += peek_piece(builder, i)->sparse->len;
    return n;
}

/* Join the sparse arguments, and make their index. */
static void join_sparse(const HieraTrace *trace, const HieraBuilder *builder)
{
    HieraTraceIndex *index = trace->index;
    gsize n_blocks = (gsize)trace->n_operations / HIERA_SPARSE_BLOCK + 1;
    guint32 first = 0, n = 0;
    index->sparse = g_new(HieraSparse, (gsize)count_sparse(builder) + 1);
    index->sparse_blocks = g_new0(HieraSparseBlock, n_blocks);
    for (guint i = 0; i < builder->pieces->len; i++) {
        const Piece *piece = peek_piece(builder, i);
        for (guint j = 0; j < piece->sparse->len; j++) {
            const SparseRow *sparse = &g_array_index(piece->sparse, SparseRow, j);
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

static void join_requests(HieraTrace *trace, const HieraBuilder *builder)
{
    HieraRequest *at = trace->request = g_new(HieraRequest, (gsize)trace->n_requests + 1);
    for (guint i = 0; i < builder->pieces->len; i++) {
        const GArray *request = peek_piece(builder, i)->request;
        if (request->len > 0)
            memcpy(at, request->data, request->len * sizeof *at);
        at += request->len;
    }
}

static void join_pending(HieraTrace *trace, const HieraBuilder *builder)
{
    guint32 first = 0;
    trace->pending = g_array_new(FALSE, FALSE, sizeof(HieraPending));
    for (guint i = 0; i < builder->pieces->len; i++) {
        const Piece *piece = peek_piece(builder, i);
        for (guint j = 0; j < piece->pending->len; j++) {
            HieraPending pending = g_array_index(piece->pending, HieraPending, j);
            pending.row += first;
            g_array_append_val(trace->pending, pending);
        }
        first += piece->n;
    }
}

static void join_filtered(HieraTrace *trace, const HieraBuilder *builder)
{
    trace->filtered = g_array_new(FALSE, FALSE, sizeof(HieraFilteredOf));
    for (guint i = 0; i < builder->pieces->len; i++) {
        const GArray *filtered = peek_piece(builder, i)->filtered;
        for (guint j = 0; j < filtered->len; j++) {
            HieraFilteredOf of = {i, g_array_index(filtered, HieraFiltered, j)};
            g_array_append_val(trace->filtered, of);
        }
    }
}

static void append_rows(GArray *to, const GArray *rows, guint32 first)
{
    for (guint i = 0; i < rows->len; i++) {
        guint32 row = first + g_array_index(rows, guint32, i);
        g_array_append_val(to, row);
    }
}

static void join_marked(HieraTrace *trace, const HieraBuilder *builder)
{
    guint32 first = 0;
    trace->failed = g_array_new(FALSE, FALSE, sizeof(guint32));
    trace->open = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < builder->pieces->len; i++) {
        const Piece *piece = peek_piece(builder, i);
        append_rows(trace->failed, piece->failed, first);
        append_rows(trace->open, piece->open, first);
        first += piece->n;
    }
}

static gboolean count_rows(const HieraBuilder *builder, HieraTrace *trace, GError **error)
{
    guint64 rows = 0, requests = 0;
    for (guint i = 0; i < builder->pieces->len; i++) {
        rows += peek_piece(builder, i)->n + (((const State *)g_ptr_array_index(builder->pieces, i))->full ? 1 : 0);
        requests += peek_piece(builder, i)->request->len;
    }
    if (rows >= HIERA_NONE || requests >= HIERA_NONE) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY,
                    "%" G_GUINT64_FORMAT " operations are more than a graph can hold; use fewer traces", rows);
        return FALSE;
    }
    trace->n_operations = (guint32)rows;
    trace->n_requests = (guint32)requests;
    return TRUE;
}

/* Make the index from rows to processors: about four blocks for each processor, so that the rows of a block belong to
 * few processors. */
static void index_processors(const HieraTrace *trace)
{
    HieraTraceIndex *index = trace->index;
    while (trace->n_operations >> index->block_bits > 4 * trace->n_processors)
        index->block_bits++;
    gsize n = (trace->n_operations >> index->block_bits) + 2;
    index->processor_near = g_new(guint32, n);
    for (gsize block = 0, processor = 0; block < n; block++) {
        while (processor + 1 < trace->n_processors &&
               trace->processors[processor + 1].first <= (guint64)block << index->block_bits)
            processor++;
        index->processor_near[block] = (guint32)processor;
    }
}

/* Return free memory to the system. The allocator of glibc keeps what the reader threads have freed, although these
 * threads have ended. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

HieraTrace *hiera_builder_take_trace(HieraBuilder *builder, const GArray *processors, GError **error)
{
    HieraTrace *trace = g_new0(HieraTrace, 1);
    if (!count_rows(builder, trace, error)) {
        g_free(trace);
        return NULL;
    }
    trace->catalog = builder->catalog;
    trace->index = g_new0(HieraTraceIndex, 1);
    trace->n_processors = processors->len;
    trace->processors = g_memdup2(processors->data, processors->len * sizeof(HieraProcessor));
    join_columns(trace, builder);
    renumber(trace, builder);
    join_sparse(trace, builder);
    join_requests(trace, builder);
    join_pending(trace, builder);
    join_filtered(trace, builder);
    join_marked(trace, builder);
    index_processors(trace);
    g_ptr_array_set_size(builder->pieces, 0);
    give_back_memory();
    return trace;
}
