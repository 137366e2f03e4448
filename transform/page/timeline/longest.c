/* See longest.h. Items (messages or collectives) are sorted by length; each tile takes the longest that no coarser
 * level has. The last level takes all that are left, if there are not too many.
 *
 * An item that a process leaves out among its own items would also be left out among those of all processes. So each
 * process chooses first, and sends its choice to process 0, with the number of items left out in each tile. */
#include "longest.h"
#include "base/block.h"
#include "base/together.h"

#define ITEMS_PER_TILE 400
#define ALL_ITEMS      200000 /* number of messages or collectives up to which all are on the page */

/* A tile of a level: which items (messages or collectives) it has. */
typedef struct {
    guint total;    /* number of items that begin in the tile */
    guint hidden;   /* number of items in the tile that neither this level nor a coarser one has */
    GArray *chosen; /* guint32: indices in `items` of those that the tile has; NULL: none */
} Tile;

struct HieraLongest {
    GArray *items;
    GArray *drawn; /* HieraDrawn by index of the item; NULL: numbers of items are computed when they are written */
    const GArray *details;
    GPtrArray *levels; /* by level: GArray of Tile */
    const HieraPageItemKind *kind;
    const HieraScene *scene;
};

/* Compare two items: the longer one comes first. */
static gint compare_items(gconstpointer a, gconstpointer b)
{
    const HieraPageItem *x = a, *y = b;
    if (x->duration_ns != y->duration_ns)
        return x->duration_ns > y->duration_ns ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void clear_tile(gpointer data)
{
    Tile *tile = data;
    g_clear_pointer(&tile->chosen, g_array_unref);
}

static void choose(Tile *tile, guint32 item)
{
    if (!tile->chosen)
        tile->chosen = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(tile->chosen, item);
}

/* @param shown  by item: whether a coarser level has it
 * @param most   greatest number of items that a tile shows */
static GArray *fill_tiles(const GArray *items, const HieraDetail *detail, guint8 *shown, guint most)
{
    GArray *tiles = g_array_sized_new(FALSE, TRUE, sizeof(Tile), detail->n_tiles);
    g_array_set_clear_func(tiles, clear_tile);
    g_array_set_size(tiles, detail->n_tiles);
    for (guint32 i = 0; i < items->len; i++) {
        const HieraPageItem *item = &g_array_index(items, HieraPageItem, i);
        Tile *tile = &g_array_index(tiles, Tile, hiera_level_tile(detail, item->begin_ns));
        tile->total++;
        if (shown[i])
            continue;
        if (tile->chosen && tile->chosen->len >= most) {
            tile->hidden++;
            continue;
        }
        shown[i] = 1;
        choose(tile, i);
    }
    return tiles;
}

/* Fill the tiles of all levels. @param all  the last level takes all remaining items
 * @return by item: whether a level has it; to be freed */
static guint8 *fill_levels(HieraLongest *longest, gboolean all)
{
    guint8 *shown = g_new0(guint8, longest->items->len + 1);
    guint n = longest->details->len;
    g_array_sort(longest->items, compare_items);
    for (guint i = 0; i < n; i++) {
        guint most = all && i + 1 == n ? G_MAXUINT : ITEMS_PER_TILE;
        g_ptr_array_add(longest->levels,
                        fill_tiles(longest->items, &g_array_index(longest->details, HieraDetail, i), shown, most));
    }
    return shown;
}

/* --- messages or collectives of several processes --- */

/* Return for each level and tile the number of items that begin in it and that this process shows in no level. */
static GArray *count_left(const HieraLongest *longest, const guint8 *shown)
{
    GArray *left = g_array_new(FALSE, TRUE, sizeof(guint));
    for (guint level = 0, first = 0; level < longest->details->len; level++) {
        const HieraDetail *detail = &g_array_index(longest->details, HieraDetail, level);
        g_array_set_size(left, first + detail->n_tiles);
        for (guint i = 0; i < longest->items->len; i++) {
            const HieraPageItem *item = &g_array_index(longest->items, HieraPageItem, i);
            g_array_index(left, guint, first + hiera_level_tile(detail, item->begin_ns)) += !shown[i];
        }
        first += detail->n_tiles;
    }
    return left;
}

/* Add the counts of items that were left out and so are in no level. @param left  counts of all processes, one process
 * after the other */
static void add_left(const HieraLongest *longest, const GArray *left)
{
    for (guint at = 0; at < left->len;) {
        for (guint level = 0; level < longest->levels->len; level++) {
            GArray *tiles = g_ptr_array_index(longest->levels, level);
            for (guint i = 0; i < tiles->len; i++, at++) {
                Tile *tile = &g_array_index(tiles, Tile, i);
                tile->total += g_array_index(left, guint, at);
                tile->hidden += g_array_index(left, guint, at);
            }
        }
    }
}

/* Return HieraDrawn of the items (messages or collectives) that are in a level. */
static GArray *draw(const HieraLongest *longest, const guint8 *shown)
{
    GArray *drawn = g_array_new(FALSE, TRUE, sizeof(HieraDrawn));
    for (guint i = 0; i < longest->items->len; i++) {
        if (!shown[i])
            continue;
        g_array_set_size(drawn, drawn->len + 1);
        HieraDrawn *of = &g_array_index(drawn, HieraDrawn, drawn->len - 1);
        of->item = g_array_index(longest->items, HieraPageItem, i);
        longest->kind->describe(longest->scene, &of->item, of->numbers);
    }
    return drawn;
}

/* In process 0, choose again among the items that all processes have chosen. */
static void choose_together(HieraLongest *longest, const guint8 *own, gboolean all)
{
    g_autoptr(GArray) left = count_left(longest, own);
    longest->drawn = draw(longest, own);
    hiera_scope_gather_array(longest->scene->scope, longest->scene->trace, left);
    hiera_scope_gather_array(longest->scene->scope, longest->scene->trace, longest->drawn);
    g_array_set_size(longest->items, longest->drawn->len);
    for (guint i = 0; i < longest->drawn->len; i++) {
        HieraPageItem *item = &g_array_index(longest->items, HieraPageItem, i);
        *item = g_array_index(longest->drawn, HieraDrawn, i).item;
        item->index = i;
    }
    g_ptr_array_set_size(longest->levels, 0);
    g_free(fill_levels(longest, all));
    add_left(longest, left);
}

/* --- making and writing tiles --- */

HieraLongest *hiera_longest_new(GArray *items, const GArray *details, gboolean on_demand, const HieraPageItemKind *kind,
                                const HieraScene *scene)
{
    HieraLongest *longest = g_new(HieraLongest, 1);
    *longest = (HieraLongest){items, NULL, details, g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref),
                              kind,  scene};
    gboolean all = hiera_page_add_up(scene->scope, scene->trace, items->len) <= ALL_ITEMS || on_demand;
    g_autofree guint8 *shown = fill_levels(longest, all);
    if (scene->scope->share.own)
        choose_together(longest, shown, all);
    return longest;
}

void hiera_longest_free(HieraLongest *longest)
{
    if (!longest)
        return;
    g_ptr_array_unref(longest->levels);
    g_array_unref(longest->items);
    g_clear_pointer(&longest->drawn, g_array_unref);
    g_free(longest);
}

static void add_item(const HieraLongest *longest, GByteArray *block, const HieraPageItem *item,
                     HieraPageItemBefore *before)
{
    gint64 numbers[HIERA_PAGE_ITEM_NUMBERS];
    if (!longest->drawn)
        longest->kind->describe(longest->scene, item, numbers);
    longest->kind->add(block, longest->drawn ? g_array_index(longest->drawn, HieraDrawn, item->index).numbers : numbers,
                       before);
}

GByteArray *hiera_longest_tile(const HieraLongest *longest, guint level, guint32 tile)
{
    const Tile *of = &g_array_index((GArray *)g_ptr_array_index(longest->levels, level), Tile, tile);
    const HieraDetail *detail = &g_array_index(longest->details, HieraDetail, level);
    guint n = of->chosen ? of->chosen->len : 0;
    HieraPageItemBefore before = {0, tile * detail->tile_ns};
    GByteArray *block = g_byte_array_new();
    hiera_block_add(block, of->total);
    hiera_block_add(block, of->hidden);
    hiera_block_add(block, n);
    for (guint i = 0; i < n; i++) {
        guint32 item = g_array_index(of->chosen, guint32, i);
        add_item(longest, block, &g_array_index(longest->items, HieraPageItem, item), &before);
    }
    return block;
}

void hiera_longest_write(const HieraLongest *longest, const char *kind, FILE *stream)
{
    for (guint level = 0; stream && level < longest->levels->len; level++) {
        for (guint32 tile = 0; tile < g_array_index(longest->details, HieraDetail, level).n_tiles; tile++) {
            g_autoptr(GByteArray) block = hiera_longest_tile(longest, level, tile);
            hiera_block_write(block->data, block->len, stream, "%s-%u-%u", kind, level, tile);
        }
    }
}
