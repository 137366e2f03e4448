/** Declarations shared by the files of the measure `matrix`. */
#pragma once

#include "measures.h"

/** --by collective: has no columns for sender and receiver, because all ranks of a communicator exchange data. */
extern const HieraMeasure hiera_matrix_by_collective;
