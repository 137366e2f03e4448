/* --validate for a run that is read in parts, with bounded memory. */
#pragma once

#include "hiera_measure.h"
#include "hiera_parts.h"

/* About how many operations are in memory at a time. */
#define CHECK_AT_ONCE 100000

/* Result of reading and checking a run. */
typedef struct {
    GArray *processors; /* array of HieraProcessor, as hiera_load() returns it */
    GPtrArray *tables;  /* HieraTable; NULL if not asked for */
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
