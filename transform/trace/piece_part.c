/* A part of a piece, which is packed block by block as it is made: it never is in memory as a whole. What few
 * operations have is in arrays by row, through which one cursor each goes. */
#include "base/attribute_columns.h"
#include "pack_piece.h"

typedef struct {
    const HieraPiece *from;
    HieraPiece *to;
    guint sparse, pending, failed, open, any_source, any_tag,
        attribute; /* cursors: index in each array of the first element that is not of an earlier row */
} Choice;

static const HieraPieceBlock *block_of(const HieraPiece *piece, guint32 row)
{
    return g_ptr_array_index(piece->blocks, row / HIERA_PIECE_ROWS);
}

/* Whether a row is in a rising array of rows. @param at  cursor of the Choice, which moves forward to the row */
static gboolean has_row(const GArray *rows, guint *at, guint32 row)
{
    while (*at < rows->len && g_array_index(rows, guint32, *at) < row)
        ++*at;
    return *at < rows->len && g_array_index(rows, guint32, *at) == row;
}

static HieraSparse find_sparse(Choice *choice, guint32 row)
{
    const GArray *all = choice->from->sparse;
    while (choice->sparse < all->len && g_array_index(all, HieraSparseRow, choice->sparse).row < row)
        choice->sparse++;
    if (choice->sparse < all->len && g_array_index(all, HieraSparseRow, choice->sparse).row == row)
        return g_array_index(all, HieraSparseRow, choice->sparse).sparse;
    return (HieraSparse){HIERA_NONE, HIERA_ABSENT, -1};
}

static const HieraPending *find_pending(Choice *choice, guint32 row, guint *n)
{
    const GArray *all = choice->from->pending;
    while (choice->pending < all->len && g_array_index(all, HieraPending, choice->pending).row < row)
        choice->pending++;
    for (*n = 0; choice->pending + *n < all->len && g_array_index(all, HieraPending, choice->pending + *n).row == row;)
        ++*n;
    return &g_array_index(all, HieraPending, choice->pending);
}

/* Copy a row's attribute values. Values of the processor have row 0, and stand before all others. */
static void choose_attributes(Choice *choice, guint32 row)
{
    const GArray *all = choice->from->attribute;
    for (; choice->attribute < all->len; choice->attribute++) {
        HieraAttributeValue value = g_array_index(all, HieraAttributeValue, choice->attribute);
        if (value.index > row)
            return;
        if (value.index < row && !hiera_attribute_columns_peek(value.column)->of_processor)
            continue;
        value.index = choice->to->n;
        g_array_append_val(choice->to->attribute, value);
    }
}

/* @param parent  row of the calling operation in the new piece, or HIERA_NO_PARENT */
static void choose_row(Choice *choice, guint32 row, guint64 parent)
{
    const HieraPieceBlock *block = block_of(choice->from, row);
    guint32 at = row % HIERA_PIECE_ROWS, first = block->requests[at];
    guint32 behind = row + 1 < choice->from->n ? block_of(choice->from, row + 1)->requests[(row + 1) % HIERA_PIECE_ROWS]
                                               : choice->from->request->len;
    const HieraSparse sparse = find_sparse(choice, row);
    HieraSite site = {.id = block->site[at]};
    HieraOperation operation = {.site = &site,
                                .parent = parent,
                                .depth = block->depth[at],
                                .thread = block->thread[at],
                                .start_ns = block->start_ns[at],
                                .finish_ns = block->finish_ns[at],
                                .comm = block->comm[at],
                                .other = sparse.other,
                                .peer = block->peer[at],
                                .source = block->source[at],
                                .tag = block->tag[at],
                                .rtag = sparse.rtag,
                                .bytes = block->bytes[at],
                                .rbytes = sparse.rbytes,
                                .requests = &g_array_index(choice->from->request, HieraRequest, first),
                                .n_requests = behind - first,
                                .failed = has_row(choice->from->failed, &choice->failed, row),
                                .any_source = has_row(choice->from->any_source, &choice->any_source, row),
                                .any_tag = has_row(choice->from->any_tag, &choice->any_tag, row)};
    if (choice->to->keep & HIERA_KEEP_LINES)
        operation.element_line = block->element_line[at];
    if (choice->to->keep & HIERA_KEEP_POSTED)
        operation.posted = block->posted[at];
    operation.pending = find_pending(choice, row, &operation.n_pending);
    if (has_row(choice->from->open, &choice->open, row)) {
        guint32 added = choice->to->n;
        g_array_append_val(choice->to->open, added);
    }
    choose_attributes(choice, row);
    hiera_piece_add(choice->to, &operation);
}

/* Pack the last block of the new piece, and give the block back for the next one. */
static void pack_last(const Choice *choice, guint32 n, HieraPacker *to)
{
    HieraPieceBlock *block = g_ptr_array_index(choice->to->blocks, choice->to->blocks->len - 1);
    hiera_piece_pack_block(block, n, choice->to->keep, to);
    hiera_block_pool_give_back(choice->to->pool, block);
}

/* Maps old rows to rows of the new piece, with a cache, as consecutive operations often have the same parent. */
typedef struct {
    const GArray *rows;
    guint32 parent, place; /* the last parent looked up, and its row in the new piece */
} Places;

/* Return the row in the new piece of a parent, which is among the first n of `rows`; or HIERA_NO_PARENT. */
static guint64 find_place(Places *places, guint32 parent, guint32 n)
{
    guint32 low = 0;
    if (parent == HIERA_NONE)
        return HIERA_NO_PARENT;
    if (parent == places->parent)
        return places->place;
    for (guint32 high = n; low < high;) {
        guint32 middle = low + (high - low) / 2;
        if (g_array_index(places->rows, guint32, middle) < parent)
            low = middle + 1;
        else
            high = middle;
    }
    places->parent = parent;
    return places->place = low;
}

static void pack_rows(Choice *choice, const GArray *rows, HieraPacker *to)
{
    Places places = {rows, HIERA_NONE, 0};
    for (guint32 i = 0; i < rows->len; i++) {
        guint32 row = g_array_index(rows, guint32, i);
        choose_row(choice, row, find_place(&places, block_of(choice->from, row)->parent[row % HIERA_PIECE_ROWS], i));
        if (choice->to->n % HIERA_PIECE_ROWS == 0)
            pack_last(choice, HIERA_PIECE_ROWS, to);
    }
    if (choice->to->n % HIERA_PIECE_ROWS != 0)
        pack_last(choice, choice->to->n % HIERA_PIECE_ROWS, to);
}

void hiera_piece_pack_chosen(const HieraPiece *piece, const GArray *rows, HieraPacker *to)
{
    HieraBlockPool *pool = hiera_block_pool_new(HIERA_PIECE_BLOCK_BYTES(piece->keep));
    Choice choice = {.from = piece, .to = hiera_piece_new(pool, piece->keep)};
    hiera_piece_pack_head(rows->len, FALSE, to);
    pack_rows(&choice, rows, to);
    g_array_append_vals(choice.to->filtered, piece->filtered->data, piece->filtered->len);
    hiera_piece_pack_rest(choice.to, to);
    hiera_piece_free(choice.to);
    hiera_block_pool_free(pool);
}
