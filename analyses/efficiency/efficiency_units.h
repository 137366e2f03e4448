/* The units of the efficiencies: the outermost operations of a processor that are regions, each with the index of its
 * row in the answer. */
#pragma once

#include "efficiency_sums.h"

/* One unit: an outermost region with all operations inside it, the rows first to end - 1 of the trace. */
typedef struct {
    guint32 first, end;
    guint32 sums; /* index of the unit's HieraEfficiencySums */
} HieraEfficiencyUnit;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraEfficiencyBy by;
    HieraTable *table; /* owns the names of regions */
    GArray *sums;      /* HieraEfficiencySums */
    GArray *regions;   /* Region of efficiency_units.c */
    GArray *of_site;   /* guint32 by HieraSite.id: index of the site's region + 1; 0: not looked up yet */
    GHashTable *names; /* name of a region → its index + 1 */
} HieraEfficiencyRegions;

void hiera_efficiency_regions_init(HieraEfficiencyRegions *regions, const HieraTrace *trace, const HieraScope *scope,
                                   HieraEfficiencyBy by, HieraTable *table);
/* Free all members except `sums`, which the caller keeps. */
void hiera_efficiency_regions_clear(HieraEfficiencyRegions *regions);

/* Find the units of a processor in the scope, and add the rows of the answer that they need.
 * @param units  receives HieraEfficiencyUnit, by row */
void hiera_efficiency_units_find(HieraEfficiencyRegions *regions, guint32 processor, GArray *units);
