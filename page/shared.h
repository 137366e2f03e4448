/* Pictures of which several processes make a part each, before one of them has all operations. */
#ifndef HIERA_SHARED_H
#define HIERA_SHARED_H

#include "levels.h"
#include "page.h"
#include "sums.h"

struct HieraPageShared {
    GArray *details;  /* HieraDetail: the levels that the page has */
    GString *tiles;   /* their elements */
    GByteArray *heat; /* the block */
    HieraTree *tree;
};

#endif
