/* --probe: run a probe script over the events of the traces. */
#pragma once

#include "options.h"

/* Run the script of the options, and write its output. If there are several processes, all call this.
 *
 * @param whole  becomes FALSE if the output is incomplete: a clause of the script stopped, or there were too many keys
 * @return  FALSE with an error if the output cannot be written, or memory is short */
gboolean probe_option_run(const HieraMatch *match, const HieraScope *scope, const Options *options, gboolean *whole,
                          GError **error);
