/* hiera-predict calibrate: measures the network between the first and the last process of an MPI launch, and fits the
 * parameters of the simulation to it. */
#pragma once

#include "answers/answer.h"

/* To be called in all processes. The first one writes the file, and prints measured times beside those by the
 * parameters.
 * @param path  path of the file
 * @param turns  how often all sizes of messages are measured
 * @return exit status, the same in all processes */
int calibration_run(const char *path, guint turns, const AnswerShape *shape);
