/* The block `hot`: the loops in which regions compute. */
#pragma once

#include "hiera_measure.h"

/* Write the block: empty if the run was not sampled, or if only a part of its time is shown. */
void hiera_hot_write(const HieraTrace *trace, const HieraScope *scope, FILE *stream);
