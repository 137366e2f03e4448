/* Messages are sorted by how long they take; each tile takes the first that no coarser level has. */
#include "arrows.h"
#include "block.h"

#define ARROWS_PER_TILE 400

typedef struct {
    guint32 from, to; /* rows; `to` completes the receive */
    gint64 bytes, begin_ns, duration_ns;
} Arrow;

/* The longest first; ties by row. */
static gint compare_arrows(gconstpointer a, gconstpointer b)
{
    const Arrow *x = a, *y = b;
    if (x->duration_ns != y->duration_ns)
        return x->duration_ns > y->duration_ns ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static GArray *find_arrows(const HieraScene *scene)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(scene->match, &n);
    GArray *arrows = g_array_sized_new(FALSE, FALSE, sizeof(Arrow), n);
    for (guint i = 0; i < n; i++) {
        guint32 to = messages[i].ended_by == HIERA_NONE ? messages[i].to : messages[i].ended_by;
        gint64 begin_ns = hiera_scene_start(scene, messages[i].from), end_ns = hiera_scene_finish(scene, to);
        const Arrow arrow = {messages[i].from, to, hiera_match_message_bytes(scene->match, i), begin_ns,
                             MAX(0, end_ns - begin_ns)};
        g_array_append_val(arrows, arrow);
    }
    g_array_sort(arrows, compare_arrows);
    return arrows;
}

static void add_arrow(GByteArray *block, const HieraScene *scene, const Arrow *arrow, guint32 *last_row, gint64 *last_ns)
{
    hiera_block_add_signed(block, (gint64)arrow->from - *last_row);
    hiera_block_add(block, hiera_scene_lane(scene, arrow->from));
    hiera_block_add_signed(block, arrow->begin_ns - *last_ns);
    hiera_block_add(block, hiera_scene_lane(scene, arrow->to));
    hiera_block_add(block, arrow->duration_ns);
    hiera_block_add(block, arrow->bytes + 1);
    hiera_block_add_signed(block, (gint64)arrow->to - arrow->from);
    *last_row = arrow->from;
    *last_ns = arrow->begin_ns;
}

/* What a tile has. */
typedef struct {
    guint n, total; /* written; all that begin in it */
    GByteArray *bytes;
    guint32 last_row;
    gint64 last_ns;
} Tile;

/* @param written  by arrow: whether a coarser level has it */
static void write_level(const HieraScene *scene, const HieraDetail *detail, guint number, const GArray *arrows,
                        guint8 *written, FILE *stream)
{
    g_autofree Tile *tiles = g_new0(Tile, detail->n_tiles);
    for (guint32 i = 0; i < detail->n_tiles; i++)
        tiles[i] = (Tile){.bytes = g_byte_array_new(), .last_ns = i * detail->tile_ns};
    for (guint i = 0; i < arrows->len; i++) {
        const Arrow *arrow = &g_array_index(arrows, Arrow, i);
        Tile *tile = &tiles[CLAMP(arrow->begin_ns / detail->tile_ns, 0, (gint64)detail->n_tiles - 1)];
        tile->total++;
        if (written[i] || tile->n == ARROWS_PER_TILE)
            continue;
        written[i] = 1;
        tile->n++;
        add_arrow(tile->bytes, scene, arrow, &tile->last_row, &tile->last_ns);
    }
    for (guint32 i = 0; i < detail->n_tiles; i++) {
        g_autoptr(GByteArray) block = g_byte_array_new();
        hiera_block_add(block, tiles[i].total);
        hiera_block_add(block, tiles[i].n);
        g_byte_array_append(block, tiles[i].bytes->data, tiles[i].bytes->len);
        hiera_block_write(block->data, block->len, stream, "arrows-%u-%u", number, i);
        g_byte_array_unref(tiles[i].bytes);
    }
}

void hiera_arrows_write(const HieraScene *scene, const GArray *details, FILE *stream)
{
    g_autoptr(GArray) arrows = find_arrows(scene);
    g_autofree guint8 *written = g_new0(guint8, arrows->len + 1);
    for (guint i = 0; i < details->len; i++)
        write_level(scene, &g_array_index(details, HieraDetail, i), i, arrows, written, stream);
}
