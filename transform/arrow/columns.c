/* See columns.h. Every array owns the buffers that were made for it, and keeps the run whose buffers it borrows. */
#include "columns.h"
#include <string.h>

/* What an array owns: bits that say which values are known, values, and of a dictionary its texts. */
typedef struct {
    const void *buffers[3];
    void *made[3]; /* those of the buffers that are freed with the array */
    HieraArrow *run;
} Owned;

static void free_children(struct ArrowArray **children, int64_t n, struct ArrowArray *dictionary)
{
    for (int64_t i = 0; i < n; i++) {
        if (children[i]->release)
            children[i]->release(children[i]);
        g_free(children[i]);
    }
    g_free(children);
    if (dictionary && dictionary->release)
        dictionary->release(dictionary);
    g_free(dictionary);
}

static void release_array(struct ArrowArray *array)
{
    Owned *owned = array->private_data;
    free_children(array->children, array->n_children, array->dictionary);
    for (guint i = 0; i < G_N_ELEMENTS(owned->made); i++)
        g_free(owned->made[i]);
    hiera_arrow_free(owned->run);
    g_free(owned);
    array->release = NULL;
}

static Owned *begin_array(gsize n_rows, gint64 n_buffers, struct ArrowArray *array)
{
    Owned *owned = g_new0(Owned, 1);
    *array = (struct ArrowArray){.length = (int64_t)n_rows,
                                 .n_buffers = n_buffers,
                                 .buffers = owned->buffers,
                                 .release = release_array,
                                 .private_data = owned};
    return owned;
}

void hiera_arrow_make_struct(gsize n_columns, gsize n_rows, struct ArrowArray *array)
{
    begin_array(n_rows, 1, array);
    array->n_children = (int64_t)n_columns;
    array->children = g_new(struct ArrowArray *, n_columns);
    for (gsize i = 0; i < n_columns; i++)
        array->children[i] = g_new0(struct ArrowArray, 1);
}

static void *own(Owned *owned, guint buffer, void *made)
{
    owned->buffers[buffer] = owned->made[buffer] = made;
    return made;
}

/* Say that the value of a row is not known. */
static void forget(Owned *owned, struct ArrowArray *array, gsize row)
{
    gsize bytes = (gsize)array->length / 8 + 1;
    if (!owned->made[0])
        memset(own(owned, 0, g_malloc(bytes)), 0xff, bytes);
    ((guint8 *)owned->made[0])[row / 8] &= (guint8) ~(1 << row % 8);
    array->null_count++;
}

/* --- numbers --- */

static gint64 get(const void *values, char format, gsize row)
{
    if (format == 'I')
        return ((const guint32 *)values)[row];
    return format == 'i' ? ((const gint32 *)values)[row] : ((const gint64 *)values)[row];
}

static void set(void *values, char format, gsize row, gint64 value)
{
    if (format == 'b')
        ((guint8 *)values)[row / 8] |= (guint8)((value != 0) << row % 8);
    else if (format == 'I' || format == 'i')
        ((guint32 *)values)[row] = (guint32)value;
    else
        ((gint64 *)values)[row] = value;
}

static gsize count_bytes(char format, gsize n_rows)
{
    if (format == 'b')
        return n_rows / 8 + 1;
    return n_rows * (format == 'I' || format == 'i' || format == 'u' ? sizeof(gint32) : sizeof(gint64));
}

static void borrow_numbers(const HieraArrowColumn *column, const HieraArrowRows *rows, HieraArrow *run,
                           struct ArrowArray *array)
{
    Owned *owned = array->private_data;
    const void *values = owned->buffers[1] = column->borrow(rows);
    owned->run = hiera_arrow_keep(run);
    if (column->none == HIERA_ARROW_NEVER_NONE)
        return;
    for (gsize i = 0; i < (gsize)array->length; i++)
        if (get(values, *column->format, i) == column->none || (column->is_none && column->is_none(rows, i)))
            forget(owned, array, i);
}

static gboolean is_none(const HieraArrowColumn *column, const HieraArrowRows *rows, gsize row, gint64 value)
{
    if (rows->values)
        return rows->values->known && !rows->values->known[row];
    return value == column->none && column->none != HIERA_ARROW_NEVER_NONE;
}

static void make_numbers(const HieraArrowColumn *column, HieraArrowRows *rows, struct ArrowArray *array)
{
    Owned *owned = array->private_data;
    gsize bytes = count_bytes(*column->format, (gsize)array->length);
    void *values = own(owned, 1, *column->format == 'b' ? g_malloc0(bytes) : g_malloc(MAX(bytes, 1)));
    for (gsize i = 0; i < (gsize)array->length; i++) {
        gint64 value = column->number(rows, i);
        gboolean none = is_none(column, rows, i, value);
        if (none)
            forget(owned, array, i);
        set(values, *column->format, i, none ? 0 : value);
    }
}

/* --- texts: each one is once in the dictionary of the column, in the order of the rows --- */

enum { UNSEEN = -1, NO_TEXT = -2 };

typedef struct {
    GHashTable *places; /* text → its place in the dictionary */
    GString *texts;     /* all texts, one behind the other */
    GArray *ends;       /* gint64: end of each text in `texts`; the first element is 0 */
    GArray *by_key;     /* gint32: place of the text of a key; UNSEEN, NO_TEXT */
} Texts;

/* Add a text, which is freed. Arrow demands UTF-8, which a path need not be. */
static gint32 add_text(Texts *texts, char *as_it_is)
{
    gpointer place;
    char *text = g_utf8_make_valid(as_it_is, -1);
    g_free(as_it_is);
    gboolean known = g_hash_table_lookup_extended(texts->places, text, NULL, &place);
    if (known) {
        g_free(text);
        return GPOINTER_TO_INT(place);
    }
    gint32 next = (gint32)texts->ends->len - 1;
    g_string_append(texts->texts, text);
    gint64 end = (gint64)texts->texts->len;
    g_array_append_val(texts->ends, end);
    g_hash_table_insert(texts->places, text, GINT_TO_POINTER(next));
    return next;
}

static gint32 find_text(Texts *texts, const HieraArrowColumn *column, const HieraArrowRows *rows, gsize key)
{
    const gint32 unseen = UNSEEN;
    while (texts->by_key->len <= key)
        g_array_append_val(texts->by_key, unseen);
    gint32 *place = &g_array_index(texts->by_key, gint32, key);
    if (*place != UNSEEN)
        return *place;
    char *text = column->text(rows, key);
    if (text && (*text || rows->values)) /* an empty text of a run is a missing one */
        return *place = add_text(texts, text);
    g_free(text);
    return *place = NO_TEXT;
}

static void make_places(Texts *texts, const HieraArrowColumn *column, HieraArrowRows *rows, struct ArrowArray *array)
{
    Owned *owned = array->private_data;
    gint32 *places = own(owned, 1, g_malloc(count_bytes('u', (gsize)array->length) + 1));
    for (gsize i = 0; i < (gsize)array->length; i++) {
        gint64 key = column->number(rows, i);
        places[i] = key == column->none ? NO_TEXT : find_text(texts, column, rows, (gsize)key);
        if (places[i] != NO_TEXT)
            continue;
        places[i] = 0;
        forget(owned, array, i);
    }
}

static void make_texts(const HieraArrowColumn *column, HieraArrowRows *rows, struct ArrowArray *array)
{
    const gint64 begin = 0;
    Texts texts = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), g_string_new(""),
                   g_array_new(FALSE, FALSE, sizeof(gint64)), g_array_new(FALSE, FALSE, sizeof(gint32))};
    g_array_append_val(texts.ends, begin);
    make_places(&texts, column, rows, array);
    array->dictionary = g_new0(struct ArrowArray, 1);
    Owned *owned = begin_array(texts.ends->len - 1, 3, array->dictionary);
    own(owned, 1, g_array_free(texts.ends, FALSE));
    own(owned, 2, g_string_free(texts.texts, FALSE));
    g_array_unref(texts.by_key);
    g_hash_table_unref(texts.places);
}

void hiera_arrow_make_column(const HieraArrowColumn *column, HieraArrowRows *rows, gsize n_rows, HieraArrow *run,
                             struct ArrowArray *array)
{
    begin_array(n_rows, 2, array);
    rows->at = 0;
    if (column->borrow)
        borrow_numbers(column, rows, run, array);
    else if (*column->format == 'u')
        make_texts(column, rows, array);
    else
        make_numbers(column, rows, array);
}
