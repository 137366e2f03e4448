/* --probe: a script asks the traces. */
#pragma once

#include "options.h"

/* Run the script of the options, and write what it prints to their output. Several processes call it together.
 *
 * @param whole  becomes FALSE if the script could not say all: of its clauses one stopped, or it had too many keys
 * @return  FALSE with an error if the output cannot be written, or memory is short */
gboolean probe_option_run(const HieraMatch *match, const HieraScope *scope, const Options *options, gboolean *whole,
                          GError **error);
