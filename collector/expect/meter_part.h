/* A thread's meter for the rules of one origin, and the numbers by which this meter knows regions and functions. */
#pragma once

#include "assertions/meter/meter.h"
#include "record/region_names.h"
#include "rules_from.h"
#include "write/level_ops.h"

/* Hash table by address: function → its number in the meter. */
typedef struct HieraFunctionSites {
    struct HieraFunctionSite *sites;
    size_t n, room;
} HieraFunctionSites;

/* A thread's meter for the rules of one origin. All fields are zero if there are no such rules. */
typedef struct HieraMeterPart {
    HieraRulesFrom from;
    HieraMeter *meter;
    uint32_t version;      /* version of the numbers by which the meter knows regions; older ones are asked for again */
    HieraCallMeter *calls; /* MPI function → its number in the meter */
    HieraFunctionSites functions;
    uint32_t n_around; /* number of open MPI calls whose callbacks call MPI at this point of the records */
} HieraMeterPart;

/* Set up a part, which owns the meter. @return  false if there is no memory: then the meter is freed */
bool hiera_meter_part_begin(HieraMeterPart *part, HieraRulesFrom from, HieraMeter *meter);
void hiera_meter_part_end(HieraMeterPart *part);
/* Forget the numbers of regions and functions, since rules were added and the meter has given new numbers. */
void hiera_meter_part_renumber(HieraMeterPart *part);

/* Return the number by which the meter knows a region, or a function; 0 if no rule is about it. */
uint32_t hiera_meter_part_region(HieraMeterPart *part, HieraName *name);
uint32_t hiera_meter_part_function(HieraMeterPart *part, const void *function);
