/* See page.h. The HTML is made once, without levels of detail. A block of a level is made from the trace at each
 * request, by the same functions that write it into a file, so that the numbers cannot differ. */
#include "base/block.h"
#include "base/parse_numbers.h"
#include "compose.h"
#include "details.h"
#include "found.h"
#include "timeline/arrows.h"
#include "timeline/bands.h"
#include "timeline/teams.h"
#include "timeline/tiles.h"
#include <string.h>

struct HieraLivePage {
    HieraScene scene;
    GArray *waits;
    gint64 *waiting;
    GArray *details;
    HieraLongest *arrows, *bands;
    char *html;
    gsize n_html;
};

HieraLivePage *hiera_live_page_new(const HieraPage *page)
{
    HieraLivePage *live = g_new0(HieraLivePage, 1);
    HieraPage served = *page;
    served.served = TRUE;
    live->waits = hiera_waits_find(page->match);
    live->waiting = hiera_waits_by_row(page->match, page->scope);
    hiera_teams_add_waits(hiera_match_peek_trace(page->match), page->scope, live->waiting);
    hiera_scene_init(&live->scene, page->match, page->scope, live->waiting);
    live->details = hiera_levels_plan(&live->scene, TRUE);
    live->arrows = hiera_arrows_find(&live->scene, live->details, TRUE);
    live->bands = hiera_bands_find(&live->scene, live->details, TRUE);
    FILE *stream = open_memstream(&live->html, &live->n_html);
    if (!stream)
        g_error("no memory for the page");
    hiera_page_top_write(&served, &live->scene, stream);
    hiera_page_rest_write(&served, &live->scene, live->waits, live->details, stream);
    fclose(stream);
    return live;
}

void hiera_live_page_free(HieraLivePage *live)
{
    if (!live)
        return;
    hiera_longest_free(live->arrows);
    hiera_longest_free(live->bands);
    hiera_scene_clear(&live->scene);
    g_array_unref(live->details);
    g_array_unref(live->waits);
    g_free(live->waiting);
    free(live->html);
    g_free(live);
}

const char *hiera_live_page_peek_html(const HieraLivePage *live, gsize *n)
{
    *n = live->n_html;
    return live->html;
}

/* Parse numbers like "4,17,3"; to be freed with g_array_unref. NULL: the text is something else. */
static GArray *parse_numbers(const char *text, char separator)
{
    const char between[] = {separator, 0};
    g_auto(GStrv) words = g_strsplit(text, between, -1);
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (char **word = words; *word; word++) {
        gint64 number;
        if (!hiera_number_parse_between(*word, strlen(*word), 0, G_MAXUINT32, &number)) {
            g_array_unref(numbers);
            return NULL;
        }
        g_array_append_vals(numbers, &(guint32){(guint32)number}, 1);
    }
    return numbers;
}

/* Make a tile of a level of detail. @param kind  "tile", "arrows" or "bands" @param place  "LEVEL-TILE" */
static GByteArray *make_tile(const HieraLivePage *live, const char *kind, const char *place)
{
    g_autoptr(GArray) numbers = parse_numbers(place, '-');
    if (!numbers || numbers->len != 2)
        return NULL;
    guint32 level = g_array_index(numbers, guint32, 0), tile = g_array_index(numbers, guint32, 1);
    if (level >= live->details->len || tile >= g_array_index(live->details, HieraDetail, level).n_tiles)
        return NULL;
    if (strcmp(kind, "tile") == 0)
        return hiera_tile_make(&live->scene, &g_array_index(live->details, HieraDetail, level), tile);
    return hiera_longest_tile(strcmp(kind, "arrows") == 0 ? live->arrows : live->bands, level, tile);
}

/* Make a block with details of one operation. @param kind  "operation", "messages" or "waits" */
static GByteArray *make_operation(const HieraLivePage *live, const char *kind, const char *row)
{
    const HieraScene *scene = &live->scene;
    gint64 number;
    if (!hiera_number_parse_between(row, strlen(row), 0, G_MAXUINT32, &number) ||
        number >= scene->trace->n_operations || !hiera_scene_shows(scene, (guint32)number))
        return NULL;
    if (strcmp(kind, "operation") == 0)
        return hiera_operation_make(scene, (guint32)number);
    return strcmp(kind, "messages") == 0 ? hiera_arrows_of(scene, (guint32)number)
                                         : hiera_page_waits_of(scene, live->waits, (guint32)number);
}

static GByteArray *make_sites(const HieraLivePage *live, const char *sites)
{
    g_autoptr(GArray) numbers = parse_numbers(sites, ',');
    if (!numbers)
        return NULL;
    g_autofree guint8 *chosen =
        hiera_found_by_site(&live->scene, (const guint32 *)(const void *)numbers->data, numbers->len);
    return hiera_found_make(&live->scene, chosen);
}

GByteArray *hiera_live_page_block(const HieraLivePage *live, const char *name)
{
    const char *dash = strchr(name, '-');
    g_autofree char *kind = dash ? g_strndup(name, (gsize)(dash - name)) : g_strdup("");
    g_autoptr(GByteArray) block = NULL;
    if (strcmp(kind, "tile") == 0 || strcmp(kind, "arrows") == 0 || strcmp(kind, "bands") == 0)
        block = make_tile(live, kind, dash + 1);
    else if (strcmp(kind, "operation") == 0 || strcmp(kind, "messages") == 0 || strcmp(kind, "waits") == 0)
        block = make_operation(live, kind, dash + 1);
    else if (strcmp(kind, "sites") == 0)
        block = make_sites(live, dash + 1);
    return block ? hiera_block_deflate(block->data, block->len) : NULL;
}

GByteArray *hiera_live_page_found(const HieraLivePage *live, const guint8 *chosen)
{
    g_autoptr(GByteArray) block = hiera_found_make(&live->scene, chosen);
    return hiera_block_deflate(block->data, block->len);
}
