/* A region is found by the name of a call site; see efficiency_units.h. */
#include "efficiency_units.h"
#include "values/outermost.h"

typedef struct {
    const char *name;
    guint32 processor, n; /* processor that had the last unit, and number of its units so far */
    GArray *sums;         /* guint32 by iteration: index of its sums + 1; element 0: all iterations together */
} Region;

static void region_clear(gpointer region)
{
    g_array_unref(((Region *)region)->sums);
}

static void sums_clear(gpointer sums)
{
    hiera_efficiency_sums_clear(sums);
}

void hiera_efficiency_regions_init(HieraEfficiencyRegions *regions, const HieraTrace *trace, const HieraScope *scope,
                                   HieraEfficiencyBy by, HieraTable *table)
{
    *regions = (HieraEfficiencyRegions){trace,
                                        scope,
                                        by,
                                        table,
                                        g_array_new(FALSE, FALSE, sizeof(HieraEfficiencySums)),
                                        g_array_new(FALSE, FALSE, sizeof(Region)),
                                        g_array_new(FALSE, TRUE, sizeof(guint32)),
                                        g_hash_table_new(g_str_hash, g_str_equal)};
    g_array_set_clear_func(regions->regions, region_clear);
    g_array_set_clear_func(regions->sums, sums_clear);
}

void hiera_efficiency_regions_clear(HieraEfficiencyRegions *regions)
{
    g_array_unref(regions->regions);
    g_array_unref(regions->of_site);
    g_hash_table_unref(regions->names);
}

/* Return the name of the region of a call site. With --by run there is one region, named after the scope's level. */
static const char *name_of(const HieraEfficiencyRegions *regions, const HieraSite *site)
{
    if (regions->by == HIERA_EFFICIENCY_RUN)
        return hiera_table_keep(regions->table, regions->scope->level ? regions->scope->level : "");
    g_autofree char *name = g_strconcat(site->class_name, *site->class_name ? "::" : "", site->operation, NULL);
    return hiera_table_keep(regions->table, name);
}

static guint32 make_region(HieraEfficiencyRegions *regions, const HieraSite *site)
{
    const char *name = name_of(regions, site);
    guint32 place = GPOINTER_TO_UINT(g_hash_table_lookup(regions->names, name));
    if (place == 0) {
        Region region = {name, HIERA_NONE, 0, g_array_new(FALSE, TRUE, sizeof(guint32))};
        g_array_append_val(regions->regions, region);
        g_hash_table_insert(regions->names, (gpointer)name, GUINT_TO_POINTER(place = regions->regions->len));
    }
    return place;
}

static Region *find_region(HieraEfficiencyRegions *regions, const HieraSite *site)
{
    if (site->id >= regions->of_site->len)
        g_array_set_size(regions->of_site, site->id + 1);
    guint32 *place = &g_array_index(regions->of_site, guint32, site->id);
    if (*place == 0)
        *place = make_region(regions, site);
    return &g_array_index(regions->regions, Region, *place - 1);
}

/* Return the index of the sums to which the next unit at a call site belongs; make them if they are new. */
static guint32 find_sums(HieraEfficiencyRegions *regions, const HieraSite *site, guint32 processor)
{
    Region *region = find_region(regions, site);
    region->n = region->processor == processor ? region->n + 1 : 1;
    region->processor = processor;
    guint32 iteration = regions->by == HIERA_EFFICIENCY_ITERATION ? region->n : 0;
    if (iteration >= region->sums->len)
        g_array_set_size(region->sums, iteration + 1);
    guint32 *place = &g_array_index(region->sums, guint32, iteration);
    if (*place == 0) {
        HieraEfficiencySums sums = {
            .region = region->name, .iteration = iteration, .unsure_processor = HIERA_NONE, .processor = HIERA_NONE};
        g_array_append_val(regions->sums, sums);
        *place = regions->sums->len;
    }
    return *place - 1;
}

/* Whether a row is a unit: an operation that the scope selects; if it selects none, any but an MPI call. */
static gboolean is_unit(const HieraEfficiencyRegions *regions, guint32 row)
{
    const HieraTrace *trace = regions->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    return hiera_scope_accepts_row(regions->scope, trace, row) && (!site->mpi || hiera_scope_has_units(regions->scope));
}

void hiera_efficiency_units_find(HieraEfficiencyRegions *regions, guint32 processor, GArray *units)
{
    const HieraTrace *trace = regions->trace;
    const HieraProcessor *of = &trace->processors[processor];
    guint32 end = (guint32)(of->first + of->n_operations);
    HieraInside inside = HIERA_OUTSIDE;
    for (guint32 row = (guint32)of->first; row < end; row++) {
        gboolean was_inside = inside.depth != HIERA_NONE, in_scope;
        if (trace->thread[row] != 0 || hiera_inside_holds(&inside, trace->depth[row], 0))
            continue;
        if (was_inside)
            g_array_index(units, HieraEfficiencyUnit, units->len - 1).end = row;
        if (!is_unit(regions, row))
            continue;
        hiera_inside_enter(&inside, trace->depth[row], 0);
        in_scope = hiera_scope_touches(regions->scope, trace->start_ns[row], trace->finish_ns[row]);
        guint32 sums = find_sums(regions, hiera_trace_peek_site(trace, row), processor);
        HieraEfficiencyUnit unit = {row, end, in_scope ? sums : HIERA_NONE};
        g_array_append_val(units, unit);
    }
}
