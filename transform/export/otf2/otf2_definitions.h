/* Definitions for the whole archive: the clock, regions (call sites), hosts and processes. */
#pragma once

#include "otf2_writer.h"

/* Write the definitions for the whole archive. A processor's index in the trace is the number of its location group. */
void hiera_otf2_write_definitions(HieraOtf2Writer *writer);
