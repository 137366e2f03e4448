#include "attribute_values.h"
#include "base/findings.h"
#include "base/parse_numbers.h"
#include "types.h"
#include <string.h>

#define MPI_WORD "MPI_" /* begin of words in place of a number without meaning, like MPI_UNDEFINED */

static gboolean parse(const HieraAttributeColumn *column, const char *text, gsize length, gint64 *number)
{
    gint32 special;
    if (column->type == HIERA_AS_SECONDS)
        return hiera_seconds_parse(text, length, number);
    if (hiera_number_parse(text, length, number))
        return TRUE;
    if (column->type != HIERA_AS_RANK || !hiera_vocabulary_special(text, length, &special))
        return FALSE;
    *number = special;
    return TRUE;
}

static void complain(const HieraPlace *place, const char *name)
{
    hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, name,
                       "%s is no number; it counts as missing", name);
}

/* Whether the element says that the program itself used memory of an MPI call. */
static gboolean is_access(const HieraAttributes *attributes)
{
    const HieraXmlAttribute *level = attributes->at[HIERA_ATTRIBUTE_LEVEL];
    gsize length = strlen(HIERA_LEVEL_ACCESS);
    return level && hiera_attribute_length(level) == length && memcmp(level->value, HIERA_LEVEL_ACCESS, length) == 0;
}

/* --- the memory of calls --- */

/* The frame of the function that made a call: "f:app+0x11f3,7ffc20,7ffc80". */
typedef struct {
    char *place;
    gint64 stack_pointer, frame_pointer;
} Frame;

static gboolean read_frame(const char *word, Frame *frame)
{
    g_auto(GStrv) parts = g_strsplit(word + 2, ",", 3);
    if (g_strv_length(parts) != 3)
        return FALSE;
    frame->place = g_strdup(parts[0]);
    frame->stack_pointer = (gint64)g_ascii_strtoull(parts[1], NULL, 16);
    frame->frame_pointer = (gint64)g_ascii_strtoull(parts[2], NULL, 16);
    return TRUE;
}

static void put_variable(GString *text, gint64 begin, gint64 bytes, const char *name)
{
    g_autofree char *word = g_strdelimit(g_strdup(name), " ", '_');
    g_string_append_printf(text, "@%" G_GINT64_MODIFIER "x+%" G_GINT64_FORMAT "=%s", (guint64)begin, bytes, word);
}

/* Append a word like "r:55d0+4@app+0x4060", with the variable in place of the place: "r:55d0+4@55d0+4=count". */
static void put_buffer(GString *text, HieraObjects *objects, const char *word, const Frame *frame)
{
    const char *at = strchr(word, '@');
    gint64 address = strlen(word) > 2 ? (gint64)g_ascii_strtoull(word + 2, NULL, 16) : 0, begin = 0, bytes = 0;
    g_string_append_len(text, word, at && strstr(at, "+0x") ? at - word : (gssize)strlen(word));
    if (at && strstr(at, "+0x")) {
        g_autofree char *name = hiera_objects_find_variable(objects, at + 1, &begin, &bytes);
        if (name)
            put_variable(text, address - begin, bytes, name);
    } else if (!at && frame->place && strchr("rwx", word[0]) && !strpbrk(word, "!?")) {
        const char *name = hiera_objects_find_local(objects, frame->place, frame->stack_pointer, frame->frame_pointer,
                                                    address, &begin, &bytes);
        if (name)
            put_variable(text, begin, bytes, name);
    }
}

/* Return a text about the memory of a call with the variables in which it lies. */
static const char *name_variables(HieraReadContext *context, const char *buffers)
{
    const char *known = g_hash_table_lookup(context->buffers, buffers);
    if (known || !strpbrk(buffers, "@f"))
        return known ? known : buffers;
    g_auto(GStrv) words = g_strsplit(buffers, " ", -1);
    g_autoptr(GString) text = g_string_new(NULL);
    Frame frame = {NULL, 0, 0};
    guint n = g_strv_length(words);
    gboolean has_frame = n > 0 && g_str_has_prefix(words[n - 1], "f:") && read_frame(words[n - 1], &frame);
    for (guint i = 0; i < n - has_frame; i++) {
        if (i > 0)
            g_string_append_c(text, ' ');
        put_buffer(text, context->objects, words[i], &frame);
    }
    g_free(frame.place);
    known = hiera_cache_intern(context->cache, text->str, text->len);
    g_hash_table_insert(context->buffers, (gpointer)buffers, (gpointer)known);
    return known;
}

/* --- values --- */

static const char *read_text(HieraReadContext *context, const HieraAttributeColumn *column,
                             const HieraXmlAttribute *found)
{
    const char *text = hiera_read_context_intern(context, found);
    return column->number == HIERA_ATTRIBUTE_BUFFERS ? name_variables(context, text) : text;
}

void hiera_attribute_values_read(HieraReadContext *context, const HieraAttributes *attributes,
                                 const HieraXmlAttribute *all, guint n, const HieraOperation *operation,
                                 HieraAttributeValues *values)
{
    values->present = 0;
    for (guint i = 0; i < hiera_attribute_columns_count(); i++) {
        const HieraAttributeColumn *column = hiera_attribute_columns_peek(i);
        const HieraXmlAttribute *found = attributes->at[column->number];
        if (column->number == HIERA_ATTRIBUTE_BUFFERS && !found && is_access(attributes))
            found = attributes->at[HIERA_ATTRIBUTE_ARGS];
        if (column->number == HIERA_ATTRIBUTE_SIGNATURE && operation) {
            /* calls have no signature of their own, but that of their datatypes, and other data of the call */
            values->of[i].text = hiera_types_read_data(context, attributes, all, n, operation);
            values->present |= values->of[i].text ? 1u << i : 0;
            continue;
        }
        if (!found || column->of_processor != !operation)
            continue;
        gsize length = hiera_attribute_length(found);
        gboolean valid = TRUE;
        if (length == 0 && column->type != HIERA_AS_TEXT)
            continue;
        if (column->type == HIERA_AS_TEXT)
            values->of[i].text = read_text(context, column, found);
        else
            valid = parse(column, found->value, length, &values->of[i].number);
        values->present |= valid ? 1u << i : 0;
        if (!valid && (length < strlen(MPI_WORD) || memcmp(found->value, MPI_WORD, strlen(MPI_WORD)) != 0))
            complain(&context->place, column->name);
    }
}

guint hiera_attribute_values_list(const HieraAttributeValues *values, guint64 index, HieraAttributeValue *list)
{
    guint n = 0;
    for (guint i = 0; i < hiera_attribute_columns_count(); i++) {
        gboolean text = hiera_attribute_columns_peek(i)->type == HIERA_AS_TEXT;
        if (values->present >> i & 1)
            list[n++] =
                (HieraAttributeValue){0, i, index, text ? 0 : values->of[i].number, text ? values->of[i].text : NULL};
    }
    return n;
}
