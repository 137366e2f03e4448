/* The traces of a run are read, by several processes together. */
#pragma once

#include "run_state.h"

/* Read the traces; of several processes, bring the operations where they are needed. What the others have to do for
 * measures they do here. @param run  not yet set @return the number of processors that were read */
guint run_read_together(Run *run, const Options *options, GError **error);
