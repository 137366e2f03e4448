/* Finds the measure that a word of --measure names, and lists all measures. */
#pragma once

#include "hiera_measure.h"

/* Return the measure with a name; NULL with an error that suggests the most similar name. */
const HieraMeasure *measure_names_find(const char *name, GError **error);
/* Write a list of all measures, with their explanations and columns, to a stream. */
void measure_names_list(FILE *stream);
