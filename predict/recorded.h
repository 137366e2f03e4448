/* Predicts a recorded run on another machine, with the same number of ranks. */
#pragma once

#include "options.h"

/* Predict the run, and write the answer. @return the exit status (saying.h) */
int predict_recorded(const PredictOptions *options);
