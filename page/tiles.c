/* One pass over the operations for each level. A lane is written depth by depth, and a tile lane by lane, so the pass
 * sorts operations into a buffer for each (tile, lane, depth) only while a lane is met: it collects bytes per tile and
 * depth, and appends them to the tiles at the end of the lane. */
#include "tiles.h"
#include "block.h"

#define PIXELS         2048 /* of the whole run at the coarsest level */
#define FACTOR         8    /* from one level to the next */
#define MERGED_PIXELS  8    /* the longest run of merged operations */
#define MAX_LEVELS     12
#define ROWS_PER_TILE  20000
#define SITES_OF_MERGED 8 /* with more different ones no site is named */

/* Merged neighbours at one depth. */
typedef struct {
    gint64 begin_ns, end_ns, busy_ns, waiting_ns;
    guint64 count;
    guint n_sites;
    guint32 site[SITES_OF_MERGED];
    gint64 site_ns[SITES_OF_MERGED];
} Merged;

/* What one depth of a lane puts into one tile. */
typedef struct {
    GByteArray *exact, *merged;
    guint n_exact, n_merged;
    gint64 last_exact_ns, last_merged_ns;
    guint32 last_row;
} Part;

/* The part that a depth has met last: most operations go where the one before them went. */
typedef struct {
    guint32 tile;
    Part *part; /* NULL: none */
} LastPart;

typedef struct {
    const HieraScene *scene;
    HieraDetail detail;
    gint64 above_ns;    /* operations that take so long or longer are in a coarser level */
    GPtrArray *tiles;   /* GByteArray */
    GArray *merged;     /* Merged, by depth of the lane */
    GArray *last;       /* LastPart, by depth of the lane */
    GHashTable *parts;  /* (tile, depth) as guint64 → Part, of the lane */
} Level;

static void part_free(gpointer data)
{
    Part *part = data;
    g_byte_array_unref(part->exact);
    g_byte_array_unref(part->merged);
    g_free(part);
}

static guint32 tile_of(const Level *level, gint64 time_ns)
{
    return (guint32)CLAMP(time_ns / level->detail.tile_ns, 0, (gint64)level->detail.n_tiles - 1);
}

static Part *find_part(Level *level, gint64 time_ns, guint32 depth)
{
    guint32 tile = tile_of(level, time_ns);
    LastPart *last = &g_array_index(level->last, LastPart, depth);
    if (last->part && last->tile == tile)
        return last->part;
    guint64 key = (guint64)tile << 32 | depth;
    Part *part = g_hash_table_lookup(level->parts, &key);
    if (!part) {
        part = g_new0(Part, 1);
        part->exact = g_byte_array_new();
        part->merged = g_byte_array_new();
        part->last_exact_ns = part->last_merged_ns = tile * level->detail.tile_ns;
        g_hash_table_insert(level->parts, g_memdup2(&key, sizeof key), part);
    }
    *last = (LastPart){tile, part};
    return part;
}

/* The site that takes more than half of the time, plus 1; 0 if there is none. */
static guint32 main_site(const Merged *merged)
{
    for (guint i = 0; i < merged->n_sites && merged->n_sites <= SITES_OF_MERGED; i++) {
        if (merged->site_ns[i] > merged->busy_ns / 2)
            return merged->site[i] + 1;
    }
    return 0;
}

static void end_merged(Level *level, guint32 depth)
{
    Merged *merged = &g_array_index(level->merged, Merged, depth);
    if (merged->count == 0)
        return;
    Part *part = find_part(level, merged->begin_ns, depth);
    hiera_block_add_signed(part->merged, merged->begin_ns - part->last_merged_ns);
    hiera_block_add(part->merged, merged->end_ns - merged->begin_ns);
    hiera_block_add(part->merged, (gint64)merged->count);
    hiera_block_add(part->merged, merged->busy_ns);
    hiera_block_add(part->merged, merged->waiting_ns);
    hiera_block_add(part->merged, main_site(merged));
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

static void merge(Level *level, guint32 row, gint64 begin_ns, gint64 end_ns)
{
    const HieraTrace *trace = level->scene->trace;
    guint32 depth = trace->depth[row];
    gint64 width_ns = level->detail.width_ns;
    Merged *merged = &g_array_index(level->merged, Merged, depth);
    if (merged->count && (begin_ns < merged->begin_ns || begin_ns - merged->end_ns >= width_ns ||
                          end_ns - merged->begin_ns > MERGED_PIXELS * width_ns))
        end_merged(level, depth);
    if (merged->count++ == 0)
        merged->begin_ns = merged->end_ns = begin_ns;
    merged->end_ns = MAX(merged->end_ns, end_ns);
    merged->busy_ns += end_ns - begin_ns;
    merged->waiting_ns += level->scene->waiting[row];
    count_site(merged, level->scene->order.position[trace->site[row]], end_ns - begin_ns);
    level->detail.n_merged++;
}

static void keep(Level *level, guint32 row, gint64 begin_ns, gint64 end_ns)
{
    const HieraTrace *trace = level->scene->trace;
    Part *part = find_part(level, begin_ns, trace->depth[row]);
    hiera_block_add_signed(part->exact, begin_ns - part->last_exact_ns);
    hiera_block_add(part->exact, end_ns - begin_ns);
    hiera_block_add(part->exact, level->scene->order.position[trace->site[row]]);
    hiera_block_add_signed(part->exact, (gint64)row - part->last_row);
    hiera_block_add(part->exact, level->scene->waiting[row]);
    part->last_exact_ns = begin_ns;
    part->last_row = row;
    part->n_exact++;
}

static void append_part(GByteArray *tile, const Part *part)
{
    hiera_block_add(tile, part ? part->n_exact : 0);
    if (part)
        g_byte_array_append(tile, part->exact->data, part->exact->len);
    hiera_block_add(tile, part ? part->n_merged : 0);
    if (part)
        g_byte_array_append(tile, part->merged->data, part->merged->len);
}

/* Append the lane to all tiles. A tile in which it has nothing gets the number of depths 0. */
static void end_lane(Level *level, const HieraLane *lane)
{
    for (guint32 depth = 0; depth < lane->n_depths; depth++)
        end_merged(level, depth);
    for (guint32 tile = 0; tile < level->detail.n_tiles; tile++) {
        GByteArray *bytes = g_ptr_array_index(level->tiles, tile);
        guint32 n_depths = 0;
        for (guint32 depth = 0; depth < lane->n_depths; depth++) {
            guint64 key = (guint64)tile << 32 | depth;
            n_depths = g_hash_table_contains(level->parts, &key) ? depth + 1 : n_depths;
        }
        hiera_block_add(bytes, n_depths);
        for (guint32 depth = 0; depth < n_depths; depth++) {
            guint64 key = (guint64)tile << 32 | depth;
            append_part(bytes, g_hash_table_lookup(level->parts, &key));
        }
    }
    g_hash_table_remove_all(level->parts);
}

static void add_lane(Level *level, const HieraLane *lane)
{
    g_array_set_size(level->merged, 0); /* so that all are cleared */
    g_array_set_size(level->merged, lane->n_depths);
    g_array_set_size(level->last, 0);
    g_array_set_size(level->last, lane->n_depths);
    for (guint32 row = lane->first; row < lane->first + lane->n_rows; row++) {
        gint64 begin_ns = hiera_scene_start(level->scene, row), end_ns = hiera_scene_finish(level->scene, row);
        if (end_ns - begin_ns >= level->above_ns || !hiera_scene_has(level->scene, row))
            continue;
        if (end_ns - begin_ns >= level->detail.width_ns)
            keep(level, row, begin_ns, end_ns);
        else
            merge(level, row, begin_ns, end_ns);
    }
    end_lane(level, lane);
}

static gsize write_level(Level *level, guint number, FILE *stream)
{
    gsize bytes = 0;
    for (guint32 tile = 0; tile < level->detail.n_tiles; tile++) {
        const GByteArray *block = g_ptr_array_index(level->tiles, tile);
        bytes += hiera_block_write(block->data, block->len, stream, "tile-%u-%u", number, tile);
    }
    return bytes;
}

/* Make a level. @param n_rows  operations that stand in no coarser one */
static HieraDetail make_level(const HieraScene *scene, guint number, gint64 above_ns, guint64 n_rows, FILE *stream,
                              gsize *bytes)
{
    Level level = {.scene = scene, .above_ns = above_ns};
    gint64 run_ns = MAX(1, hiera_minus(scene->end_ns, scene->begin_ns)), divisor = PIXELS;
    guint64 max_tiles = 1;
    for (guint i = 0; i < number; i++, max_tiles *= FACTOR)
        divisor *= FACTOR;
    level.detail.width_ns = run_ns / divisor;
    level.detail.n_tiles = (guint32)CLAMP(n_rows / ROWS_PER_TILE, 1, MIN(max_tiles, 4096));
    level.detail.tile_ns = run_ns / level.detail.n_tiles + 1;
    level.tiles = g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref);
    level.merged = g_array_new(FALSE, TRUE, sizeof(Merged));
    level.last = g_array_new(FALSE, TRUE, sizeof(LastPart));
    level.parts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, part_free);
    for (guint32 i = 0; i < level.detail.n_tiles; i++)
        g_ptr_array_add(level.tiles, g_byte_array_new());
    for (guint i = 0; i < scene->lanes->len; i++)
        add_lane(&level, &g_array_index(scene->lanes, HieraLane, i));
    *bytes = write_level(&level, number, stream);
    g_hash_table_unref(level.parts);
    g_array_unref(level.merged);
    g_array_unref(level.last);
    g_ptr_array_unref(level.tiles);
    return level.detail;
}

GArray *hiera_tiles_write(const HieraScene *scene, gsize max_bytes, FILE *stream)
{
    GArray *details = g_array_new(FALSE, FALSE, sizeof(HieraDetail));
    gint64 above_ns = G_MAXINT64;
    guint64 left = scene->trace->n_operations;
    gsize sum = 0;
    for (guint number = 0; number < MAX_LEVELS; number++) {
        gsize bytes;
        HieraDetail detail = make_level(scene, number, above_ns, left, stream, &bytes);
        g_array_append_val(details, detail);
        sum += bytes;
        above_ns = detail.width_ns;
        /* The next level may take as much as all operations that are left, at about four bytes each. */
        left = detail.n_merged;
        if (left == 0 || detail.width_ns == 0 || sum + left * 4 / FACTOR > max_bytes)
            break;
    }
    return details;
}
