/* Whether a run is small enough to be read into memory without being asked for. */
#pragma once

#include "hiera_load.h"

/* Whether a run has at most about 3 million operations, as estimated from the sizes of its trace files. */
gboolean run_is_small(const HieraRunPaths *run);
