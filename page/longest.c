/* Things are sorted by how long they take; each tile takes the first that no coarser level has. */
#include "longest.h"
#include "block.h"

#define THINGS_PER_TILE 400

typedef struct {
    GArray *things;
    guint8 *written; /* by thing: whether a coarser level has it */
    const char *kind;
    HieraThingAdd add;
    gconstpointer user;
    FILE *stream;
} Longest;

/* What a tile has. */
typedef struct {
    guint n, total; /* written; all that begin in it */
    GByteArray *bytes;
    HieraThingBefore before;
} Tile;

/* The longest first; ties by index. */
static gint compare_things(gconstpointer a, gconstpointer b)
{
    const HieraThing *x = a, *y = b;
    if (x->duration_ns != y->duration_ns)
        return x->duration_ns > y->duration_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void fill_tiles(Longest *longest, const HieraDetail *detail, Tile *tiles)
{
    for (guint i = 0; i < longest->things->len; i++) {
        const HieraThing *thing = &g_array_index(longest->things, HieraThing, i);
        Tile *tile = &tiles[CLAMP(thing->begin_ns / detail->tile_ns, 0, (gint64)detail->n_tiles - 1)];
        tile->total++;
        if (longest->written[i] || tile->n == THINGS_PER_TILE)
            continue;
        longest->written[i] = 1;
        tile->n++;
        longest->add(tile->bytes, thing, &tile->before, longest->user);
    }
}

static void write_level(Longest *longest, const HieraDetail *detail, guint number)
{
    g_autofree Tile *tiles = g_new0(Tile, detail->n_tiles);
    for (guint32 i = 0; i < detail->n_tiles; i++)
        tiles[i] = (Tile){.bytes = g_byte_array_new(), .before = {0, i * detail->tile_ns}};
    fill_tiles(longest, detail, tiles);
    for (guint32 i = 0; i < detail->n_tiles; i++) {
        g_autoptr(GByteArray) block = g_byte_array_new();
        hiera_block_add(block, tiles[i].total);
        hiera_block_add(block, tiles[i].n);
        g_byte_array_append(block, tiles[i].bytes->data, tiles[i].bytes->len);
        hiera_block_write(block->data, block->len, longest->stream, "%s-%u-%u", longest->kind, number, i);
        g_byte_array_unref(tiles[i].bytes);
    }
}

void hiera_longest_write(GArray *things, const GArray *details, const char *kind, HieraThingAdd add, gconstpointer user,
                         FILE *stream)
{
    g_autofree guint8 *written = g_new0(guint8, things->len + 1);
    Longest longest = {things, written, kind, add, user, stream};
    g_array_sort(things, compare_things);
    for (guint i = 0; i < details->len; i++)
        write_level(&longest, &g_array_index(details, HieraDetail, i), i);
}
