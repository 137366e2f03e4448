/* The file of --assert, and the values that its rules may ask for. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

/* Read rules. Their `${NAME}` are in the file that HIERA_VALUES names, or PA_CONFIG_FILE if there is no HIERA_VALUES.
 *
 * @return  the rules, to be freed by hiera_rules_free; NULL with an error if a file cannot be read or is wrong */
HieraRules *assert_file_read(const char *path, GError **error);
/* Read the values of `${NAME}`. @return  FALSE with an error; `values` stays NULL if no file is named */
gboolean assert_file_read_values(HieraRuleValues **values, GError **error);
/* Whether all rules hold, in the rows of the measure `assertions` that are about all ranks; what nobody knows does not,
 * nor does nothing at all. */
gboolean assert_rows_hold(const HieraTable *table);
