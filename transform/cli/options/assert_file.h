/* Reads the file of --assert, and the file with the values of the rules' `${NAME}`. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

/* Read rules. The values of their `${NAME}` are in the file that HIERA_VALUES names, else in that of PA_CONFIG_FILE.
 *
 * @return  the rules, to be freed by hiera_rules_free; NULL with an error if a file cannot be read or is wrong */
HieraRules *assert_file_read(const char *path, GError **error);
/* Read the values of `${NAME}`; FALSE with an error. @param values  stays NULL if no variable names a file */
gboolean assert_file_read_values(HieraRuleValues **values, GError **error);
/* Whether all rules hold, according to the rows of the measure `assertions` for all ranks. FALSE if a result is
 * unknown, or if there are no rows. */
gboolean assert_rows_hold(const HieraTable *table);
