/** The list of samples of a processor, for measures over all ranks (HieraJobOps): a GArray of HieraSampled is their
 * state, or a part of it. */
#pragma once

#include "hiera_measure.h"
#include "hiera_pack.h"

/** Make an empty list of HieraSampled; to be freed with g_array_unref. */
GArray *hiera_sampled_list_new(void);

/** Pack a list for another process; unpack it there. */
void hiera_sampled_list_pack(const GArray *list, HieraPacker *to);
GArray *hiera_sampled_list_unpack(HieraUnpacker *from);

/** Return the samples of a trace, in the order of its processors, to be freed with g_array_unref. If there are several
 * processes, all call it, and process 0 gets the samples of all. */
GArray *hiera_sampled_gather(const HieraTrace *trace, const HieraScope *scope);
