/* Whether a run is small enough to be read into memory unasked. */
#ifndef HIERA_CLI_RUN_SIZE_H
#define HIERA_CLI_RUN_SIZE_H

#include "hiera_load.h"

/* By the sizes of its files: about 3 million operations. */
gboolean run_is_small(const HieraRunPaths *run);

#endif
