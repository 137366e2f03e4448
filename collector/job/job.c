/* See job.h. */
#include "job.h"

HieraJob hiera_job = {.size = 1, .traced = 1};
