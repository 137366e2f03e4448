/* Several recorded runs, on other numbers of ranks. */
#ifndef HIERA_PREDICT_EXTRAPOLATION_H
#define HIERA_PREDICT_EXTRAPOLATION_H

#include "options.h"

/* Extrapolate them, and write the answer. @return the exit status (saying.h) */
int predict_other_ranks(const PredictOptions *options);

#endif
