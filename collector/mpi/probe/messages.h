/* Messages of MPI calls that a probe script observes become events of the script. */
#pragma once

#include "call_values.h"

/* Find the messages of an MPI call that begins, or has ended, and fire their events. `event`: the call's event. */
void hiera_messages_begin(const HieraCallEvent *event);
void hiera_messages_end(const HieraCallEvent *event);
