/* See definitions.h. Definitions are found by their number in hash tables. */
#include "definitions.h"

const char *hiera_otf2_archive_text(const HieraOtf2Archive *archive, OTF2_StringRef string)
{
    const char *text = g_hash_table_lookup(archive->strings, GSIZE_TO_POINTER(string));
    return text ? text : "";
}

gpointer hiera_otf2_archive_find(GHashTable *definitions, guint64 number)
{
    return g_hash_table_lookup(definitions, GSIZE_TO_POINTER(number));
}
