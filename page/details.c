/* An operation has few arguments, so a mask says which follow. Their names and texts are numbered as they come. */
#include "details.h"
#include "block.h"
#include "export/export_attributes.h"
#include "export/export_labels.h"
#include "json.h"
#include <string.h>

#define DIGITS_MAX 15 /* of a number that a browser keeps exactly */
#define MAX_WAITS  50000

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

/* What the page has of single operations, while it is gathered. */
typedef struct {
    const HieraScene *scene;
    HieraAttributes *attributes;
    Numbered names, texts;
    GStringChunk *values; /* of counters, as texts */
} Gathering;

static gboolean has_argument(const HieraArgument *arguments, guint n, const char *name)
{
    guint i = 0;
    while (i < n && strcmp(arguments[i].name, name) != 0)
        i++;
    return i < n;
}

/* Append an argument: 2 x name and a text, or 2 x name + 1 and a number. */
static void add_argument(GByteArray *block, Gathering *gathering, const HieraArgument *argument)
{
    hiera_block_add(block, 2 * number_of(&gathering->names, argument->name) + (argument->text == NULL));
    if (argument->text)
        hiera_block_add(block, number_of(&gathering->texts, argument->text));
    else
        hiera_block_add_signed(block, argument->number);
}

/* An attribute as an argument; a short number as a number, because that takes less. */
static HieraArgument as_argument(const HieraAttributeText *attribute)
{
    HieraArgument argument = {.name = attribute->name, .text = attribute->text};
    char plain[32];
    if (strlen(attribute->text) > DIGITS_MAX ||
        !g_ascii_string_to_signed(attribute->text, 10, G_MININT64, G_MAXINT64, &argument.number, NULL))
        return argument;
    g_snprintf(plain, sizeof plain, "%" G_GINT64_FORMAT, argument.number);
    if (strcmp(plain, attribute->text) == 0)
        argument.text = NULL;
    return argument;
}

/* What a counter counted, with its unit. */
static void print_counted(const HieraCounted *counted, char *text, gsize size)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const char *unit = counted->counter->unit;
    g_ascii_formatd(number, sizeof number, "%.15g", counted->value);
    g_snprintf(text, size, "%s%s%s", number, *unit ? " " : "", unit);
}

static void add_counted(GByteArray *block, Gathering *gathering, const HieraCounted *counted)
{
    char text[80];
    print_counted(counted, text, sizeof text);
    const HieraArgument argument = {.name = counted->counter->name,
                                    .text = g_string_chunk_insert_const(gathering->values, text)};
    add_argument(block, gathering, &argument);
}

/* Append a row: how many arguments it has, and each: those that the measures know, then the other attributes, and what
 * counters counted. */
static void add_operation(GByteArray *block, Gathering *gathering, guint32 row)
{
    HieraArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(gathering->scene->match, row, arguments), n_texts = 0, n_others = 0;
    const HieraAttributeText *texts = hiera_attributes_peek(gathering->attributes, row, &n_texts);
    const HieraCounted *counted;
    guint n_counted = hiera_trace_peek_counted(gathering->scene->trace, row, &counted);
    for (guint i = 0; i < n_texts; i++)
        n_others += !has_argument(arguments, n, texts[i].name);
    hiera_block_add(block, n + n_others + n_counted);
    for (guint i = 0; i < n; i++)
        add_argument(block, gathering, &arguments[i]);
    for (guint i = 0; i < n_texts; i++) {
        const HieraArgument argument = as_argument(&texts[i]);
        if (!has_argument(arguments, n, argument.name))
            add_argument(block, gathering, &argument);
    }
    for (guint i = 0; i < n_counted; i++)
        add_counted(block, gathering, &counted[i]);
}

/* By row whether the page has its arguments; to be freed. */
static guint8 *choose_rows(const HieraScene *scene, const guint8 *known, gboolean all)
{
    guint8 *rows = g_memdup2(known, (gsize)scene->trace->n_operations + 1);
    for (guint32 row = 0; all && row < scene->trace->n_operations; row++)
        rows[row] = hiera_scene_shows(scene, row);
    return rows;
}

void hiera_operations_write(const HieraScene *scene, const guint8 *known, FILE *stream)
{
    g_autoptr(GByteArray) block = g_byte_array_new();
    g_autoptr(GString) json = g_string_new("{");
    gboolean all = scene->trace->n_operations <= HIERA_ALL_OPERATIONS;
    guint32 last = 0;
    g_autofree guint8 *rows = choose_rows(scene, known, all);
    g_autoptr(HieraAttributes) attributes = hiera_attributes_read(scene->trace, rows);
    g_autoptr(GStringChunk) values = g_string_chunk_new(4096);
    Gathering gathering = {.scene = scene, .attributes = attributes, .values = values};
    numbered_init(&gathering.names);
    numbered_init(&gathering.texts);
    hiera_block_add(block, all);
    for (guint32 row = 0; row < scene->trace->n_operations; row++) {
        if (!rows[row])
            continue;
        hiera_block_add(block, row - last);
        add_operation(block, &gathering, row);
        last = row;
    }
    hiera_block_write(block->data, block->len, stream, "operations");
    numbered_end(&gathering.names, "names", json);
    numbered_end(&gathering.texts, "texts", json);
    g_string_append_c(json, '}');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "arguments");
}

static void append_argument(GString *json, const HieraArgument *argument)
{
    hiera_json_next(json);
    g_string_append_c(json, '[');
    hiera_json_text(json, argument->name);
    g_string_append_c(json, ',');
    if (argument->text)
        hiera_json_text(json, argument->text);
    else
        g_string_append_printf(json, "%" G_GINT64_FORMAT, argument->number);
    g_string_append_c(json, ']');
}

static void append_counted(GString *json, const HieraTrace *trace, guint32 row)
{
    const HieraCounted *counted;
    guint n = hiera_trace_peek_counted(trace, row, &counted);
    for (guint i = 0; i < n; i++) {
        char text[80];
        print_counted(&counted[i], text, sizeof text);
        const HieraArgument argument = {.name = counted[i].counter->name, .text = text};
        append_argument(json, &argument);
    }
}

GByteArray *hiera_operation_make(const HieraScene *scene, guint32 row)
{
    static const HieraArgument gone = {.name = "others", .text = "the trace has changed or is gone"};
    HieraArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(scene->match, row, arguments), n_texts;
    GString *json = g_string_new("[");
    g_autoptr(HieraAttributes) attributes = hiera_attributes_read_one(scene->trace, row);
    const HieraAttributeText *texts = hiera_attributes_peek(attributes, row, &n_texts);
    for (guint i = 0; i < n; i++)
        append_argument(json, &arguments[i]);
    for (guint i = 0; i < n_texts; i++) {
        const HieraArgument argument = as_argument(&texts[i]);
        if (!has_argument(arguments, n, argument.name))
            append_argument(json, &argument);
    }
    if (!texts)
        append_argument(json, &gone);
    append_counted(json, scene->trace, row);
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
