/** Results of assertions in the source on all ranks, as rows of the measure `assertions`. Each rank finds
 * them in its own order; assertions with the same place and text are one. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

typedef struct HieraSourceRows HieraSourceRows;

/** @param by_rank  whether hiera_source_rows_write also adds a row for each rank */
HieraSourceRows *hiera_source_rows_new(gboolean by_rank);
void hiera_source_rows_free(HieraSourceRows *rows);

/** Add the verdicts of a rank on an assertion. Call it for ranks in ascending order. The texts are copied. */
void hiera_source_rows_add(HieraSourceRows *rows, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts,
                           gint64 rank);

/** Add a row for each assertion to a table, sorted by file and line. */
void hiera_source_rows_write(HieraSourceRows *rows, HieraTable *table);
