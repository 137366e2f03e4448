/* Things are sorted by how long they take; each tile takes the first that no coarser level has. Those of the last level
 * take all that are left, if there are not too many. */
#include "longest.h"
#include "block.h"

#define THINGS_PER_TILE 400
#define ALL_THINGS      200000 /* so few are all in the page */

/* What a tile has. */
typedef struct {
    guint total;    /* things that begin in it */
    guint hidden;   /* of them those that neither this level nor a coarser one has */
    GArray *chosen; /* guint32: those that it shows, by place in `things`; NULL if there are none */
} Tile;

struct HieraLongest {
    GArray *things;
    const GArray *details;
    GPtrArray *levels; /* of each one its tiles: GArray of Tile */
    HieraThingAdd add;
    gconstpointer user;
};

/* The longest first; ties by index. */
static gint compare_things(gconstpointer a, gconstpointer b)
{
    const HieraThing *x = a, *y = b;
    if (x->duration_ns != y->duration_ns)
        return x->duration_ns > y->duration_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void clear_tile(gpointer data)
{
    Tile *tile = data;
    g_clear_pointer(&tile->chosen, g_array_unref);
}

static void choose(Tile *tile, guint32 thing)
{
    if (!tile->chosen)
        tile->chosen = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(tile->chosen, thing);
}

/* @param shown  by thing: whether a coarser level has it
 * @param most   things that a tile shows */
static GArray *fill_tiles(const GArray *things, const HieraDetail *detail, guint8 *shown, guint most)
{
    GArray *tiles = g_array_sized_new(FALSE, TRUE, sizeof(Tile), detail->n_tiles);
    g_array_set_clear_func(tiles, clear_tile);
    g_array_set_size(tiles, detail->n_tiles);
    for (guint32 i = 0; i < things->len; i++) {
        const HieraThing *thing = &g_array_index(things, HieraThing, i);
        Tile *tile = &g_array_index(tiles, Tile, hiera_level_tile(detail, thing->begin_ns));
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

HieraLongest *hiera_longest_new(GArray *things, const GArray *details, gboolean on_demand, HieraThingAdd add,
                                gconstpointer user)
{
    g_autofree guint8 *shown = g_new0(guint8, things->len + 1);
    HieraLongest *longest = g_new(HieraLongest, 1);
    *longest =
        (HieraLongest){things, details, g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref), add, user};
    gboolean all = on_demand || things->len <= ALL_THINGS;
    g_array_sort(things, compare_things);
    for (guint i = 0; i < details->len; i++) {
        guint most = all && i + 1 == details->len ? G_MAXUINT : THINGS_PER_TILE;
        g_ptr_array_add(longest->levels, fill_tiles(things, &g_array_index(details, HieraDetail, i), shown, most));
    }
    return longest;
}

void hiera_longest_free(HieraLongest *longest)
{
    if (!longest)
        return;
    g_ptr_array_unref(longest->levels);
    g_array_unref(longest->things);
    g_free(longest);
}

GByteArray *hiera_longest_tile(const HieraLongest *longest, guint level, guint32 tile)
{
    const Tile *of = &g_array_index((GArray *)g_ptr_array_index(longest->levels, level), Tile, tile);
    const HieraDetail *detail = &g_array_index(longest->details, HieraDetail, level);
    guint n = of->chosen ? of->chosen->len : 0;
    HieraThingBefore before = {0, tile * detail->tile_ns};
    GByteArray *block = g_byte_array_new();
    hiera_block_add(block, of->total);
    hiera_block_add(block, of->hidden);
    hiera_block_add(block, n);
    for (guint i = 0; i < n; i++) {
        guint32 thing = g_array_index(of->chosen, guint32, i);
        longest->add(block, &g_array_index(longest->things, HieraThing, thing), &before, longest->user);
    }
    return block;
}

void hiera_longest_write(const HieraLongest *longest, const char *kind, FILE *stream)
{
    for (guint level = 0; level < longest->levels->len; level++) {
        for (guint32 tile = 0; tile < g_array_index(longest->details, HieraDetail, level).n_tiles; tile++) {
            g_autoptr(GByteArray) block = hiera_longest_tile(longest, level, tile);
            hiera_block_write(block->data, block->len, stream, "%s-%u-%u", kind, level, tile);
        }
    }
}
