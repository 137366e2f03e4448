/* See tiles.h. A tile depends only on the rows that begin in it: they are found by their begin, lane by lane, so each
 * tile can be made alone. The parts of a lane at each depth are collected separately, because a tile is written depth
 * by depth. */
#include "tiles.h"
#include "base/block.h"

#define MERGED_PIXELS   8 /* most pixels that a group of merged operations may be long */
#define SITES_OF_MERGED 8 /* most call sites in a group of merged operations for which a main one is named */

/* A group of short neighbouring operations at one depth, drawn as one. */
typedef struct {
    gint64 begin_ns, end_ns, busy_ns, waiting_ns, bytes;
    guint64 count;
    guint n_sites;
    guint32 site[SITES_OF_MERGED];
    gint64 site_ns[SITES_OF_MERGED];
} Merged;

/* Operations of a lane at one depth, as they are written into the tile. */
typedef struct {
    GByteArray *exact, *merged; /* bytes of exact operations, of merged ones; NULL: none so far */
    guint n_exact, n_merged;
    gint64 last_exact_ns, last_merged_ns;
    guint32 last_row;
    Merged open; /* the last merged group, to which more operations may be added */
} Part;

typedef struct {
    const HieraScene *scene;
    const HieraDetail *detail;
    gint64 begin_ns; /* time at which the tile begins */
    gint64 end_ns;   /* time at which the tile ends; operations begin before it */
    guint32 shift;   /* HieraLane.shift of the current lane */
    GArray *parts;   /* Part by depth, for the current lane */
    guint n_depths;  /* number of depths at which the current lane has operations in this tile */
} Tile;

static void clear_part(gpointer data)
{
    Part *part = data;
    g_clear_pointer(&part->exact, g_byte_array_unref);
    g_clear_pointer(&part->merged, g_byte_array_unref);
}

static Part *find_part(Tile *tile, guint32 depth)
{
    if (depth >= tile->parts->len)
        g_array_set_size(tile->parts, depth + 1);
    for (; tile->n_depths <= depth; tile->n_depths++) {
        Part *part = &g_array_index(tile->parts, Part, tile->n_depths);
        part->last_exact_ns = part->last_merged_ns = tile->begin_ns;
    }
    return &g_array_index(tile->parts, Part, depth);
}

/* Return 1 + position of the call site with more than half of the group's time; 0: there is none. */
static guint32 main_site(const Merged *merged)
{
    for (guint i = 0; i < merged->n_sites && merged->n_sites <= SITES_OF_MERGED; i++) {
        if (merged->site_ns[i] > merged->busy_ns / 2)
            return merged->site[i] + 1;
    }
    return 0;
}

static void end_merged(Part *part)
{
    Merged *merged = &part->open;
    if (merged->count == 0)
        return;
    if (!part->merged)
        part->merged = g_byte_array_new();
    HieraNumbers numbers;
    numbers.n = 0;
    hiera_numbers_add_signed(&numbers, merged->begin_ns - part->last_merged_ns);
    hiera_numbers_add(&numbers, merged->end_ns - merged->begin_ns);
    hiera_numbers_add(&numbers, (gint64)merged->count);
    hiera_numbers_add(&numbers, merged->busy_ns);
    hiera_numbers_add(&numbers, merged->waiting_ns);
    hiera_numbers_add(&numbers, merged->bytes);
    hiera_numbers_add(&numbers, main_site(merged));
    hiera_block_append(part->merged, &numbers);
    part->last_merged_ns = merged->begin_ns;
    part->n_merged++;
    *merged = (Merged){0};
}

static void count_site(Merged *merged, guint32 site, gint64 duration_ns)
{
    guint i = 0;
    while (i < MIN(merged->n_sites, SITES_OF_MERGED) && merged->site[i] != site)
        i++;
    if (i == merged->n_sites)
        merged->n_sites++;
    if (i < SITES_OF_MERGED) {
        merged->site[i] = site;
        merged->site_ns[i] += duration_ns;
    }
}

static void merge(Tile *tile, guint32 row, gint64 begin_ns, gint64 end_ns)
{
    const HieraTrace *trace = tile->scene->trace;
    gint64 width_ns = tile->detail->width_ns;
    Part *part = find_part(tile, trace->depth[row]);
    Merged *merged = &part->open;
    if (merged->count &&
        (begin_ns - merged->end_ns >= width_ns || end_ns - merged->begin_ns > MERGED_PIXELS * width_ns))
        end_merged(part);
    if (merged->count++ == 0)
        merged->begin_ns = merged->end_ns = begin_ns;
    merged->end_ns = MAX(merged->end_ns, end_ns);
    merged->busy_ns += end_ns - begin_ns;
    merged->waiting_ns += tile->scene->waiting[row];
    merged->bytes = hiera_plus(merged->bytes, MAX(0, trace->bytes[row]));
    count_site(merged, tile->scene->order.position[trace->site[row]], end_ns - begin_ns);
}

static void keep(Tile *tile, guint32 row, gint64 begin_ns, gint64 end_ns)
{
    const HieraTrace *trace = tile->scene->trace;
    Part *part = find_part(tile, trace->depth[row]);
    if (!part->exact)
        part->exact = g_byte_array_new();
    HieraNumbers numbers;
    numbers.n = 0;
    hiera_numbers_add_signed(&numbers, begin_ns - part->last_exact_ns);
    hiera_numbers_add(&numbers, end_ns - begin_ns);
    hiera_numbers_add(&numbers, tile->scene->order.position[trace->site[row]]);
    hiera_numbers_add_signed(&numbers, (gint64)(row + tile->shift) - part->last_row);
    hiera_numbers_add(&numbers, tile->scene->waiting[row]);
    hiera_numbers_add(&numbers, trace->bytes[row]);
    hiera_block_append(part->exact, &numbers);
    part->last_exact_ns = begin_ns;
    part->last_row = row + tile->shift;
    part->n_exact++;
}

/* Append the current lane to the tile's block, and clear the parts for the next lane. */
static void end_lane(Tile *tile, GByteArray *block)
{
    hiera_block_add(block, tile->n_depths);
    for (guint32 depth = 0; depth < tile->n_depths; depth++) {
        Part *part = &g_array_index(tile->parts, Part, depth);
        end_merged(part);
        hiera_block_add(block, part->n_exact);
        if (part->n_exact)
            g_byte_array_append(block, part->exact->data, part->exact->len);
        hiera_block_add(block, part->n_merged);
        if (part->n_merged)
            g_byte_array_append(block, part->merged->data, part->merged->len);
        clear_part(part);
        *part = (Part){0};
    }
    tile->n_depths = 0;
}

static void add_lane(Tile *tile, const HieraLane *lane, GByteArray *block)
{
    const HieraScene *scene = tile->scene;
    guint32 to = hiera_scene_search(scene, lane, tile->end_ns);
    tile->shift = lane->shift;
    for (guint32 i = hiera_scene_search(scene, lane, tile->begin_ns); i < to; i++) {
        guint32 row = hiera_scene_row(scene, i);
        gint64 row_begin_ns = hiera_scene_start(scene, row), row_end_ns = hiera_scene_finish(scene, row);
        gint64 length_ns = row_end_ns - row_begin_ns;
        if (length_ns >= tile->detail->above_ns || !hiera_scene_has(scene, row))
            continue;
        if (length_ns >= tile->detail->width_ns)
            keep(tile, row, row_begin_ns, row_end_ns);
        else
            merge(tile, row, row_begin_ns, row_end_ns);
    }
    end_lane(tile, block);
}

static void tile_init(Tile *tile, const HieraScene *scene, const HieraDetail *detail, guint32 number)
{
    gint64 begin_ns = number * detail->tile_ns;
    *tile = (Tile){.scene = scene, .detail = detail, .begin_ns = begin_ns};
    tile->end_ns = number + 1 == detail->n_tiles ? G_MAXINT64 : begin_ns + detail->tile_ns;
    tile->parts = g_array_new(FALSE, TRUE, sizeof(Part));
    g_array_set_clear_func(tile->parts, clear_part);
}

GByteArray *hiera_tile_make(const HieraScene *scene, const HieraDetail *detail, guint32 tile)
{
    Tile made;
    GByteArray *block = g_byte_array_new();
    tile_init(&made, scene, detail, tile);
    for (guint i = 0; i < scene->lanes->len; i++)
        add_lane(&made, &g_array_index(scene->lanes, HieraLane, i), block);
    g_array_unref(made.parts);
    return block;
}

HieraRankParts *hiera_tile_make_parts(const HieraScene *scene, const HieraDetail *detail, guint32 tile)
{
    Tile made;
    HieraRankParts *parts = hiera_rank_parts_new(scene->trace->n_processors);
    tile_init(&made, scene, detail, tile);
    for (guint i = 0; i < scene->lanes->len; i++) {
        const HieraLane *lane = &g_array_index(scene->lanes, HieraLane, i);
        add_lane(&made, lane, hiera_rank_parts_of(parts, lane->processor));
    }
    g_array_unref(made.parts);
    return parts;
}

/* Make a level in memory, so that the file gets all of it or nothing. @return its text, to be freed; NULL if it is
 * longer than max_bytes */
static char *make_level(const HieraScene *scene, const HieraDetail *detail, guint number, gsize max_bytes, gsize *n)
{
    gsize bytes = 0;
    char *text = NULL;
    FILE *stream = open_memstream(&text, n);
    if (!stream)
        g_error("no memory for the page");
    for (guint32 tile = 0; tile < detail->n_tiles && bytes <= max_bytes; tile++) {
        g_autoptr(GByteArray) block = hiera_tile_make(scene, detail, tile);
        bytes += hiera_block_write(block->data, block->len, stream, "tile-%u-%u", number, tile);
    }
    fclose(stream);
    if (bytes > max_bytes)
        g_clear_pointer(&text, free);
    return text;
}

gsize hiera_tiles_room(guint32 n_operations)
{
    if (n_operations <= HIERA_ALL_OPERATIONS)
        return G_MAXSIZE;
    return (gsize)(n_operations <= HIERA_MANY_OPERATIONS ? 7 : 20) << 20;
}

GArray *hiera_tiles_write(const HieraScene *scene, gsize max_bytes, FILE *stream)
{
    GArray *details = hiera_levels_plan(scene, FALSE);
    for (guint number = 0; number < details->len; number++) {
        const HieraDetail *detail = &g_array_index(details, HieraDetail, number);
        gsize n;
        char *text = make_level(scene, detail, number, number ? max_bytes : G_MAXSIZE, &n);
        if (!text) {
            g_array_set_size(details, number);
            break;
        }
        fwrite(text, 1, n, stream);
        free(text);
        max_bytes -= MIN(n, max_bytes);
    }
    return details;
}
