/* The units of the efficiencies: the outermost operations of a processor that are regions, each with its row. */
#pragma once

#include "efficiency_sums.h"

/* Rows first to end - 1 of the trace belong to a row of the answer. */
typedef struct {
    guint32 first, end;
    guint32 sums; /* index among the HieraEfficiencySums */
} HieraEfficiencyUnit;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraEfficiencyBy by;
    HieraTable *table; /* keeps names */
    GArray *sums;      /* HieraEfficiencySums */
    GArray *regions;   /* of efficiency_units.c */
    GArray *of_site;   /* guint32: index + 1 of the region, by site */
    GHashTable *names; /* name → index + 1 of the region */
} HieraEfficiencyRegions;

void hiera_efficiency_regions_init(HieraEfficiencyRegions *regions, const HieraTrace *trace, const HieraScope *scope,
                                   HieraEfficiencyBy by, HieraTable *table);
/* Free all but `sums`. */
void hiera_efficiency_regions_clear(HieraEfficiencyRegions *regions);

/* Find the units of a processor in the scope, and make their rows.
 * @param units  takes HieraEfficiencyUnit, by row */
void hiera_efficiency_units_find(HieraEfficiencyRegions *regions, guint32 processor, GArray *units);
