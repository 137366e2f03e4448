/* Makes levels with several processes. Tiles are made in rounds, one tile for each process: it gets the parts of all
 * lanes in that tile, joins and deflates them, and process 0 gets the text. So little is in memory, and a level that
 * does not fit ends early. */
#include "base/block.h"
#include "tiles.h"

typedef struct {
    const HieraScene *scene;
    const HieraDetail *detail;
    guint level;
    guint32 first;         /* tile that process 0 makes in this round; process n makes tile first + n */
    HieraRankParts *parts; /* bytes of this process's tile, by rank */
    char *text;            /* HTML element of this process's tile; NULL: the process has no tile in this round */
    gsize n_text;
    GString *all;  /* in process 0: HTML elements of the level so far */
    gboolean fits; /* whether the level still fits into the file */
} Round;

static gboolean has_tile(const Round *round, guint process)
{
    return round->first + process < round->detail->n_tiles;
}

static void pack_parts(HieraPacker *to, guint process, gpointer user)
{
    const Round *round = user;
    if (!has_tile(round, process))
        return;
    g_autoptr(GPtrArray) parts = hiera_tile_make_parts(round->scene, round->detail, round->first + process);
    hiera_rank_parts_pack(parts, to);
}

static void unpack_parts(HieraUnpacker *from, guint process, gpointer user)
{
    Round *round = user;
    (void)process;
    if (has_tile(round, hiera_scope_process(round->scene->scope)))
        hiera_rank_parts_unpack(round->parts, from);
}

/* Make the HTML element of this process's tile in `text`. */
static void join_parts(Round *round)
{
    guint process = hiera_scope_process(round->scene->scope);
    g_autoptr(GByteArray) block = g_byte_array_new();
    FILE *stream = has_tile(round, process) ? open_memstream(&round->text, &round->n_text) : NULL;
    if (!stream)
        return;
    hiera_rank_parts_join(round->parts, block);
    hiera_block_write(block->data, block->len, stream, "tile-%u-%u", round->level, round->first + process);
    fclose(stream);
}

static void pack_text(HieraPacker *to, gpointer user)
{
    const Round *round = user;
    hiera_pack_number(to, (gint64)round->n_text);
    hiera_pack_bytes(to, round->text, round->n_text);
}

static void unpack_text(HieraUnpacker *from, gpointer user)
{
    const Round *round = user;
    gsize before = round->all->len, n = (gsize)hiera_unpack_number(from);
    g_string_set_size(round->all, before + n);
    hiera_unpack_bytes(from, round->all->str + before, n);
}

static void pack_fits(HieraPacker *to, gpointer user)
{
    const Round *round = user;
    hiera_pack_number(to, round->fits);
}

static void unpack_fits(HieraUnpacker *from, gpointer user)
{
    Round *round = user;
    round->fits = (gboolean)hiera_unpack_number(from);
}

static void make_round(Round *round, gsize max_bytes)
{
    const HieraScope *scope = round->scene->scope;
    const HieraTrace *trace = round->scene->trace;
    round->parts = hiera_rank_parts_new(trace->n_processors);
    hiera_scope_exchange(scope, trace, pack_parts, unpack_parts, round);
    join_parts(round);
    if (hiera_scope_leads(scope) && round->n_text > 0)
        g_string_append_len(round->all, round->text, (gssize)round->n_text);
    hiera_scope_gather_others(scope, trace, pack_text, unpack_text, round);
    round->fits = round->all->len <= max_bytes;
    hiera_scope_tell(scope, trace, pack_fits, unpack_fits, round);
    g_clear_pointer(&round->parts, g_ptr_array_unref);
    g_clear_pointer(&round->text, free);
    round->n_text = 0;
}

/* Return the HTML elements of a level, to be freed with g_string_free; NULL in all processes if longer than max_bytes.
 */
static GString *make_level(const HieraScene *scene, const HieraDetail *detail, guint level, gsize max_bytes)
{
    Round round = {.scene = scene, .detail = detail, .level = level, .all = g_string_new(NULL), .fits = TRUE};
    guint n = hiera_scope_count_processes(scene->scope);
    for (; round.fits && round.first < detail->n_tiles; round.first += n)
        make_round(&round, max_bytes);
    if (round.fits)
        return round.all;
    g_string_free(round.all, TRUE);
    return NULL;
}

GArray *hiera_tiles_write_together(const HieraScene *scene, FILE *stream)
{
    gsize max_bytes = hiera_tiles_room(hiera_scope_count_operations(scene->scope, scene->trace));
    GArray *details = hiera_levels_plan(scene, FALSE);
    for (guint level = 0; level < details->len; level++) {
        GString *text =
            make_level(scene, &g_array_index(details, HieraDetail, level), level, level ? max_bytes : G_MAXSIZE);
        if (!text) {
            g_array_set_size(details, level);
            break;
        }
        if (stream)
            fwrite(text->str, 1, text->len, stream);
        max_bytes -= MIN(text->len, max_bytes);
        g_string_free(text, TRUE);
    }
    return details;
}
