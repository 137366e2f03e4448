#include "share.h"
#include "needed.h"
#include "parallel/parallel.h"
#include "trace/before.h"
#include "trace/pack_piece.h"
#include "trace/pack_process.h"
#include "trace/pack_processor.h"
#include <string.h>

typedef struct {
    HieraSharing *sharing;
    HieraBuilder *builder;
    HieraCatalog *catalog; /* this process's catalog, into which it has read its traces */
    GArray *processors;    /* HieraProcessor of all ranks */
    GPtrArray *pieces;     /* HieraPiece by processor, from the builder: operations of one trace file */
    GArray *processes;     /* guint by processor: number of the process that has read its trace */
} Sharing;

static guint process_of(const Sharing *sharing, guint processor)
{
    return g_array_index(sharing->processes, guint, processor);
}

static HieraPiece *peek_piece(const Sharing *sharing, guint processor)
{
    return g_ptr_array_index(sharing->pieces, processor);
}

/* --- whether one process must have all operations --- */

/* Whether one trace can hold the operations of all ranks; if not, process 0 gets them all and reports the error. */
static gboolean is_countable(const GArray *processors)
{
    guint64 n = 0;
    for (guint i = 0; i < processors->len; i++)
        n += g_array_index(processors, HieraProcessor, i).n_operations;
    return n < HIERA_NONE;
}

/* Whether all ranks have ended by themselves: none has a trace that is cut short, a signal, or another abnormal end. */
static gboolean has_ended(const GArray *processors)
{
    for (guint i = 0; i < processors->len; i++) {
        const HieraProcessor *of = &g_array_index(processors, HieraProcessor, i);
        if (of->cut || *of->end || of->end_signal != 0)
            return FALSE;
    }
    return TRUE;
}

/* --- process 0 announces which process has which trace --- */

static void find_processes(Sharing *sharing)
{
    for (guint i = 0; i < sharing->pieces->len; i++)
        g_array_append_val(sharing->processes, peek_piece(sharing, i)->process);
}

static void broadcast(Sharing *sharing)
{
    HieraPacker *packer = hiera_packer_new();
    find_processes(sharing);
    hiera_pack_number(packer, sharing->sharing->apart);
    hiera_pack_number(packer, sharing->sharing->hangs);
    if (sharing->sharing->apart)
        hiera_catalog_pack(sharing->catalog, packer);
    hiera_pack_number(packer, sharing->pieces->len);
    for (guint i = 0; i < sharing->pieces->len; i++) {
        hiera_pack_number(packer, process_of(sharing, i));
        hiera_pack_number(packer, peek_piece(sharing, i)->place);
        if (sharing->sharing->apart)
            hiera_processor_pack(&g_array_index(sharing->processors, HieraProcessor, i), packer);
    }
    hiera_packer_broadcast(packer);
}

static void unpack_processor(Sharing *sharing, HieraCatalog *texts, HieraUnpacker *from)
{
    HieraProcessor processor = {0};
    guint process = (guint)hiera_unpack_number(from), place = (guint)hiera_unpack_number(from);
    if (sharing->sharing->apart)
        hiera_processor_unpack(&processor, texts, from);
    g_array_append_val(sharing->processors, processor);
    g_array_append_val(sharing->processes, process);
    if (process == hiera_parallel_rank())
        hiera_builder_add_held(sharing->builder, place);
    else
        hiera_builder_add_empty(sharing->builder);
}

static void receive(Sharing *sharing)
{
    HieraCatalog *catalog = sharing->sharing->catalog = hiera_catalog_new();
    HieraUnpacker *unpacker = hiera_unpacker_of_broadcast(catalog);
    sharing->sharing->apart = (gboolean)hiera_unpack_number(unpacker);
    sharing->sharing->hangs = (gboolean)hiera_unpack_number(unpacker);
    if (sharing->sharing->apart)
        hiera_catalog_unpack(unpacker);
    for (gint64 n = hiera_unpack_number(unpacker); n > 0; n--)
        unpack_processor(sharing, catalog, unpacker);
    hiera_catalog_shorten_files(catalog);
    hiera_unpacker_free(unpacker);
}

/* --- all processes use the numbers of process 0's catalog --- */

static guint8 *take_bytes(gpointer packer, gsize *n)
{
    const guint8 *bytes = hiera_packer_peek(packer, n);
    return g_memdup2(bytes, *n);
}

/* Replace numbers of sites and communicators in this process's operations by those of process 0's catalog. */
static void renumber(const Sharing *sharing)
{
    HieraPacker *packer = hiera_packer_new();
    HieraUnpacker *unpacker = hiera_unpacker_new(sharing->sharing->catalog, take_bytes, packer);
    hiera_catalog_pack(sharing->catalog, packer);
    hiera_catalog_unpack(unpacker);
    for (guint i = 0; i < sharing->pieces->len; i++)
        hiera_piece_renumber(peek_piece(sharing, i), unpacker);
    hiera_builder_move(sharing->builder, sharing->sharing->catalog);
    hiera_unpacker_free(unpacker);
    hiera_packer_free(packer);
}

/* --- exchange of needed operations --- */

typedef struct {
    const Sharing *sharing;
    const GPtrArray *needed; /* hiera_needed_find() by processor; NULL where another process has the trace */
    guint other;
} Exchange;

static HieraBefore *peek_before(const Sharing *sharing, guint processor)
{
    return g_array_index(sharing->processors, HieraProcessor, processor).before;
}

/* Whether the receiving process must get the indices of the operations that it gets of a processor. */
static gboolean tells_rows(const Sharing *sharing, guint processor)
{
    return sharing->sharing->rows || (sharing->sharing->apart && peek_before(sharing, processor));
}

/* Pack the operations of this process that the process `other` needs. */
static void pack_needed(HieraPacker *to, gpointer user)
{
    const Exchange *exchange = user;
    const Sharing *sharing = exchange->sharing;
    guint group = HIERA_NEEDED_GROUP(exchange->other);
    for (guint i = 0; i < sharing->pieces->len; i++) {
        const GPtrArray *rows = exchange->needed->pdata[i];
        if (rows && tells_rows(sharing, i))
            hiera_pack_array(to, rows->pdata[group]);
        if (rows)
            hiera_piece_pack_chosen(peek_piece(sharing, i), rows->pdata[group], to);
    }
}

static void receive_rows(const Sharing *sharing, HieraUnpacker *unpacker, guint processor)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint32));
    const HieraBefore *before = peek_before(sharing, processor);
    if (!tells_rows(sharing, processor))
        return;
    hiera_unpack_array(unpacker, rows);
    if (before)
        hiera_before_choose(before, rows);
    if (sharing->sharing->rows)
        sharing->sharing->rows->pdata[processor] = g_steal_pointer(&rows);
}

/* Receive operations of all ranks that the process `other` has read: all, or those needed here. */
static void receive_pieces(const Sharing *sharing, HieraUnpacker *unpacker, guint other)
{
    for (guint i = 0; i < sharing->pieces->len; i++) {
        if (process_of(sharing, i) != other)
            continue;
        receive_rows(sharing, unpacker, i);
        hiera_piece_unpack(peek_piece(sharing, i), unpacker);
    }
    hiera_unpacker_free(unpacker);
}

static void unref_rows(gpointer rows)
{
    if (rows)
        g_ptr_array_unref(rows);
}

static void unref_row_numbers(gpointer rows)
{
    if (rows)
        g_array_unref(rows);
}

static GPtrArray *make_rows(guint n_processors)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(unref_row_numbers);
    g_ptr_array_set_size(rows, (gint)n_processors);
    return rows;
}

static GPtrArray *find_needed(const Sharing *sharing, const HieraCatalog *catalog)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(unref_rows);
    HieraNeeded *needed =
        hiera_needed_new(catalog, sharing->processors, (const guint *)(const void *)sharing->processes->data);
    for (guint i = 0; i < sharing->pieces->len; i++) {
        gboolean is_own = process_of(sharing, i) == hiera_parallel_rank();
        g_ptr_array_add(all, is_own ? hiera_needed_find(needed, peek_piece(sharing, i)) : NULL);
    }
    hiera_needed_free(needed);
    return all;
}

static void exchange_with(const Sharing *sharing, HieraCatalog *catalog, const GPtrArray *needed, guint other)
{
    HieraSwap swap;
    Exchange with = {sharing, needed, other};
    hiera_swap(&swap, other, pack_needed, &with);
    HieraUnpacker *unpacker = hiera_unpacker_of_swap(&swap, catalog);
    hiera_unpacker_keep_numbers(unpacker);
    receive_pieces(sharing, unpacker, other);
    hiera_swap_clear(&swap);
}

static void exchange(const Sharing *sharing)
{
    HieraCatalog *catalog = sharing->sharing->catalog ? sharing->sharing->catalog : sharing->catalog;
    g_autoptr(GPtrArray) needed = find_needed(sharing, catalog);
    for (guint round = 1; round < hiera_parallel_rounds(); round++) {
        guint other = hiera_parallel_meets(round);
        if (other < hiera_parallel_size())
            exchange_with(sharing, catalog, needed, other);
    }
}

/* Set the first row of each rank, here and in the whole run, and which ranks this process has read. */
static void settle(const Sharing *sharing)
{
    guint64 first = 0;
    guint32 first_of_all = 0;
    sharing->sharing->own = g_new0(guint8, (gsize)sharing->pieces->len + 1);
    sharing->sharing->first = g_new(guint32, (gsize)sharing->pieces->len + 1);
    sharing->sharing->process = g_memdup2(sharing->processes->data, sharing->processes->len * sizeof(guint));
    for (guint i = 0; i < sharing->pieces->len; i++) {
        HieraProcessor *of = &g_array_index(sharing->processors, HieraProcessor, i);
        sharing->sharing->first[i] = first_of_all;
        first_of_all += (guint32)of->n_operations;
        of->first = first;
        first += of->n_operations = peek_piece(sharing, i)->n;
        sharing->sharing->own[i] = process_of(sharing, i) == hiera_parallel_rank();
    }
    sharing->sharing->first[sharing->pieces->len] = first_of_all;
}

/* --- process 0 gets all operations --- */

static void send_all(const Sharing *sharing)
{
    HieraPacker *packer = hiera_packer_to(0);
    hiera_catalog_pack(sharing->catalog, packer);
    for (guint i = 0; i < sharing->pieces->len; i++) {
        if (process_of(sharing, i) == hiera_parallel_rank())
            hiera_piece_pack(peek_piece(sharing, i), packer);
    }
    hiera_packer_end(packer);
}

static void receive_all(const Sharing *sharing)
{
    for (guint other = 1; other < hiera_parallel_size(); other++) {
        HieraUnpacker *unpacker = hiera_unpacker_from(other, sharing->catalog);
        hiera_catalog_unpack(unpacker);
        receive_pieces(sharing, unpacker, other);
    }
}

void hiera_share(HieraSharing *sharing, HieraBuilder *builder, HieraCatalog *catalog, GArray *processors,
                 HieraSharingWants wants)
{
    g_autoptr(GArray) processes = g_array_new(FALSE, FALSE, sizeof(guint));
    Sharing all = {sharing, builder, catalog, processors, hiera_builder_peek_pieces(builder), processes};
    *sharing = (HieraSharing){0};
    if (hiera_parallel_leads()) {
        sharing->hangs = wants.ended && !has_ended(processors);
        sharing->apart = is_countable(processors);
        broadcast(&all);
    } else {
        receive(&all);
    }
    if (sharing->apart) {
        if (!hiera_parallel_leads())
            renumber(&all);
        sharing->rows = wants.rows ? make_rows(all.pieces->len) : NULL;
        exchange(&all);
        settle(&all);
    } else if (hiera_parallel_leads()) {
        receive_all(&all);
    } else {
        send_all(&all);
    }
}

void hiera_sharing_clear(HieraSharing *sharing)
{
    g_clear_pointer(&sharing->own, g_free);
    g_clear_pointer(&sharing->first, g_free);
    g_clear_pointer(&sharing->process, g_free);
    g_clear_pointer(&sharing->rows, g_ptr_array_unref);
    g_clear_pointer(&sharing->catalog, hiera_catalog_free);
}
