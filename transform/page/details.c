/* Writes details of operations. An operation has few arguments, so they are written as a list of pairs; names and texts
 * are numbered as they come. */
#include "details.h"
#include "arguments.h"
#include "base/block.h"
#include "base/json.h"
#include "base/parse_numbers.h"
#include "base/together.h"
#include "export/export_attributes.h"
#include "export/export_labels.h"
#include <string.h>

#define DIGITS_MAX 15 /* most digits of a number that browsers keep exactly */
#define MAX_WAITS  50000

/* State of collecting the details of single operations. */
typedef struct {
    const HieraScene *scene;
    HieraExportAttributes *attributes;
    HieraArguments *into; /* where arguments of the current rank are collected */
    GStringChunk *values; /* texts of counter values, which live as long as the arguments */
} Gathering;

static gboolean has_argument(const HieraExportArgument *arguments, guint n, const char *name)
{
    guint i = 0;
    while (i < n && strcmp(arguments[i].name, name) != 0)
        i++;
    return i < n;
}

/* Convert an attribute into an argument: a short number as a number, because that takes fewer bytes than a text. */
static HieraExportArgument as_argument(const HieraAttributeText *attribute)
{
    HieraExportArgument argument = {.name = attribute->name, .text = attribute->text};
    char plain[32];
    gsize length = strlen(attribute->text);
    if (length > DIGITS_MAX || !hiera_number_parse(attribute->text, length, &argument.number))
        return argument;
    g_snprintf(plain, sizeof plain, "%" G_GINT64_FORMAT, argument.number);
    if (strcmp(plain, attribute->text) == 0)
        argument.text = NULL;
    return argument;
}

/* Write the value of a counter, with its unit, into `text`. */
static void print_counted(const HieraCounted *counted, char *text, gsize size)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const char *unit = counted->counter->unit;
    g_ascii_formatd(number, sizeof number, "%.15g", counted->value);
    g_snprintf(text, size, "%s%s%s", number, *unit ? " " : "", unit);
}

static void add_counted(const Gathering *gathering, const HieraCounted *counted)
{
    char text[80];
    print_counted(counted, text, sizeof text);
    const HieraExportArgument argument = {.name = counted->counter->name,
                                          .text = g_string_chunk_insert_const(gathering->values, text)};
    hiera_arguments_add(gathering->into, argument.name, argument.text, argument.number);
}

/* Append a row: the number of its arguments, and each argument: those known to the measures, then other attributes, and
 * values of counters. */
static void add_operation(const Gathering *gathering, guint32 row)
{
    HieraExportArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(gathering->scene->match, row, arguments), n_texts = 0, n_others = 0;
    const HieraAttributeText *texts = hiera_export_attributes_peek(gathering->attributes, row, &n_texts);
    const HieraCounted *counted;
    guint n_counted = hiera_trace_peek_counted(gathering->scene->trace, row, &counted);
    for (guint i = 0; i < n_texts; i++)
        n_others += !has_argument(arguments, n, texts[i].name);
    hiera_arguments_begin(gathering->into, hiera_scene_number(gathering->scene, row), n + n_others + n_counted);
    for (guint i = 0; i < n; i++)
        hiera_arguments_add(gathering->into, arguments[i].name, arguments[i].text, arguments[i].number);
    for (guint i = 0; i < n_texts; i++) {
        const HieraExportArgument argument = as_argument(&texts[i]);
        if (!has_argument(arguments, n, argument.name))
            hiera_arguments_add(gathering->into, argument.name, argument.text, argument.number);
    }
    for (guint i = 0; i < n_counted; i++)
        add_counted(gathering, &counted[i]);
}

/* Return, by row, whether this process writes the operation's arguments; to be freed with g_free. */
static guint8 *choose_rows(const HieraScene *scene, const guint8 *known, gboolean all)
{
    const HieraTrace *trace = scene->trace;
    guint8 *rows = g_new0(guint8, (gsize)trace->n_operations + 1);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; hiera_scope_is_own(scene->scope, i) && row < of->first + of->n_operations; row++)
            rows[row] = all ? (guint8)hiera_scene_shows(scene, (guint32)row) : known[row];
    }
    return rows;
}

static void add_processor(Gathering *gathering, HieraArgumentsOfAll *of_all, guint32 processor, const guint8 *rows)
{
    const HieraProcessor *of = &gathering->scene->trace->processors[processor];
    gathering->into = hiera_arguments_of(of_all, processor);
    for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
        if (rows[row])
            add_operation(gathering, (guint32)row);
    }
}

void hiera_operations_write(const HieraScene *scene, const guint8 *known, FILE *stream)
{
    const HieraTrace *trace = scene->trace;
    gboolean all = hiera_scope_count_operations(scene->scope, trace) <= HIERA_ALL_OPERATIONS;
    g_autofree guint8 *rows = choose_rows(scene, known, all);
    g_autoptr(HieraExportAttributes) attributes = hiera_export_attributes_read(trace, rows);
    g_autoptr(GStringChunk) values = g_string_chunk_new(4096);
    HieraArgumentsOfAll *of_all = hiera_arguments_new(scene);
    Gathering gathering = {.scene = scene, .attributes = attributes, .values = values};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scene->scope, i))
            add_processor(&gathering, of_all, i, rows);
    }
    hiera_arguments_write(of_all, all, stream);
    hiera_arguments_free(of_all);
}

static void append_argument(GString *json, const HieraExportArgument *argument)
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
        const HieraExportArgument argument = {.name = counted[i].counter->name, .text = text};
        append_argument(json, &argument);
    }
}

GByteArray *hiera_operation_make(const HieraScene *scene, guint32 row)
{
    static const HieraExportArgument gone = {.name = "others", .text = "the trace has changed or is gone"};
    HieraExportArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(scene->match, row, arguments), n_texts;
    GString *json = g_string_new("[");
    g_autoptr(HieraExportAttributes) attributes = hiera_export_attributes_read_one(scene->trace, row);
    const HieraAttributeText *texts = hiera_export_attributes_peek(attributes, row, &n_texts);
    for (guint i = 0; i < n; i++)
        append_argument(json, &arguments[i]);
    for (guint i = 0; i < n_texts; i++) {
        const HieraExportArgument argument = as_argument(&texts[i]);
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

/* Compare two waits: the longer one comes first; of equally long ones the smaller row, then the earlier time. */
static gint compare_waits(gconstpointer a, gconstpointer b)
{
    const HieraWait *x = *(const HieraWait *const *)a, *y = *(const HieraWait *const *)b;
    if (length_of(x) != length_of(y))
        return length_of(x) > length_of(y) ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* Append where an operation is in the timeline: its number, lane, depth, call site and times. */
static void add_place(GByteArray *block, const HieraScene *scene, guint32 row)
{
    gint64 begin_ns = hiera_scene_start(scene, row);
    hiera_block_add(block, hiera_scene_number(scene, row));
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

/* A wait that one process has chosen, and where its bytes are in that process's list. */
typedef struct {
    gint64 length_ns, begin_ns;
    guint32 row; /* row of the waiting operation in a process that has all operations (hiera_scene_number) */
    guint32 known;
    guint64 first, n;
} Chosen;

/* Compare two chosen waits in the order of compare_waits(). */
static gint compare_chosen(gconstpointer a, gconstpointer b)
{
    const Chosen *x = a, *y = b;
    if (x->length_ns != y->length_ns)
        return x->length_ns > y->length_ns ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* Choose the longest waits, and all waits in known rows. @param list  gets the bytes of the chosen waits
 * @return GArray of Chosen */
static GArray *choose(const HieraScene *scene, const GPtrArray *order, const guint8 *known, GByteArray *list)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(Chosen));
    for (guint i = 0; i < order->len; i++) {
        const HieraWait *wait = g_ptr_array_index(order, i);
        Chosen one = {length_of(wait),           wait->begin_ns, hiera_scene_number(scene, wait->row),
                      known && known[wait->row], list->len,      0};
        if (i >= MAX_WAITS && !one.known)
            continue;
        add_wait(list, scene, wait);
        one.n = list->len - one.first;
        g_array_append_val(chosen, one);
    }
    return chosen;
}

/* Gather the chosen waits of all processes, and their bytes in `list`, which keep the order of the waits. */
static void gather_chosen(const HieraScene *scene, GArray *chosen, GByteArray *list)
{
    guint64 first = 0;
    hiera_scope_gather_array(scene->scope, scene->trace, chosen);
    hiera_page_gather_bytes(scene->scope, scene->trace, list);
    for (guint i = 0; i < chosen->len; i++) {
        Chosen *one = &g_array_index(chosen, Chosen, i);
        one->first = first;
        first += one->n;
    }
    g_array_sort(chosen, compare_chosen);
}

static GArray *count_classes(const HieraScene *scene, const GPtrArray *order)
{
    GArray *totals = g_array_new(FALSE, TRUE, sizeof(gint64));
    g_array_set_size(totals, HIERA_N_WAITS);
    for (guint i = 0; i < order->len; i++)
        g_array_index(totals, gint64, ((const HieraWait *)order->pdata[i])->class)++;
    hiera_scope_add_up(scene->scope, scene->trace, &g_array_index(totals, gint64, 0), totals->len);
    return totals;
}

/* Make the block of waits, which are sorted here. @param known  rows whose waits are all written; NULL: none */
static GByteArray *make_waits(const HieraScene *scene, GPtrArray *order, const guint8 *known)
{
    GByteArray *block = g_byte_array_new();
    g_autoptr(GByteArray) list = g_byte_array_new(), kept = g_byte_array_new();
    guint n = 0;
    g_ptr_array_sort(order, compare_waits);
    g_autoptr(GArray) totals = count_classes(scene, order), chosen = choose(scene, order, known, list);
    if (scene->scope->share.own)
        gather_chosen(scene, chosen, list);
    for (guint i = 0; i < chosen->len; i++) {
        const Chosen *one = &g_array_index(chosen, Chosen, i);
        if (i >= MAX_WAITS && !one->known)
            continue;
        g_byte_array_append(kept, list->data + one->first, (guint)one->n);
        n++;
    }
    for (guint i = 0; i < HIERA_N_WAITS; i++)
        hiera_block_add(block, g_array_index(totals, gint64, i));
    hiera_block_add(block, n);
    g_byte_array_append(block, kept->data, kept->len);
    return block;
}

/* Return the waits from index `first` on that the page shows. @param row  only waits in this row; HIERA_NONE: all */
static GPtrArray *choose_waits(const HieraScene *scene, const GArray *waits, guint first, guint32 row)
{
    GPtrArray *order = g_ptr_array_new();
    for (guint i = first; i < waits->len; i++) {
        HieraWait *wait = &g_array_index(waits, HieraWait, i);
        if (row != HIERA_NONE && wait->row != row)
            break;
        if (hiera_scene_owns(scene, wait->row) && hiera_scene_shows(scene, wait->row) &&
            hiera_scope_clip(scene->scope, wait->begin_ns, wait->end_ns) > 0)
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
