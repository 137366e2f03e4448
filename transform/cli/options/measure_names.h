/* The measures that --measure may name. */
#pragma once

#include "hiera_measure.h"

/* Return the measure with this name; NULL with an error that suggests the most similar name. */
const HieraMeasure *measure_names_find(const char *name, GError **error);
/* Write all measures with their explanations and columns. */
void measure_names_list(FILE *stream);
