/* The page's block `found`: operations found by a search. */
#pragma once

#include "timeline/lanes.h"

/* Make the block `found`, to be freed with g_byte_array_unref. O(operations).
 * @param chosen  by row: whether the operation was found */
GByteArray *hiera_found_make(const HieraScene *scene, const guint8 *chosen);

/* Return by row whether the call site is one of `sites`; to be freed. @param sites  n positions in HieraScene.order */
guint8 *hiera_found_by_site(const HieraScene *scene, const guint32 *sites, guint n);
