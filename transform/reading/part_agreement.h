/* Finds where a part of a run can end if ranks need not wait at a common collective: at a place in each rank, so that
 * the ranks' counts of messages and collectives agree. */
#pragma once

#include "part_reading.h"

typedef enum {
    PART_AGREEMENT_NOW,   /* the part can end where all ranks wait, or have been read to the end */
    PART_AGREEMENT_LATER, /* some ranks must read on, because other ranks have already communicated more with them */
    PART_AGREEMENT_LAST,  /* only the last part can still end, as a rank that must read on has no more operations */
    PART_AGREEMENT_NEVER  /* no part can end, as it is not known which rank must read on */
} PartAgreement;

/* Compare the counts of all ranks. @param readings  PartReading; each waits, or has been read to the end */
PartAgreement part_agreement_find(const GPtrArray *readings, HieraCatalog *catalog);
