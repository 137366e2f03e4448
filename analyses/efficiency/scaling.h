/** The form of `efficiency` for several runs. */
#pragma once

#include "hiera_measure.h"

/** Words of --by. Those of one run begin with them. */
#define HIERA_SCALING_BY "run,region"

extern const HieraMeasure hiera_scaling;
