#include "counter_cells.h"
#include <math.h>
#include <string.h>

static void note(GArray *around, guint32 depth, guint64 index, guint32 place)
{
    const HieraCountedPlace none = {HIERA_NO_PARENT, HIERA_NONE}, noted = {index, place};
    while (around->len <= depth)
        g_array_append_val(around, none);
    g_array_index(around, HieraCountedPlace, depth) = noted;
}

void hiera_counted_note(GArray *around, const HieraOperation *operation, guint32 place)
{
    note(around, operation->depth, operation->index, place);
}

/* A summed operation has no index, nor have the values of its counters, so they are found by depth. */
void hiera_counted_note_summed(GArray *around, guint32 depth, guint32 place)
{
    note(around, depth, HIERA_NO_PARENT, place);
}

guint32 hiera_counted_find(const GArray *around, const HieraCounted *counted)
{
    if (counted->depth >= around->len)
        return HIERA_NONE;
    const HieraCountedPlace *place = &g_array_index(around, HieraCountedPlace, counted->depth);
    return place->index == counted->index ? place->place : HIERA_NONE;
}

gint hiera_scope_find_counter(const HieraScope *scope, const HieraCounted *counted)
{
    for (guint i = 0; scope->options.counters && i < scope->options.counters->n; i++) {
        if (strcmp(scope->options.counters->names[i], counted->counter->name) == 0)
            return (gint)i;
    }
    return -1;
}

HieraCellType hiera_counter_cell_type(const HieraTraceCounter *counter)
{
    const char *unit = counter ? counter->unit : "";
    if (strcmp(unit, "B") == 0)
        return HIERA_CELL_BYTES;
    if (strcmp(unit, "ns") == 0)
        return HIERA_CELL_SECONDS;
    return strcmp(unit, "%") == 0 ? HIERA_CELL_PERCENT : HIERA_CELL_INTEGER;
}

/* 2^63, the smallest value that does not fit into gint64 */
#define TOO_LARGE 9223372036854775808.0

gint64 hiera_counter_cell(gdouble value, HieraCellType type)
{
    gdouble whole = round(type == HIERA_CELL_PERCENT ? value * 100 : value);
    return whole >= -TOO_LARGE && whole < TOO_LARGE ? (gint64)whole : HIERA_TOO_LARGE;
}

void hiera_counters_limit(const HieraScopeCounters *counters, const HieraCatalog *catalog, HieraTable *table)
{
    g_autoptr(GString) missing = g_string_new(NULL);
    for (guint i = 0; i < counters->n; i++) {
        if (!hiera_catalog_find_counter(catalog, counters->names[i]))
            g_string_append_printf(missing, "%s%s", missing->len > 0 ? ", " : "", counters->names[i]);
    }
    g_autofree char *sentence =
        missing->len > 0
            ? g_strdup_printf("the traces have no values of %s: were they recorded with HIERA_COUNTERS?", missing->str)
            : NULL;
    if (sentence)
        hiera_table_limit(table, HIERA_FINDING_VALUE, sentence);
}
