/* The answer: recorded and predicted times beside each other. */
#ifndef HIERA_PREDICT_PREDICTION_H
#define HIERA_PREDICT_PREDICTION_H

#include "run/simulation.h"

/* Make the tables `prediction` (the run), `ranks` and `efficiency`.
 *
 * @param recorded    of the whole run
 * @param simulation  of all of it
 * @return HieraTable, in an array that owns them */
GPtrArray *prediction_make_tables(const RecordedTimes *recorded, const RunSimulation *simulation);

#endif
