/* Finds where a part of a run can end if ranks need not wait at a common collective: at a place in each rank, so that
 * the ranks' counts of messages and collectives agree. */
#pragma once

#include "part_reading.h"

typedef enum {
    PART_AGREEMENT_NOW,   /* a part can end where all ranks wait, or have been read to the end */
    PART_AGREEMENT_LATER, /* some ranks must read on: other ranks have already communicated further with them */
    PART_AGREEMENT_LAST,  /* only the last part can end: a rank that must read on has no more operations */
    PART_AGREEMENT_NEVER  /* a rank that must read on is not known */
} PartAgreement;

/* @param readings  PartReading, of all ranks; all wait or have been read */
PartAgreement part_agreement_find(const GPtrArray *readings, HieraCatalog *catalog);
