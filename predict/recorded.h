/* Predicts a recorded run on another machine, with the same number of ranks. */
#ifndef HIERA_PREDICT_RECORDED_H
#define HIERA_PREDICT_RECORDED_H

#include "options.h"

/* Predict the run, and write the answer. @return the exit status (saying.h) */
int predict_recorded(const PredictOptions *options);

#endif
