/* The meter of a thread for the rules of one origin, and the numbers that the meter has given to operations. */
#pragma once

#include "assertions/meter/meter.h"
#include "record/region_names.h"
#include "rules_from.h"
#include "write/level_ops.h"

/* Functions and their numbers in the meter, hashed by address. */
typedef struct HieraFunctionSites {
    struct HieraFunctionSite *sites;
    size_t n, room;
} HieraFunctionSites;

/* All fields are zero if there are no rules of this origin. */
typedef struct HieraMeterPart {
    HieraRulesFrom from;
    HieraMeter *meter;
    uint32_t version;      /* version of the numbers that the meter has given to operations */
    HieraCallMeter *calls; /* the meter's numbers of MPI functions */
    HieraFunctionSites functions;
    uint32_t n_around; /* number of open MPI calls whose callbacks' calls are being passed to the meter */
} HieraMeterPart;

/* Begin with a meter, which the part owns. @return  false if there is no memory: then the meter is freed */
bool hiera_meter_part_begin(HieraMeterPart *part, HieraRulesFrom from, HieraMeter *meter);
void hiera_meter_part_end(HieraMeterPart *part);
/* Forget the numbers of operations: the meter has given new ones. */
void hiera_meter_part_renumber(HieraMeterPart *part);

/* The meter's number of a region, and of a function; 0 if no rule concerns it. */
uint32_t hiera_meter_part_region(HieraMeterPart *part, HieraName *name);
uint32_t hiera_meter_part_function(HieraMeterPart *part, const void *function);
