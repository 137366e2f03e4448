/* See outlined.h. No instruction is decoded: four bytes that lead to the begin of a part are its address. */
#include "outlined.h"
#include "places.h"
#include "readable_name.h"
#include <string.h>

typedef struct {
    HieraFunctions *functions;
    HieraPlaces *places;
    GHashTable *sites; /* guint64: address of a part → guint64: where code has it; 0: not found yet, or named */
} Outlined;

static gboolean is_outlined(const char *name)
{
    return name && g_str_has_prefix(name, ".omp_");
}

/* Note whose address the four bytes at an address are: the distance of a call or jump, or of an operand relative to the
 * instruction's end; or the address itself. */
static void look_at(Outlined *outlined, const guint8 *bytes, guint64 address)
{
    const HieraObject *object = outlined->functions->object;
    gint32 number;
    memcpy(&number, bytes, sizeof number);
    number = GINT32_FROM_LE(number);
    gboolean is_relative = bytes[-1] == 0xe8 || bytes[-1] == 0xe9 || (bytes[-1] & 0xc7) == 0x05;
    guint64 target = is_relative ? address + 4 + (guint64)(gint64)number : (guint64)number;
    guint64 *site = is_relative || object->is_fixed ? g_hash_table_lookup(outlined->sites, &target) : NULL;
    if (site && *site == 0)
        *site = address;
}

static void find_sites(Outlined *outlined)
{
    const HieraObject *object = outlined->functions->object;
    for (guint i = 0; i < object->sections->len; i++) {
        const HieraCodeSection *section = &g_array_index(object->sections, HieraCodeSection, i);
        guint64 n = section->end - section->begin;
        const guint8 *bytes = hiera_object_bytes(object, section->begin, n, NULL);
        for (guint64 at = 1; bytes && at + 4 <= n; at++)
            look_at(outlined, bytes + at, section->begin + at);
    }
}

static void name_part(Outlined *outlined, HieraFunction *part);

/* Return the symbol of the function that has the address of a part, to be freed with g_free; NULL: not known. */
static char *find_owner(Outlined *outlined, const HieraFunction *part)
{
    guint64 *site = g_hash_table_lookup(outlined->sites, &part->address), address = *site;
    *site = 0; /* each part once, also if the addresses lead in a circle */
    HieraFunction *around = address != 0 ? hiera_functions_around(outlined->functions, address) : NULL;
    if (around && is_outlined(around->name))
        name_part(outlined, around);
    char *likely = around && !is_outlined(around->name) ? hiera_name_without_clone(around->name) : NULL;
    const char *symbol = outlined->places ? hiera_places_whole(outlined->places, part->address, likely) : NULL;
    if (!symbol)
        return likely;
    g_free(likely);
    return g_strdup(symbol);
}

static void name_part(Outlined *outlined, HieraFunction *part)
{
    g_autofree char *owner = is_outlined(part->name) ? find_owner(outlined, part) : NULL;
    if (!owner)
        return;
    g_auto(GStrv) words = g_strsplit(part->name, ".", -1); /* "", "omp_outlined", "", "3" */
    g_autoptr(GString) name = g_string_new(owner);
    for (guint i = 0; words[i]; i++)
        if (*words[i])
            g_string_append_printf(name, ".%s", words[i]);
    part->name = g_string_chunk_insert(outlined->functions->names, name->str);
}

void hiera_outlined_name(HieraFunctions *functions)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    Outlined outlined = {.functions = functions};
    for (guint i = 0; i < functions->functions->len; i++)
        if (is_outlined(((const HieraFunction *)functions->functions->pdata[i])->name))
            g_ptr_array_add(parts, functions->functions->pdata[i]);
    if (parts->len == 0 || functions->object->machine != HIERA_MACHINE_X86_64)
        return;
    outlined.sites = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    for (guint i = 0; i < parts->len; i++)
        g_hash_table_insert(outlined.sites, &((HieraFunction *)parts->pdata[i])->address, g_new0(guint64, 1));
    find_sites(&outlined);
    outlined.places = hiera_places_new_at(functions->object->path, functions->object->base);
    for (guint i = 0; i < parts->len; i++)
        name_part(&outlined, parts->pdata[i]);
    hiera_places_free(outlined.places);
    g_hash_table_unref(outlined.sites);
}
