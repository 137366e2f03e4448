/* --validate for a run that is read part after part, so that memory does not grow with it. */
#pragma once

#include "hiera_measure.h"
#include "hiera_parts.h"

/* Approximate number of operations per part, which are in memory at the same time. */
#define CHECK_AT_ONCE 100000

/* Result of reading and checking a run in parts. */
typedef struct {
    GArray *processors; /* HieraProcessor of the whole run, as hiera_load() returns them */
    GPtrArray *tables;  /* HieraTable: tables of the checks; NULL: not asked for */
} CheckedRun;

/* Read traces in parts, and check each part.
 *
 * @param how       options of reading; what a check needs is added to them
 * @param catalog   becomes the catalog of the traces, as far as a check needs it
 * @param findings  receives the findings
 * @param tables    whether to make tables
 * @param checked   set if all parts could be checked; its members are to be freed
 * @return FALSE if the run has to be read as a whole, with another catalog and other findings */
gboolean check_in_parts(const GPtrArray *paths, HieraPartsOptions how, HieraCatalog *catalog, HieraFindings *findings,
                        gboolean tables, CheckedRun *checked);
