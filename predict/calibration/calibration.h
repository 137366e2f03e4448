/* hiera-predict calibrate: measures the network between the first and the last process of a launcher of MPI, and fits
 * the parameters of the simulation to it. */
#ifndef HIERA_PREDICT_CALIBRATION_H
#define HIERA_PREDICT_CALIBRATION_H

#include "answers/answer.h"

/* All processes call it; the first one writes the file, and prints what was measured beside what the parameters say.
 * @param path  of the file
 * @return exit status, the same in all */
int calibration_run(const char *path, const AnswerShape *shape);

#endif
