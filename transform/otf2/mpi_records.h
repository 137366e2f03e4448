/* Converts MPI records among the events to attributes of the innermost operation, if that is such a call; else of a new
 * call without duration: tools that leave MPI calls out, or starts of persistent requests, have records without the
 * call. */
#pragma once

#include "calls.h"

/* Add the callbacks for MPI records; their user data is a HieraOtf2Calls. */
void hiera_otf2_records_register(OTF2_EvtReaderCallbacks *callbacks);
