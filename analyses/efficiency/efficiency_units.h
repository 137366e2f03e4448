/* The units of the efficiencies: the outermost operations of a processor that are regions, each with the index of its
 * row in the answer. */
#pragma once

#include "efficiency_sums.h"

/* One unit: the rows first to end - 1 of the trace, and the row of the answer that they belong to. */
typedef struct {
    guint32 first, end;
    guint32 sums; /* index into the array of HieraEfficiencySums */
} HieraEfficiencyUnit;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraEfficiencyBy by;
    HieraTable *table; /* owns the names */
    GArray *sums;      /* HieraEfficiencySums */
    GArray *regions;   /* entries defined in efficiency_units.c */
    GArray *of_site;   /* guint32, by call site: index + 1 of its region */
    GHashTable *names; /* name → index + 1 of the region */
} HieraEfficiencyRegions;

void hiera_efficiency_regions_init(HieraEfficiencyRegions *regions, const HieraTrace *trace, const HieraScope *scope,
                                   HieraEfficiencyBy by, HieraTable *table);
/* Free all members except `sums`. */
void hiera_efficiency_regions_clear(HieraEfficiencyRegions *regions);

/* Find the units of a processor in the scope, and add the rows of the answer that they need.
 * @param units  receives HieraEfficiencyUnit, by row */
void hiera_efficiency_units_find(HieraEfficiencyRegions *regions, guint32 processor, GArray *units);
