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
            values->of[i].text = hiera_read_context_intern(context, found);
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
