/* Builds a trace. Each file fills a piece with columns of its own while its thread reads it. Afterwards the pieces are
 * joined. */
#include "catalog.h"
#include "held_pieces.h"
#include "hiera_load.h"
#include "pack_piece.h"
#include "parallel/parallel.h"
#include "trace_index.h"

struct HieraBuilder {
    HieraCatalog *catalog;
    guint keep;
    HieraBlockPool *pool; /* memory of the pieces' blocks; NULL after the trace was taken */
    GPtrArray *pieces;    /* HieraPiece, by rank: the operations of one trace file */
    GPtrArray *held;      /* HieraPiece that this process has read and keeps until it is known which process needs them;
                             NULL: pieces are sent to process 0 at once */
};

static gpointer begin(gpointer user, const HieraProcessor *processor)
{
    (void)processor;
    const HieraBuilder *builder = user;
    HieraPiece *piece = hiera_piece_new(builder->pool, builder->keep);
    piece->held = builder->held;
    return piece;
}

static void add(gpointer piece, const HieraOperation *operation)
{
    hiera_piece_add(piece, operation);
}

static void add_filtered(gpointer data, const HieraFiltered *filtered)
{
    HieraPiece *piece = data;
    g_array_append_vals(piece->filtered, filtered, 1);
}

static void add_asserted(gpointer data, const HieraAsserted *asserted)
{
    HieraPiece *piece = data;
    g_array_append_vals(piece->asserted, asserted, 1);
}

static void add_counted(gpointer data, const HieraCounted *counted)
{
    HieraPiece *piece = data;
    if (counted->index < piece->n)
        g_array_append_vals(piece->counted, counted, 1);
}

static void add_summed(gpointer data, const HieraSummed *summed)
{
    g_ptr_array_add(((HieraPiece *)data)->summed, hiera_summed_copy(summed));
}

static void add_saved(gpointer data, const char *line)
{
    g_array_append_val(((HieraPiece *)data)->saved, line);
}

#define X(type, name, texts)                                                                                           \
    static void add_##name(gpointer data, const type *record)                                                          \
    {                                                                                                                  \
        g_array_append_val(((HieraPiece *)data)->name, *record);                                                       \
    }
HIERA_RECORDS(X)
#undef X

static void end(gpointer user, gpointer data, const HieraProcessor *processor, gboolean keep)
{
    HieraBuilder *builder = user;
    HieraPiece *piece = data;
    hiera_piece_finish_open(piece, processor->finalize_ns);
    if (keep)
        g_ptr_array_add(builder->pieces, piece);
    else if (!piece->stays)
        hiera_piece_free(piece);
}

/* Pack the operations of a file; if they stay in this process (hiera_builder_hold), only where they are. */
static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    HieraPiece *piece = data;
    piece->stays = piece->held != NULL;
    if (!piece->stays) {
        hiera_piece_pack(piece, to);
        return;
    }
    hiera_pack_number(to, hiera_parallel_rank());
    hiera_pack_number(to, piece->held->len);
    g_ptr_array_add(piece->held, piece);
}

static gpointer unpack(gpointer user, const HieraProcessor *processor, HieraUnpacker *from)
{
    HieraPiece *piece = begin(user, processor);
    if (!piece->held) {
        hiera_piece_unpack(piece, from);
        return piece;
    }
    piece->process = (guint)hiera_unpack_number(from);
    piece->place = (guint)hiera_unpack_number(from);
    return piece;
}

HieraBuilder *hiera_builder_new(HieraCatalog *catalog, guint keep)
{
    HieraBuilder *builder = g_new0(HieraBuilder, 1);
    builder->catalog = catalog;
    builder->keep = keep;
    builder->pool = hiera_block_pool_new(HIERA_PIECE_BLOCK_BYTES(keep));
    builder->pieces = g_ptr_array_new_with_free_func(hiera_piece_free);
    return builder;
}

void hiera_builder_free(HieraBuilder *builder)
{
    if (!builder)
        return;
    g_ptr_array_unref(builder->pieces);
    g_clear_pointer(&builder->held, g_ptr_array_unref);
    g_clear_pointer(&builder->pool, hiera_block_pool_free);
    g_free(builder);
}

HieraSink hiera_builder_sink(HieraBuilder *builder)
{
    return (HieraSink){
        .begin = begin,
        .operation = add,
        .end = end,
        .user = builder,
        .filtered = add_filtered,
        .asserted = add_asserted,
        .counted = add_counted,
        .saved = add_saved,
#define X(type, name, texts) .name = add_##name,
        HIERA_RECORDS(X)
#undef X
            .summed = add_summed,
        .pack = pack,
        .unpack = unpack,
    };
}

/* --- pieces that stay in the process that has read them --- */

void hiera_builder_hold(HieraBuilder *builder)
{
    builder->held = g_ptr_array_new_with_free_func(hiera_piece_free);
}

GPtrArray *hiera_builder_peek_pieces(const HieraBuilder *builder)
{
    return builder->pieces;
}

void hiera_builder_add_held(HieraBuilder *builder, guint place)
{
    g_ptr_array_add(builder->pieces, g_steal_pointer(&builder->held->pdata[place]));
}

void hiera_builder_add_empty(HieraBuilder *builder)
{
    g_ptr_array_add(builder->pieces, hiera_piece_new(builder->pool, builder->keep));
}

void hiera_builder_move(HieraBuilder *builder, HieraCatalog *catalog)
{
    builder->catalog = catalog;
}

static gboolean count_rows(const HieraBuilder *builder, HieraTrace *trace, GError **error)
{
    guint64 rows = 0, requests = 0;
    for (guint i = 0; i < builder->pieces->len; i++) {
        const HieraPiece *piece = g_ptr_array_index(builder->pieces, i);
        rows += piece->n + (piece->full ? 1 : 0);
        requests += piece->request->len;
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

static const HieraSite **copy_sites(const HieraCatalog *catalog)
{
    guint32 n = hiera_catalog_count_sites(catalog);
    const HieraSite **sites = g_new(const HieraSite *, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++)
        sites[i] = hiera_catalog_peek_site(catalog, i);
    return sites;
}

HieraTrace *hiera_builder_take_trace(HieraBuilder *builder, const GArray *processors, GError **error)
{
    HieraTrace *trace = g_new0(HieraTrace, 1);
    if (!count_rows(builder, trace, error)) {
        g_free(trace);
        return NULL;
    }
    trace->catalog = builder->catalog;
    trace->sites = copy_sites(builder->catalog);
    trace->index = g_new0(HieraTraceIndex, 1);
    trace->n_processors = processors->len;
    trace->processors = g_memdup2(processors->data, processors->len * sizeof(HieraProcessor));
    hiera_pieces_join(trace, builder->pieces, builder->keep);
    index_processors(trace);
    g_ptr_array_set_size(builder->pieces, 0);
    g_clear_pointer(&builder->pool, hiera_block_pool_free);
    return trace;
}
