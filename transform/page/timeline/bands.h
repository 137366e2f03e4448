/* Collectives in the timeline, by level of detail: the longest are drawn as bands over the lanes of their members. */
#pragma once

#include "longest.h"

/* Find all collectives with several members, and their levels; details and on_demand as in hiera_longest_new().
 * @param scene  must outlive the result */
HieraLongest *hiera_bands_find(const HieraScene *scene, const GArray *details, gboolean on_demand);
