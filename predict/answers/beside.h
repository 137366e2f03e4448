/* Shows measures of hiera-transform for the recorded run and the predicted one side by side. */
#pragma once

#include "hiera_measure.h"
#include "predicted_times.h"

/* Find measures by their names, separated by commas.
 *
 * @param error  HIERA_GRAPH_ERROR_USE: there is no such measure, or it does not work on predicted times
 * @return HieraMeasure, in an array that does not own them */
GPtrArray *beside_find(const char *names, GError **error);

/* Make a table for each measure: its rows, with the recorded and the predicted value of each number; rows with most
 * time first. For efficiency: the factors of the whole run.
 *
 * @param run    its trace has the predicted times during the call
 * @param times  predicted times of the simulation
 * @param most   greatest number of rows of a table; 0: all
 * @param columns  receives GArray: columns, which the tables need as long as they exist
 * @param notes  receives char *: what is left out
 * @param error  HIERA_GRAPH_ERROR_USE: times of other threads are not predicted; or an error of the measure
 * @return HieraTable, in an array that owns them; NULL on error */
GPtrArray *beside_make_tables(RecordedRun *run, PredictedTimes *times, const HieraSimResult *result,
                              const GPtrArray *measures, guint most, GPtrArray *columns, GPtrArray *notes,
                              GError **error);
