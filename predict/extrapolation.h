/* Predicts other numbers of ranks from several recorded runs. */
#ifndef HIERA_PREDICT_EXTRAPOLATION_H
#define HIERA_PREDICT_EXTRAPOLATION_H

#include "options.h"

/* Extrapolate the runs, and write the answer. @return the exit status (saying.h) */
int predict_other_ranks(const PredictOptions *options);

#endif
