/* Definitions for the whole archive: the clock, regions (call sites), hosts and processes. */
#pragma once

#include "otf2_writer.h"

/* Write these definitions. The location group of a processor has its index in the trace. */
void hiera_otf2_write_definitions(HieraOtf2Writer *writer);
