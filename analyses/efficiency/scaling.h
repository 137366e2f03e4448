/** The form of the measure `efficiency` for several runs. */
#pragma once

#include "hiera_measure.h"

/** Words of --by for several runs. The words for one run begin with the same. */
#define HIERA_SCALING_BY "run,region"

extern const HieraMeasure hiera_scaling;
