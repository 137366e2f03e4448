/* Predicts other numbers of ranks from several recorded runs. */
#pragma once

#include "options.h"

/* Extrapolate the runs, and write the answer. @return the exit status (saying.h) */
int predict_other_ranks(const PredictOptions *options);
