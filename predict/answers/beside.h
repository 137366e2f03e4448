/* Measures of hiera-transform, of the recorded run and of the predicted one beside each other. */
#ifndef HIERA_PREDICT_BESIDE_H
#define HIERA_PREDICT_BESIDE_H

#include "hiera_measure.h"
#include "predicted_times.h"

/* Find measures by their names, separated by commas.
 *
 * @param error  HIERA_GRAPH_ERROR_USE: there is none, or it says nothing of predicted times
 * @return HieraMeasure, in an array that does not own them */
GPtrArray *beside_find(const char *names, GError **error);

/* Make a table for each measure: its rows, with each number as it was recorded and as it is predicted; the rows with
 * most time first. Of efficiency: the factors of the whole run.
 *
 * @param run    its trace has the predicted times meanwhile
 * @param times  of the simulation
 * @param most   rows of each table; 0: all
 * @param columns  receives GArray: what the tables need as long as they are there
 * @param notes  receives char *: what is left out
 * @param error  HIERA_GRAPH_ERROR_USE: the times of other threads are not predicted; or as of the measure
 * @return HieraTable, in an array that owns them; NULL on error */
GPtrArray *beside_make_tables(RecordedRun *run, PredictedTimes *times, const HieraSimResult *result,
                              const GPtrArray *measures, guint most, GPtrArray *columns, GPtrArray *notes,
                              GError **error);

#endif
