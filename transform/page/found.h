/* The block `found`: operations found by a search. */
#pragma once

#include "timeline/lanes.h"

/* Make the block, to be freed with g_byte_array_unref. O(operations).
 * @param chosen  by row: whether it is found */
GByteArray *hiera_found_make(const HieraScene *scene, const guint8 *chosen);

/* By row: whether its call site is one of some. To be freed. @param sites  n positions in the order of the scene */
guint8 *hiera_found_by_site(const HieraScene *scene, const guint32 *sites, guint n);
