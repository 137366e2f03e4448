/** The form of the measure `efficiency` that compares several runs. */
#pragma once

#include "hiera_measure.h"

/** Words of --by for several runs: the first of HIERA_EFFICIENCY_BY. */
#define HIERA_SCALING_BY "run,region"

extern const HieraMeasure hiera_scaling;
