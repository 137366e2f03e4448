/* The meter of a thread for the rules of one origin, and the numbers that it has given to operations. */
#ifndef HIERA_METER_PART_H
#define HIERA_METER_PART_H

#include "assertions/meter/meter.h"
#include "record/region_names.h"
#include "rules_from.h"
#include "write/level_ops.h"

/* Functions and their numbers in the meter, hashed by address. */
typedef struct HieraFunctionSites {
    struct HieraFunctionSite *sites;
    size_t n, room;
} HieraFunctionSites;

/* All zero: there are no such rules. */
typedef struct HieraMeterPart {
    HieraRulesFrom from;
    HieraMeter *meter;
    uint32_t version;      /* of the numbers that it has given to operations */
    HieraCallMeter *calls; /* those of MPI functions */
    HieraFunctionSites functions;
    uint32_t n_around; /* MPI calls that are open, since calls in their callbacks are told */
} HieraMeterPart;

/* Begin with a meter, which the part owns. @return  false if there is no memory: then it is freed */
bool hiera_meter_part_begin(HieraMeterPart *part, HieraRulesFrom from, HieraMeter *meter);
void hiera_meter_part_end(HieraMeterPart *part);
/* Forget which numbers operations had. */
void hiera_meter_part_renumber(HieraMeterPart *part);

/* The numbers of a region and of a function; 0 if no rule concerns it. */
uint32_t hiera_meter_part_region(HieraMeterPart *part, HieraName *name);
uint32_t hiera_meter_part_function(HieraMeterPart *part, const void *function);

#endif
