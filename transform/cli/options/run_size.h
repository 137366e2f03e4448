/* Whether a run is small enough to be read into memory by default. */
#pragma once

#include "hiera_load.h"

/* Whether the sizes of the files suggest at most about 3 million operations. */
gboolean run_is_small(const HieraRunPaths *run);
