/* Values of measures that rules compare, as in `job: efficiency.load_balance > 0.9`. */
#pragma once

#include "cli/options/options.h"

/* Compute the values of measures that the rules of the options ask for. @return  FALSE with an error if that is not
 * possible */
gboolean assert_values_answer(const Options *options, GError **error);

/* Send the values that process 0 has computed to all other processes. All processes call it. */
void assert_values_share(HieraRules *rules);
