/* Converts the events of one rank to elements of a trace. */
#pragma once

#include "rank.h"

/* Read the events of a process. */
void hiera_otf2_rank_init(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, const HieraOtf2Process *process);
void hiera_otf2_rank_clear(HieraOtf2Rank *rank);
