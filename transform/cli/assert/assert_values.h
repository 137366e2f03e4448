/* Values of measures in rules, such as `job: efficiency.load_balance > 0.9`. */
#pragma once

#include "cli/options/options.h"

/* Compute the values of measures that the rules of the options ask for. @return  FALSE with an error if that is not
 * possible */
gboolean assert_values_answer(const Options *options, GError **error);

/* Send the values of process 0 to all other processes. */
void assert_values_tell(HieraRules *rules);
