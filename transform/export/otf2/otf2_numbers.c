#include "otf2_numbers.h"
#include <string.h>

/* Tables of names, each with numbers from 0; both kinds of attributes share one. */
enum { STRINGS, ATTRIBUTES, METRICS, N_TABLES };

static const guint table_of[] = {[HIERA_OTF2_STRING] = STRINGS,
                                 [HIERA_OTF2_TEXT] = ATTRIBUTES,
                                 [HIERA_OTF2_NUMBER] = ATTRIBUTES,
                                 [HIERA_OTF2_METRIC] = METRICS};

struct HieraOtf2Numbers {
    GHashTable *numbers;        /* HieraOtf2Name → its number in this location; NULL after the last event */
    GPtrArray *names[N_TABLES]; /* by table: HieraOtf2Name, by number in this location */
    guint32 most_strings;
    HieraOtf2Reserve *reserve;
};

/* --- names of a process --- */

void hiera_otf2_names_init(HieraOtf2Names *names)
{
    for (guint i = 0; i < HIERA_OTF2_N_KINDS; i++)
        names->of[i] = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    names->fresh = NULL;
}

void hiera_otf2_names_clear(HieraOtf2Names *names)
{
    for (guint i = 0; i < HIERA_OTF2_N_KINDS; i++)
        g_hash_table_unref(names->of[i]);
}

HieraOtf2Name *hiera_otf2_names_find(HieraOtf2Names *names, HieraOtf2Kind kind, const char *text)
{
    HieraOtf2Name *name = g_hash_table_lookup(names->of[kind], text);
    if (name)
        return name;
    gsize bytes = strlen(text) + 1;
    name = g_malloc(sizeof *name + bytes);
    *name = (HieraOtf2Name){.kind = kind, .number = OTF2_UNDEFINED_UINT32};
    memcpy(name->text, text, bytes);
    g_hash_table_insert(names->of[kind], name->text, name);
    if (names->fresh)
        g_ptr_array_add(names->fresh, name);
    return name;
}

/* --- numbers of names in a location --- */

HieraOtf2Numbers *hiera_otf2_numbers_new(guint32 most_strings, HieraOtf2Reserve *reserve)
{
    HieraOtf2Numbers *numbers = g_new(HieraOtf2Numbers, 1);
    numbers->numbers = g_hash_table_new(NULL, NULL);
    numbers->most_strings = most_strings;
    numbers->reserve = reserve;
    for (guint i = 0; i < N_TABLES; i++)
        numbers->names[i] = g_ptr_array_new();
    return numbers;
}

void hiera_otf2_numbers_free(HieraOtf2Numbers *numbers)
{
    for (guint i = 0; i < N_TABLES; i++)
        g_ptr_array_unref(numbers->names[i]);
    hiera_otf2_numbers_end(numbers);
    g_free(numbers);
}

void hiera_otf2_numbers_end(HieraOtf2Numbers *numbers)
{
    g_clear_pointer(&numbers->numbers, g_hash_table_unref);
}

static guint32 find_number(HieraOtf2Numbers *numbers, HieraOtf2Name *name)
{
    GPtrArray *names = numbers->names[table_of[name->kind]];
    guint32 first = 0;
    gpointer found;
    if (g_hash_table_lookup_extended(numbers->numbers, name, NULL, &found))
        return GPOINTER_TO_UINT(found);
    if (name->kind == HIERA_OTF2_STRING && names->len == numbers->most_strings) {
        names = numbers->reserve->names;
        first = numbers->reserve->first;
    }
    g_hash_table_insert(numbers->numbers, name, GUINT_TO_POINTER(first + names->len));
    g_ptr_array_add(names, name);
    return first + names->len - 1;
}

guint32 hiera_otf2_number(HieraOtf2Numbers *numbers, HieraOtf2Name *name)
{
    if (name->last != numbers) {
        name->last_number = find_number(numbers, name);
        name->last = numbers;
    }
    return name->last_number;
}

static void write_table(const GPtrArray *names, OTF2_MappingType type, OTF2_DefWriter *definitions)
{
    g_autofree guint32 *numbers = g_new(guint32, names->len);
    for (guint i = 0; i < names->len; i++)
        numbers[i] = ((const HieraOtf2Name *)names->pdata[i])->number;
    OTF2_IdMap *map = OTF2_IdMap_CreateFromUint32Array(names->len, numbers, TRUE);
    if (!map)
        return; /* numbers in the location and in the archive are the same, so no mapping is needed */
    OTF2_DefWriter_WriteMappingTable(definitions, type, map);
    OTF2_IdMap_Free(map);
}

void hiera_otf2_numbers_write(const HieraOtf2Numbers *numbers, OTF2_DefWriter *definitions)
{
    static const OTF2_MappingType types[] = {
        [STRINGS] = OTF2_MAPPING_STRING, [ATTRIBUTES] = OTF2_MAPPING_ATTRIBUTE, [METRICS] = OTF2_MAPPING_METRIC};
    for (guint i = 0; i < N_TABLES; i++) {
        if (numbers->names[i]->len > 0)
            write_table(numbers->names[i], types[i], definitions);
    }
}
