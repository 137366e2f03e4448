/* A recorded run elsewhere, on as many ranks as it had. */
#ifndef HIERA_PREDICT_RECORDED_H
#define HIERA_PREDICT_RECORDED_H

#include "options.h"

/* Predict it, and write the answer. @return the exit status (saying.h) */
int predict_recorded(const PredictOptions *options);

#endif
