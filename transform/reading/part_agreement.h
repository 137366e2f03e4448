/* Where the parts of a run can end that need not end together: at a place of each rank, so that what ranks have done
 * with each other up to there agrees. */
#ifndef HIERA_PART_AGREEMENT_H
#define HIERA_PART_AGREEMENT_H

#include "part_reading.h"

typedef enum {
    PART_AGREEMENT_NOW,   /* a part can end where all ranks wait, or have been read */
    PART_AGREEMENT_LATER, /* some ranks have needs: what others have done with them already */
    PART_AGREEMENT_LAST,  /* no part ends any more but the last one: a rank that has needs has been read */
    PART_AGREEMENT_NEVER  /* a rank that is needed is not known */
} PartAgreement;

/* @param readings  PartReading, of all ranks; all wait or have been read */
PartAgreement part_agreement_find(const GPtrArray *readings, HieraCatalog *catalog);

#endif
