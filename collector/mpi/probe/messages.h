/* Messages of observed calls become events of a probe script. */
#pragma once

#include "call_values.h"

/* A call begins, or has ended. `event` is the event of the call. */
void hiera_messages_begin(const HieraCallEvent *event);
void hiera_messages_end(const HieraCallEvent *event);
