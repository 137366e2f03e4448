/* An operation has few arguments, so a mask says which follow. Their names and texts are numbered as they come. */
#include "details.h"
#include "block.h"
#include "export/export_labels.h"
#include "json.h"

#define MAX_WAITS 50000

/* Texts with numbers in the order in which they came. */
typedef struct {
    GHashTable *numbers;
    GPtrArray *list;
} Numbered;

static void numbered_init(Numbered *numbered)
{
    *numbered = (Numbered){g_hash_table_new(g_str_hash, g_str_equal), g_ptr_array_new()};
}

static guint number_of(Numbered *numbered, const char *text)
{
    gpointer found;
    if (g_hash_table_lookup_extended(numbered->numbers, text, NULL, &found))
        return GPOINTER_TO_UINT(found);
    g_hash_table_insert(numbered->numbers, (gpointer)text, GUINT_TO_POINTER(numbered->list->len));
    g_ptr_array_add(numbered->list, (gpointer)text);
    return numbered->list->len - 1;
}

/* Append `"name":[…]`, and forget the texts. */
static void numbered_end(Numbered *numbered, const char *name, GString *json)
{
    hiera_json_open(json, name, '[');
    for (guint i = 0; i < numbered->list->len; i++) {
        hiera_json_next(json);
        hiera_json_text(json, g_ptr_array_index(numbered->list, i));
    }
    g_string_append_c(json, ']');
    g_hash_table_unref(numbered->numbers);
    g_ptr_array_unref(numbered->list);
}

/* Append a row: which arguments it has, by the numbers of their names, then each. A text is 0 and its number, a number
 * 1 and itself. */
static void add_operation(GByteArray *block, const HieraScene *scene, guint32 row, Numbered *names, Numbered *texts)
{
    HieraArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(scene->match, row, arguments);
    hiera_block_add(block, n);
    for (guint i = 0; i < n; i++) {
        hiera_block_add(block, 2 * number_of(names, arguments[i].name) + (arguments[i].text == NULL));
        if (arguments[i].text)
            hiera_block_add(block, number_of(texts, arguments[i].text));
        else
            hiera_block_add_signed(block, arguments[i].number);
    }
}

void hiera_operations_write(const HieraScene *scene, const guint8 *known, FILE *stream)
{
    g_autoptr(GByteArray) block = g_byte_array_new();
    g_autoptr(GString) json = g_string_new("{");
    gboolean all = scene->trace->n_operations <= HIERA_ALL_OPERATIONS;
    guint32 last = 0;
    Numbered names, texts;
    numbered_init(&names);
    numbered_init(&texts);
    hiera_block_add(block, all);
    for (guint32 row = 0; row < scene->trace->n_operations; row++) {
        if (!known[row] && !(all && hiera_scene_shows(scene, row)))
            continue;
        hiera_block_add(block, row - last);
        add_operation(block, scene, row, &names, &texts);
        last = row;
    }
    hiera_block_write(block->data, block->len, stream, "operations");
    numbered_end(&names, "names", json);
    numbered_end(&texts, "texts", json);
    g_string_append_c(json, '}');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "arguments");
}

GByteArray *hiera_operation_make(const HieraScene *scene, guint32 row)
{
    HieraArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(scene->match, row, arguments);
    GString *json = g_string_new("[");
    for (guint i = 0; i < n; i++) {
        hiera_json_next(json);
        g_string_append_c(json, '[');
        hiera_json_text(json, arguments[i].name);
        g_string_append_c(json, ',');
        if (arguments[i].text)
            hiera_json_text(json, arguments[i].text);
        else
            g_string_append_printf(json, "%" G_GINT64_FORMAT, arguments[i].number);
        g_string_append_c(json, ']');
    }
    g_string_append_c(json, ']');
    gsize length = json->len;
    return g_byte_array_new_take((guint8 *)g_string_free(json, FALSE), length);
}

static gint64 length_of(const HieraWait *wait)
{
    return wait->end_ns - wait->begin_ns;
}

/* The longest first; ties by row and time. */
static gint compare_waits(gconstpointer a, gconstpointer b)
{
    const HieraWait *x = *(const HieraWait *const *)a, *y = *(const HieraWait *const *)b;
    if (length_of(x) != length_of(y))
        return length_of(x) > length_of(y) ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* Append where an operation stands in the timeline. */
static void add_place(GByteArray *block, const HieraScene *scene, guint32 row)
{
    gint64 begin_ns = hiera_scene_start(scene, row);
    hiera_block_add(block, row);
    hiera_block_add(block, hiera_scene_lane(scene, row));
    hiera_block_add(block, scene->trace->depth[row]);
    hiera_block_add(block, scene->order.position[scene->trace->site[row]]);
    hiera_block_add(block, begin_ns);
    hiera_block_add(block, hiera_scene_finish(scene, row) - begin_ns);
}

static void add_wait(GByteArray *block, const HieraScene *scene, const HieraWait *wait)
{
    gboolean has_causer = wait->causer != HIERA_NONE && hiera_scene_shows(scene, wait->causer);
    hiera_block_add(block, wait->class);
    hiera_block_add(block, hiera_minus(MAX(wait->begin_ns, scene->begin_ns), scene->begin_ns));
    hiera_block_add(block, hiera_scope_clip(scene->scope, wait->begin_ns, wait->end_ns));
    add_place(block, scene, wait->row);
    hiera_block_add(block, has_causer);
    if (has_causer)
        add_place(block, scene, wait->causer);
}

/* Make the block of some waits; they are sorted. Of many the longest are there, and those of rows that are known.
 * @param known  by row; NULL: none */
static GByteArray *make_waits(const HieraScene *scene, GPtrArray *order, const guint8 *known)
{
    GByteArray *block = g_byte_array_new();
    g_autoptr(GByteArray) list = g_byte_array_new();
    guint n = 0, totals[HIERA_N_WAITS] = {0};
    g_ptr_array_sort(order, compare_waits);
    for (guint i = 0; i < order->len; i++) {
        const HieraWait *wait = g_ptr_array_index(order, i);
        totals[wait->class]++;
        if (i >= MAX_WAITS && !(known && known[wait->row]))
            continue;
        add_wait(list, scene, wait);
        n++;
    }
    for (guint i = 0; i < HIERA_N_WAITS; i++)
        hiera_block_add(block, totals[i]);
    hiera_block_add(block, n);
    g_byte_array_append(block, list->data, list->len);
    return block;
}

/* The waits from a place on that the page shows. @param row  only of this one; HIERA_NONE: all */
static GPtrArray *choose_waits(const HieraScene *scene, const GArray *waits, guint first, guint32 row)
{
    GPtrArray *order = g_ptr_array_new();
    for (guint i = first; i < waits->len; i++) {
        HieraWait *wait = &g_array_index(waits, HieraWait, i);
        if (row != HIERA_NONE && wait->row != row)
            break;
        if (hiera_scene_shows(scene, wait->row) && hiera_scope_clip(scene->scope, wait->begin_ns, wait->end_ns) > 0)
            g_ptr_array_add(order, wait);
    }
    return order;
}

void hiera_page_waits_write(const HieraScene *scene, const GArray *waits, const guint8 *known, FILE *stream)
{
    g_autoptr(GPtrArray) order = choose_waits(scene, waits, 0, HIERA_NONE);
    g_autoptr(GByteArray) block = make_waits(scene, order, known);
    hiera_block_write(block->data, block->len, stream, "waits");
}

GByteArray *hiera_page_waits_of(const HieraScene *scene, const GArray *waits, guint32 row)
{
    guint low = 0, high = waits->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(waits, HieraWait, middle).row < row)
            low = middle + 1;
        else
            high = middle;
    }
    g_autoptr(GPtrArray) order = choose_waits(scene, waits, low, row);
    return make_waits(scene, order, NULL);
}
