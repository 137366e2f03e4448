/* Converts the events of one rank to elements of a trace, in memory. */
#pragma once

#include "rank.h"

/* Read all events of a process into a HieraOtf2Rank. */
void hiera_otf2_rank_init(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, const HieraOtf2Process *process);
void hiera_otf2_rank_clear(HieraOtf2Rank *rank);
