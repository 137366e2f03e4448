/* Writes the page's blocks `worst`, `places` and `messages`. */
#include "base/block.h"
#include "base/json.h"
#include "base/together.h"
#include "timeline/arrows.h"
#include "worst.h"

static void add_list(GString *json, const HieraWorstList *list)
{
    hiera_json_next(json);
    g_string_append_c(json, '{');
    hiera_json_member_text(json, "name", list->name);
    hiera_json_member_text(json, "measures", list->measures);
    hiera_json_member(json, "bytes", list->bytes);
    hiera_json_open(json, "rows", '[');
    for (guint i = 0; i < list->instances->len; i++) {
        hiera_json_next(json);
        g_string_append_printf(json, "%u", g_array_index(list->instances, HieraWorstInstance, i).row);
    }
    g_string_append_c(json, ']');
    hiera_json_open(json, "values", '[');
    for (guint i = 0; i < list->instances->len; i++) {
        hiera_json_next(json);
        g_string_append_printf(json, "\"%" G_GINT64_FORMAT "\"",
                               g_array_index(list->instances, HieraWorstInstance, i).value);
    }
    g_string_append(json, "]}");
}

static void write_lists(const HieraWorst *worst, FILE *stream)
{
    g_autoptr(GString) json = g_string_new("[");
    for (guint i = 0; i < worst->lists->len; i++)
        add_list(json, &g_array_index(worst->lists, HieraWorstList, i));
    g_string_append_c(json, ']');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "worst");
}

/* Where an operation is in the timeline, and its caller. */
typedef struct {
    gint64 row, lane, depth, site, begin_ns, duration_ns, waiting_ns, parent;
} Place;

static gint compare_places(gconstpointer a, gconstpointer b)
{
    const Place *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Return a sorted Place for each known operation (full details on the page) of all processes. */
static GArray *find_places(const HieraWorst *worst, const HieraScene *scene)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));
    for (guint32 row = 0; row < scene->trace->n_operations; row++) {
        if (!worst->known[row] || !hiera_scene_owns(scene, row))
            continue;
        gint64 begin_ns = hiera_scene_start(scene, row);
        guint32 parent = scene->trace->parent[row];
        const Place place = {hiera_scene_number(scene, row),
                             hiera_scene_lane(scene, row),
                             scene->trace->depth[row],
                             scene->order.position[scene->trace->site[row]],
                             begin_ns,
                             hiera_scene_finish(scene, row) - begin_ns,
                             scene->waiting[row],
                             parent == HIERA_NONE ? 0 : row - parent};
        g_array_append_val(places, place);
    }
    hiera_scope_gather_array(scene->scope, scene->trace, places);
    g_array_sort(places, compare_places);
    return places;
}

static void write_places(const HieraWorst *worst, const HieraScene *scene, FILE *stream)
{
    gint64 last_row = 0, last_ns = 0;
    g_autoptr(GByteArray) block = g_byte_array_new();
    g_autoptr(GArray) places = find_places(worst, scene);
    hiera_block_add(block, places->len);
    for (guint i = 0; i < places->len; i++) {
        const Place *place = &g_array_index(places, Place, i);
        hiera_block_add(block, place->row - last_row);
        hiera_block_add(block, place->lane);
        hiera_block_add(block, place->depth);
        hiera_block_add(block, place->site);
        hiera_block_add_signed(block, place->begin_ns - last_ns);
        hiera_block_add(block, place->duration_ns);
        hiera_block_add(block, place->waiting_ns);
        hiera_block_add(block, place->parent);
        last_row = place->row;
        last_ns = place->begin_ns;
    }
    hiera_block_write(block->data, block->len, stream, "places");
}

void hiera_worst_write(const HieraWorst *worst, const HieraScene *scene, FILE *stream)
{
    g_autoptr(GByteArray) messages = hiera_arrows_of_rows(scene, worst->known);
    write_lists(worst, stream);
    write_places(worst, scene, stream);
    hiera_block_write(messages->data, messages->len, stream, "messages");
}
