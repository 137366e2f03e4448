/* Predicts a run on other numbers of ranks, from several recorded runs. */
#pragma once

#include "options.h"

/* Predict the run on other numbers of ranks, and write the answer. @return exit status (saying.h) */
int predict_other_ranks(const PredictOptions *options);
