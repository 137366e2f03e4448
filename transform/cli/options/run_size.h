/* Whether a run is small enough to be read into memory by default. */
#ifndef HIERA_CLI_RUN_SIZE_H
#define HIERA_CLI_RUN_SIZE_H

#include "hiera_load.h"

/* Whether the sizes of the files suggest at most about 3 million operations. */
gboolean run_is_small(const HieraRunPaths *run);

#endif
