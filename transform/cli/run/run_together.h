/* Reads the traces of a run, in one process or in several together. */
#pragma once

#include "run_state.h"

/* Read the traces; if there are several processes, move the operations to where they are needed. Processes other than 0
 * also do their part of the measures here. @param run  not yet set @return the number of processors that were read */
guint run_read_together(Run *run, const Options *options, GError **error);
