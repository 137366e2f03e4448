/* Makes the tables of the answer: recorded and predicted times side by side. */
#pragma once

#include "run/simulation.h"

/* Make the tables `prediction` (the run), `ranks` and `efficiency`.
 *
 * @param recorded    times of the whole run
 * @param simulation  simulation of the whole run
 * @return HieraTable, in an array that owns them */
GPtrArray *prediction_make_tables(const RecordedTimes *recorded, const RunSimulation *simulation);
