/* See otf2_writer.h. An attribute of OTF2 has one type. Since values of one name are mostly numbers, and sometimes
 * words
 * (`dest="MPI_PROC_NULL"`), a name may be that of two attributes. */
#include "otf2_writer.h"
#include "base/parse_numbers.h"
#include "otf2/otf2_names.h"
#include <string.h>

OTF2_StringRef hiera_otf2_string(HieraOtf2Writer *writer, const char *text)
{
    gpointer found;
    if (g_hash_table_lookup_extended(writer->strings, text, NULL, &found))
        return GPOINTER_TO_UINT(found);
    guint number = g_hash_table_size(writer->strings);
    g_hash_table_insert(writer->strings, g_strdup(text), GUINT_TO_POINTER(number));
    OTF2_GlobalDefWriter_WriteString(writer->definitions, number, text);
    return number;
}

static OTF2_AttributeRef find_attribute(HieraOtf2Writer *writer, GHashTable *of_type, const char *name, OTF2_Type type)
{
    gpointer found;
    if (g_hash_table_lookup_extended(of_type, name, NULL, &found))
        return GPOINTER_TO_UINT(found);
    guint number = g_hash_table_size(writer->texts) + g_hash_table_size(writer->numbers);
    g_autofree char *full_name = g_strconcat(HIERA_OTF2_PREFIX, name, NULL);
    g_hash_table_insert(of_type, g_strdup(name), GUINT_TO_POINTER(number));
    OTF2_GlobalDefWriter_WriteAttribute(writer->definitions, number, hiera_otf2_string(writer, full_name),
                                        hiera_otf2_string(writer, ""), type);
    return number;
}

void hiera_otf2_add_number(HieraOtf2Writer *writer, const char *name, gint64 number)
{
    OTF2_AttributeList_AddInt64(writer->list, find_attribute(writer, writer->numbers, name, OTF2_TYPE_INT64), number);
}

/* Read a number that would be written in the same way: no other sign, no zeros before it. */
static gboolean read_number(const char *text, gint64 *number)
{
    char again[32];
    if (!hiera_number_parse(text, strlen(text), number))
        return FALSE;
    g_snprintf(again, sizeof again, "%" G_GINT64_FORMAT, *number);
    return strcmp(text, again) == 0;
}

void hiera_otf2_add_text(HieraOtf2Writer *writer, const char *name, const char *text)
{
    gint64 number;
    if (read_number(text, &number))
        hiera_otf2_add_number(writer, name, number);
    else
        OTF2_AttributeList_AddStringRef(writer->list, find_attribute(writer, writer->texts, name, OTF2_TYPE_STRING),
                                        hiera_otf2_string(writer, text));
}
