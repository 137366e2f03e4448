/* The measures that --measure may name. */
#pragma once

#include "hiera_measure.h"

/* Return a measure by its name; NULL with an error that names the nearest one. */
const HieraMeasure *measure_names_find(const char *name, GError **error);
/* Write all measures with their explanations and columns. */
void measure_names_list(FILE *stream);
