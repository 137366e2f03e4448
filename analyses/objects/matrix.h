/** Declarations shared by the files of the measure `matrix`. */
#pragma once

#include "measures.h"

/** --by collective: all ranks of a communicator exchange data, so it has no sender and no receiver. */
extern const HieraMeasure hiera_matrix_by_collective;
