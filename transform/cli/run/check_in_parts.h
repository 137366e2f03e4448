/* --validate of a run that is read in parts: memory does not grow with it. */
#pragma once

#include "hiera_measure.h"
#include "hiera_parts.h"

/* About so many operations are in memory. */
#define CHECK_AT_ONCE 100000

/* What there is of a run that has been read. */
typedef struct {
    GArray *processors; /* as hiera_load() returns them */
    GPtrArray *tables;  /* HieraTable; NULL: nobody asks */
} CheckedRun;

/* Read traces and check them.
 *
 * @param how       without what has to be so for a check
 * @param catalog   takes what it does of the traces
 * @param findings  takes what is found
 * @param tables    whether to make tables
 * @param checked   is set if all parts could be checked; its members are to be freed
 * @return FALSE if the run has to be read as a whole, with another catalog and other findings */
gboolean check_in_parts(const GPtrArray *paths, HieraPartsOptions how, HieraCatalog *catalog, HieraFindings *findings,
                        gboolean tables, CheckedRun *checked);
