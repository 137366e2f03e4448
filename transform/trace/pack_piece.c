/* See pack_piece.h. Columns are packed block by block. A column with equal values in a whole block, such as `thread`,
 * is packed as one value. */
#include "pack_piece.h"
#include "hiera_summed.h"
#include "pack.h"
#include <string.h>

static gboolean is_same(const void *values, gsize size, guint32 n)
{
    return memcmp(values, (const guint8 *)values + size, (n - 1) * size) == 0;
}

static void pack_column(HieraPacker *to, const void *values, gsize size, guint32 n)
{
    gboolean same = is_same(values, size, n);
    hiera_pack_number(to, same);
    hiera_pack_bytes(to, values, same ? size : n * size);
}

static void unpack_column(HieraUnpacker *from, void *values, gsize size, guint32 n)
{
    gboolean same = (gboolean)hiera_unpack_number(from);
    hiera_unpack_bytes(from, values, same ? size : n * size);
    for (guint32 done = 1; same && done < n; done = MIN(2 * done, n))
        memcpy((guint8 *)values + done * size, values, MIN(done, n - done) * size);
}

/* Change site ids and communicator indices from those of the packing process to those of this process. */
static void renumber(HieraPieceBlock *block, guint32 n, const HieraUnpacker *from)
{
    for (guint32 i = 0; i < n; i++) {
        block->site[i] = hiera_unpack_site(from, block->site[i])->id;
        block->comm[i] = hiera_unpack_communicator(from, block->comm[i]);
    }
}

void hiera_piece_pack_block(const HieraPieceBlock *block, guint32 n, guint keep, HieraPacker *to)
{
#define X(type, name) pack_column(to, block->name, sizeof(type), n);
    HIERA_COLUMNS(X)
#undef X
    if (keep & HIERA_KEEP_LINES)
        pack_column(to, block->element_line, sizeof *block->element_line, n);
    if (keep & HIERA_KEEP_POSTED)
        pack_column(to, block->posted, sizeof *block->posted, n);
}

static void unpack_block(HieraPieceBlock *block, guint32 n, guint keep, HieraUnpacker *from)
{
#define X(type, name) unpack_column(from, block->name, sizeof(type), n);
    HIERA_COLUMNS(X)
#undef X
    if (keep & HIERA_KEEP_LINES)
        unpack_column(from, block->element_line, sizeof *block->element_line, n);
    if (keep & HIERA_KEEP_POSTED)
        unpack_column(from, block->posted, sizeof *block->posted, n);
    renumber(block, n, from);
}

static void renumber_sparse(GArray *sparse, const HieraUnpacker *from)
{
    for (guint i = 0; i < sparse->len; i++) {
        guint32 *other = &g_array_index(sparse, HieraSparseRow, i).sparse.other;
        *other = hiera_unpack_communicator(from, *other);
    }
}

/* --- records that name a call site --- */

static void pack_filtered(const GArray *filtered, HieraPacker *to)
{
    hiera_pack_array(to, filtered);
    for (guint i = 0; i < filtered->len; i++)
        hiera_pack_number(to, g_array_index(filtered, HieraFiltered, i).site->id);
}

static void renumber_filtered(HieraFiltered *of, guint32 site, const HieraUnpacker *from)
{
    of->site = hiera_unpack_site(from, site);
    of->comm = hiera_unpack_communicator(from, of->comm);
}

static void unpack_filtered(GArray *filtered, HieraUnpacker *from)
{
    hiera_unpack_array(from, filtered);
    for (guint i = 0; i < filtered->len; i++)
        renumber_filtered(&g_array_index(filtered, HieraFiltered, i), (guint32)hiera_unpack_number(from), from);
}

static void pack_summed(const GPtrArray *all, HieraPacker *to)
{
    hiera_pack_number(to, all->len);
    for (guint i = 0; i < all->len; i++) {
        const HieraSummed *summed = g_ptr_array_index(all, i);
        hiera_pack_number(to, summed->site->id);
        hiera_pack_bytes(to, summed, sizeof *summed);
        hiera_pack_array(to, summed->times);
        hiera_pack_array(to, summed->sizes);
        hiera_pack_array(to, summed->parts);
    }
}

static void renumber_summed(HieraSummed *summed, guint32 site, const HieraUnpacker *from)
{
    summed->site = hiera_unpack_site(from, site);
    for (guint i = 0; i < summed->parts->len; i++) {
        HieraPart *part = &g_array_index(summed->parts, HieraPart, i);
        part->comm = hiera_unpack_communicator(from, part->comm);
    }
}

static HieraSummed *unpack_one_summed(HieraUnpacker *from)
{
    HieraSummed *summed = g_new(HieraSummed, 1);
    guint32 site = (guint32)hiera_unpack_number(from);
    hiera_unpack_bytes(from, summed, sizeof *summed);
    hiera_unpack_array(from, summed->times = g_array_new(FALSE, FALSE, sizeof(HieraBin)));
    hiera_unpack_array(from, summed->sizes = g_array_new(FALSE, FALSE, sizeof(HieraBin)));
    hiera_unpack_array(from, summed->parts = g_array_new(FALSE, FALSE, sizeof(HieraPart)));
    renumber_summed(summed, site, from);
    return summed;
}

static void unpack_summed(GPtrArray *all, HieraUnpacker *from)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        g_ptr_array_add(all, unpack_one_summed(from));
}

/* --- records that have texts --- */

static void pack_asserted(const GArray *asserted, HieraPacker *to)
{
    hiera_pack_array(to, asserted);
    for (guint i = 0; i < asserted->len; i++) {
        const HieraAsserted *of = &g_array_index(asserted, HieraAsserted, i);
        hiera_pack_text(to, of->file);
        hiera_pack_text(to, of->variables);
    }
}

static void unpack_asserted(GArray *asserted, HieraUnpacker *from)
{
    hiera_unpack_array(from, asserted);
    for (guint i = 0; i < asserted->len; i++) {
        HieraAsserted *of = &g_array_index(asserted, HieraAsserted, i);
        of->file = hiera_unpack_text(from);
        of->variables = hiera_unpack_text(from);
    }
}

static void pack_saved(const GArray *saved, HieraPacker *to)
{
    hiera_pack_number(to, saved->len);
    for (guint i = 0; i < saved->len; i++)
        hiera_pack_text(to, g_array_index(saved, const char *, i));
}

static void unpack_saved(GArray *saved, HieraUnpacker *from)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        const char *line = hiera_unpack_text(from);
        g_array_append_val(saved, line);
    }
}

#define X(type, name, texts)                                                                                           \
    static void pack_##name(const GArray *name, HieraPacker *to)                                                       \
    {                                                                                                                  \
        hiera_pack_number(to, name->len);                                                                              \
        for (guint i = 0; i < name->len; i++)                                                                          \
            hiera_pack_##name(to, &g_array_index(name, type, i));                                                      \
    }                                                                                                                  \
    static void unpack_##name(GArray *name, HieraUnpacker *from)                                                       \
    {                                                                                                                  \
        for (gint64 n = hiera_unpack_number(from); n > 0; n--) {                                                       \
            const type one = hiera_unpack_##name(from);                                                                \
            g_array_append_val(name, one);                                                                             \
        }                                                                                                              \
    }
HIERA_RECORDS(X)
#undef X

static void pack_counted(const GArray *counted, HieraPacker *to)
{
    hiera_pack_array(to, counted);
    for (guint i = 0; i < counted->len; i++)
        hiera_pack_text(to, g_array_index(counted, HieraCounted, i).counter->name);
}

static void unpack_counted(GArray *counted, HieraUnpacker *from)
{
    hiera_unpack_array(from, counted);
    for (guint i = 0; i < counted->len; i++)
        g_array_index(counted, HieraCounted, i).counter = hiera_unpack_counter(from);
}

/* --- complete pieces: all operations of a file --- */

void hiera_piece_pack_head(guint32 n, gboolean full, HieraPacker *to)
{
    hiera_pack_number(to, n);
    hiera_pack_number(to, full);
}

void hiera_piece_pack(const HieraPiece *piece, HieraPacker *to)
{
    hiera_piece_pack_head(piece->n, piece->full, to);
    for (guint i = 0; i < piece->blocks->len; i++)
        hiera_piece_pack_block(g_ptr_array_index(piece->blocks, i),
                               MIN(piece->n - i * HIERA_PIECE_ROWS, HIERA_PIECE_ROWS), piece->keep, to);
    hiera_piece_pack_rest(piece, to);
}

void hiera_piece_pack_rest(const HieraPiece *piece, HieraPacker *to)
{
    hiera_pack_array(to, piece->sparse);
    hiera_pack_array(to, piece->request);
    hiera_pack_array(to, piece->pending);
    pack_filtered(piece->filtered, to);
    pack_summed(piece->summed, to);
    pack_asserted(piece->asserted, to);
    pack_saved(piece->saved, to);
#define X(type, name, texts) pack_##name(piece->name, to);
    HIERA_RECORDS(X)
#undef X
    pack_counted(piece->counted, to);
    hiera_pack_array(to, piece->failed);
    hiera_pack_array(to, piece->open);
    hiera_pack_array(to, piece->any_source);
    hiera_pack_array(to, piece->any_tag);
}

void hiera_piece_unpack(HieraPiece *piece, HieraUnpacker *from)
{
    piece->n = (guint32)hiera_unpack_number(from);
    piece->full = (gboolean)hiera_unpack_number(from);
    for (guint32 row = 0; row < piece->n; row += HIERA_PIECE_ROWS) {
        HieraPieceBlock *block = hiera_block_pool_take(piece->pool);
        g_ptr_array_add(piece->blocks, block);
        unpack_block(block, MIN(piece->n - row, HIERA_PIECE_ROWS), piece->keep, from);
    }
    hiera_unpack_array(from, piece->sparse);
    renumber_sparse(piece->sparse, from);
    hiera_unpack_array(from, piece->request);
    hiera_unpack_array(from, piece->pending);
    unpack_filtered(piece->filtered, from);
    unpack_summed(piece->summed, from);
    unpack_asserted(piece->asserted, from);
    unpack_saved(piece->saved, from);
#define X(type, name, texts) unpack_##name(piece->name, from);
    HIERA_RECORDS(X)
#undef X
    unpack_counted(piece->counted, from);
    hiera_unpack_array(from, piece->failed);
    hiera_unpack_array(from, piece->open);
    hiera_unpack_array(from, piece->any_source);
    hiera_unpack_array(from, piece->any_tag);
}

void hiera_piece_renumber(const HieraPiece *piece, const HieraUnpacker *numbers)
{
    for (guint i = 0; i < piece->blocks->len; i++)
        renumber(g_ptr_array_index(piece->blocks, i), MIN(piece->n - i * HIERA_PIECE_ROWS, HIERA_PIECE_ROWS), numbers);
    renumber_sparse(piece->sparse, numbers);
    for (guint i = 0; i < piece->filtered->len; i++) {
        HieraFiltered *of = &g_array_index(piece->filtered, HieraFiltered, i);
        renumber_filtered(of, of->site->id, numbers);
    }
    for (guint i = 0; i < piece->summed->len; i++) {
        HieraSummed *of = g_ptr_array_index(piece->summed, i);
        renumber_summed(of, of->site->id, numbers);
    }
}
