#include "job.h"

#include "base/kept.h"

HieraJob hiera_job HIERA_KEPT = {.size = 1, .traced = 1};
