/* Counts messages and collective calls before the begin of a trace that begins later (latest/). For HieraLevelOps. */
#pragma once

#include "write/trace_file.h"

/* Count the messages of a call that has ended, and keep its record if later calls refer to it. */
void hiera_call_count(const HieraThread *thread, const HieraRecord *record);

/* Declare the communicators of all channels; write the channels. If the list is incomplete, a channel that is not
 * written may have any number. */
void hiera_call_declare_channels(HieraTraceFile *stream);
void hiera_call_put_channels(HieraTraceFile *stream);
bool hiera_call_channels_are_complete(void);
