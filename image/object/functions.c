/* Lists functions. See functions.h. */
#include "functions.h"
#include <string.h>

static void free_function(gpointer data)
{
    HieraFunction *function = data;
    g_array_unref(function->ranges);
    g_array_unref(function->landings);
    g_free(function);
}

static HieraFunction *add_function(HieraFunctions *all, const HieraSymbol *symbol)
{
    HieraFunction *function = g_new0(HieraFunction, 1);
    const HieraCodeRange range = {symbol->address, symbol->address + symbol->size};
    function->address = symbol->address;
    function->named = symbol->name != NULL;
    function->name = symbol->name;
    if (!symbol->name) {
        g_autofree char *name =
            g_strdup_printf("function_at_%" G_GINT64_MODIFIER "x", symbol->address - all->object->base);
        function->name = g_string_chunk_insert(all->names, name);
    }
    function->ranges = g_array_new(FALSE, FALSE, sizeof(HieraCodeRange));
    function->landings = g_array_new(FALSE, FALSE, sizeof(HieraLanding));
    g_array_append_val(function->ranges, range);
    g_ptr_array_add(all->functions, function);
    return function;
}

/* Whether the first byte of a frame is part of a symbol, so that the frame begins no function. Symbols are sorted; @at
 * is the index of the first one that may reach the frame. */
static gboolean is_covered(const GArray *symbols, guint *at, const HieraSymbol *frame, guint64 *end)
{
    for (; *at < symbols->len; (*at)++) {
        const HieraSymbol *symbol = &g_array_index(symbols, HieraSymbol, *at);
        if (symbol->address > frame->address)
            break;
        *end = MAX(*end, symbol->address + MAX(symbol->size, 1));
    }
    return frame->address < *end;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const HieraFunction *x = *(HieraFunction *const *)a, *y = *(HieraFunction *const *)b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void list(HieraFunctions *all)
{
    const GArray *symbols = all->object->symbols, *frames = all->object->frames;
    for (guint i = 0; i < symbols->len; i++) {
        const HieraSymbol *symbol = &g_array_index(symbols, HieraSymbol, i);
        if (i == 0 || symbol->address != symbol[-1].address)
            add_function(all, symbol);
    }
    guint64 end = 0, last = G_MAXUINT64;
    for (guint i = 0, at = 0; i < frames->len; i++) {
        const HieraSymbol *frame = &g_array_index(frames, HieraSymbol, i);
        if (!is_covered(symbols, &at, frame, &end) && frame->address != last)
            add_function(all, frame);
        last = frame->address;
    }
    g_ptr_array_sort(all->functions, compare);
}

/* Find the end of each function: at the latest the begin of the next one, so that no byte of a damaged file is decoded
 * for several functions. */
static void find_ends(HieraFunctions *all)
{
    for (guint i = 0; i < all->functions->len; i++) {
        HieraFunction *function = all->functions->pdata[i];
        HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, 0);
        const HieraFunction *next = i + 1 < all->functions->len ? all->functions->pdata[i + 1] : NULL;
        if (range->end == range->begin)
            range->end = hiera_object_section(all->object, range->begin)->end;
        if (next)
            range->end = MIN(range->end, next->address);
    }
}

/* Length of the function's name in the name "name.cold" or "name.cold.3" of a part; 0 if the name is not of this form.
 */
static gsize is_part(const char *name)
{
    const char *cold = strstr(name, ".cold");
    return cold && cold > name && (cold[5] == '\0' || cold[5] == '.') ? (gsize)(cold - name) : 0;
}

static int compare_landings(gconstpointer a, gconstpointer b)
{
    const HieraLanding *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void hiera_function_join(HieraFunction *whole, HieraFunction *part)
{
    part->whole = whole;
    g_array_append_vals(whole->ranges, part->ranges->data, part->ranges->len);
    g_array_append_vals(whole->landings, part->landings->data, part->landings->len);
    g_array_sort(whole->landings, compare_landings);
    whole->has_lsda |= part->has_lsda;
    whole->bad_lsda |= part->bad_lsda;
}

/* Add parts to their functions. Symbols of parts are local: if several functions have the same name, the owner of a
 * part is not known; it stays a function of its own. */
static void join_parts(HieraFunctions *all)
{
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < all->functions->len; i++) {
        HieraFunction *function = all->functions->pdata[i];
        gboolean twice = g_hash_table_contains(by_name, function->name);
        g_hash_table_insert(by_name, (gpointer)function->name, twice ? NULL : function);
    }
    for (guint i = 0; i < all->functions->len; i++) {
        HieraFunction *function = all->functions->pdata[i];
        gsize n = function->named ? is_part(function->name) : 0;
        g_autofree char *name = n > 0 ? g_strndup(function->name, n) : NULL;
        HieraFunction *whole = name ? g_hash_table_lookup(by_name, name) : NULL;
        if (whole)
            hiera_function_join(whole, function);
    }
    hiera_functions_drop_parts(all);
}

/* Enter the names of exported functions into `by_name`; a function may have several. */
static void name_functions(HieraFunctions *all)
{
    for (guint i = 0; i < all->object->symbols->len; i++) {
        const HieraSymbol *symbol = &g_array_index(all->object->symbols, HieraSymbol, i);
        HieraFunction *function = symbol->global ? hiera_functions_at(all, symbol->address) : NULL;
        if (function)
            g_hash_table_insert(all->by_name, (gpointer)symbol->name, function);
    }
}

static void add_inside(HieraFunctions *all, guint64 address)
{
    if (hiera_object_section(all->object, address) && !hiera_functions_at(all, address))
        g_array_append_val(all->insides, address);
}

static int compare_addresses(gconstpointer a, gconstpointer b)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return x < y ? -1 : x > y;
}

/* Find addresses of code in the data that begin no function. In a position-independent file, every address in the data
 * has a relocation. In others any word may be an address. */
static void find_insides(HieraFunctions *all)
{
    GHashTableIter pointers;
    gpointer address;
    g_hash_table_iter_init(&pointers, all->object->pointers);
    while (g_hash_table_iter_next(&pointers, NULL, &address))
        add_inside(all, *(const guint64 *)address);
    for (guint i = 0; all->object->is_fixed && i < all->object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(all->object->segments, HieraSegment, i);
        for (gsize at = -segment->address & 7; at + 8 <= segment->n_bytes; at += 8) {
            guint64 word;
            memcpy(&word, segment->bytes + at, sizeof word);
            if (!hiera_object_section(all->object, segment->address + at))
                add_inside(all, GUINT64_FROM_LE(word));
        }
    }
    g_array_sort(all->insides, compare_addresses);
}

HieraFunctions *hiera_functions_new(HieraObject *object, GError **error)
{
    g_autoptr(HieraFunctions) all = g_new0(HieraFunctions, 1);
    all->object = object;
    all->functions = g_ptr_array_new_with_free_func(free_function);
    all->names = g_string_chunk_new(4096);
    all->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    all->insides = g_array_new(FALSE, FALSE, sizeof(guint64));
    list(all);
    find_ends(all);
    hiera_landings_read(all);
    join_parts(all);
    name_functions(all);
    find_insides(all);
    if (all->functions->len == 0) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s: has no functions: neither symbols nor .eh_frame name any",
                    object->path);
        return NULL;
    }
    return g_steal_pointer(&all);
}

void hiera_functions_free(HieraFunctions *functions)
{
    if (!functions)
        return;
    g_ptr_array_unref(functions->functions);
    g_string_chunk_free(functions->names);
    g_array_unref(functions->insides);
    g_hash_table_unref(functions->by_name);
    g_free(functions);
}

guint hiera_functions_number(const HieraFunctions *functions, guint64 address)
{
    guint low = 0, high = functions->functions->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const HieraFunction *function = functions->functions->pdata[middle];
        if (function->address == address)
            return middle;
        if (function->address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return G_MAXUINT;
}

HieraFunction *hiera_functions_at(const HieraFunctions *functions, guint64 address)
{
    guint number = hiera_functions_number(functions, address);
    return number == G_MAXUINT ? NULL : functions->functions->pdata[number];
}

HieraFunction *hiera_functions_around(const HieraFunctions *functions, guint64 address)
{
    guint low = 0, high = functions->functions->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (((HieraFunction *)functions->functions->pdata[middle])->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    HieraFunction *function = low > 0 ? functions->functions->pdata[low - 1] : NULL;
    return function && address < g_array_index(function->ranges, HieraCodeRange, 0).end ? function : NULL;
}

void hiera_functions_drop_parts(HieraFunctions *functions)
{
    GPtrArray *kept = g_ptr_array_new_with_free_func(free_function);
    g_ptr_array_set_free_func(functions->functions, NULL);
    for (guint i = 0; i < functions->functions->len; i++) {
        HieraFunction *function = functions->functions->pdata[i];
        if (function->whole)
            free_function(function);
        else
            g_ptr_array_add(kept, function);
    }
    g_ptr_array_unref(functions->functions);
    functions->functions = kept;
}

HieraFunction *hiera_functions_named(const HieraFunctions *functions, const char *name)
{
    return name ? g_hash_table_lookup(functions->by_name, name) : NULL;
}

guint hiera_functions_first_inside(const HieraFunctions *functions, guint64 address)
{
    guint low = 0, high = functions->insides->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(functions->insides, guint64, middle) < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

gboolean hiera_functions_inside_is_known(const HieraFunctions *functions, const HieraFunction *function)
{
    for (guint i = 0; i < function->ranges->len; i++) {
        const HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, i);
        guint first = hiera_functions_first_inside(functions, range->begin);
        if (first < functions->insides->len && g_array_index(functions->insides, guint64, first) < range->end)
            return TRUE;
    }
    return FALSE;
}

gboolean hiera_function_has(const HieraFunction *function, guint64 address)
{
    for (guint i = 0; i < function->ranges->len; i++) {
        const HieraCodeRange *range = &g_array_index(function->ranges, HieraCodeRange, i);
        if (address >= range->begin && address < range->end)
            return TRUE;
    }
    return FALSE;
}
