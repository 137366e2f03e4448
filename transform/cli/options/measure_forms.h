/* Selects the form of each measure, by the word of --by and by the number of runs. */
#pragma once

#include "hiera_measure.h"

/* Replace measures by their forms.
 * @param measures   const HieraMeasure *
 * @param arguments  traces and folders that the user named, NULL-terminated; may be NULL
 * @param other      the first option that asks for something other than measures; NULL if there is none
 * @return           false with an error if a measure has no form for this command */
gboolean measure_forms_choose(GPtrArray *measures, const HieraScope *scope, const char *const *arguments,
                              const char *other, GError **error);
/* Whether one of the measures compares several runs. */
gboolean measures_compare_runs(const GPtrArray *measures);
