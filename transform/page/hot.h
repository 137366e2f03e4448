/* The page's block `hot`: the loops in which regions compute, by samples. */
#pragma once

#include "hiera_measure.h"

/* Write the block `hot`; empty if the run was not sampled, or if the page shows only a part of its time. */
void hiera_hot_write(const HieraTrace *trace, const HieraScope *scope, FILE *stream);
