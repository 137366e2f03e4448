#include "counters.h"
#include "trace/catalog.h"
#include <math.h>
#include <string.h>

#define NUMBER_BYTES 64

void hiera_counters_declare(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *const *at = attributes->at;
    const HieraXmlAttribute *kind = at[HIERA_ATTRIBUTE_KIND];
    gboolean level = kind && hiera_attribute_length(kind) == strlen("level") &&
                     memcmp(kind->value, "level", hiera_attribute_length(kind)) == 0;
    if (!hiera_attribute_is_empty(at[HIERA_ATTRIBUTE_NAME]))
        hiera_catalog_counter(context->catalog, hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_NAME]),
                              hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_UNIT]), level);
}

/* Parse a number like "1.5", "-2e9" or "inf". Return FALSE if anything else is in the text. */
static gboolean parse_real(const char *text, gsize length, gdouble *value)
{
    char number[NUMBER_BYTES], *end;
    if (length == 0 || length >= sizeof number)
        return FALSE;
    memcpy(number, text, length);
    number[length] = '\0';
    *value = g_ascii_strtod(number, &end);
    return *end == '\0' && !g_ascii_isspace(number[0]);
}

/* Parse a word "name=value" at its last `=`, as names may have any characters but blanks. */
static gboolean read_word(HieraReadContext *context, const char *word, gsize length, HieraCounted *counted)
{
    gsize name = length;
    while (name > 0 && word[name - 1] != '=')
        name--;
    if (name < 2 || !parse_real(word + name, length - name, &counted->value))
        return FALSE;
    const char *interned = hiera_cache_intern(context->cache, word, name - 1);
    counted->counter = g_hash_table_lookup(context->counters, interned);
    if (!counted->counter) {
        counted->counter = hiera_catalog_counter(context->catalog, interned, "", FALSE);
        g_hash_table_insert(context->counters, (gpointer)interned, (gpointer)counted->counter);
    }
    return TRUE;
}

void hiera_counters_read_values(HieraReadContext *context, const HieraAttributes *attributes, HieraCountedVisit visit,
                                gpointer user)
{
    const HieraXmlAttribute *values = attributes->at[HIERA_ATTRIBUTE_VALUES];
    if (!values)
        return;
    for (const char *word = values->value; word < values->end;) {
        const char *blank = memchr(word, ' ', (gsize)(values->end - word)), *end = blank ? blank : values->end;
        HieraCounted counted = {.counter = NULL};
        gboolean known = end > word && read_word(context, word, (gsize)(end - word), &counted);
        if (known && !isnan(counted.value))
            visit(user, &counted);
        else if (!known && end > word)
            hiera_argument_complain(&context->place, HIERA_ATTRIBUTE_VALUES, values,
                                    "what is no value in it is ignored");
        word = blank ? blank + 1 : end;
    }
}
