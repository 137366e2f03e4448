/* The blocks `worst`, `places` and `messages`. */
#include "arrows.h"
#include "block.h"
#include "json.h"
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
        g_string_append_printf(json, "%u", g_array_index(list->instances, HieraInstance, i).row);
    }
    g_string_append_c(json, ']');
    hiera_json_open(json, "values", '[');
    for (guint i = 0; i < list->instances->len; i++) {
        hiera_json_next(json);
        g_string_append_printf(json, "\"%" G_GINT64_FORMAT "\"",
                               g_array_index(list->instances, HieraInstance, i).value);
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

/* Append where an operation stands in the timeline, and the operation around it. */
static void add_place(GByteArray *block, const HieraScene *scene, guint32 row, HieraThingBefore *before)
{
    gint64 begin_ns = hiera_scene_start(scene, row);
    guint32 parent = scene->trace->parent[row];
    hiera_block_add(block, row - before->row);
    hiera_block_add(block, hiera_scene_lane(scene, row));
    hiera_block_add(block, scene->trace->depth[row]);
    hiera_block_add(block, scene->order.position[scene->trace->site[row]]);
    hiera_block_add_signed(block, begin_ns - before->begin_ns);
    hiera_block_add(block, hiera_scene_finish(scene, row) - begin_ns);
    hiera_block_add(block, scene->waiting[row]);
    hiera_block_add(block, parent == HIERA_NONE ? 0 : row - parent);
    *before = (HieraThingBefore){row, begin_ns};
}

static void write_places(const HieraWorst *worst, const HieraScene *scene, FILE *stream)
{
    guint n = 0;
    HieraThingBefore before = {0, 0};
    g_autoptr(GByteArray) block = g_byte_array_new(), list = g_byte_array_new();
    for (guint32 row = 0; row < scene->trace->n_operations; row++) {
        if (!worst->known[row])
            continue;
        add_place(list, scene, row, &before);
        n++;
    }
    hiera_block_add(block, n);
    g_byte_array_append(block, list->data, list->len);
    hiera_block_write(block->data, block->len, stream, "places");
}

void hiera_worst_write(const HieraWorst *worst, const HieraScene *scene, FILE *stream)
{
    g_autoptr(GByteArray) messages = hiera_arrows_of_rows(scene, worst->known);
    write_lists(worst, stream);
    write_places(worst, scene, stream);
    hiera_block_write(messages->data, messages->len, stream, "messages");
}
