/* The process that listens for all processes of its job on this host; these and hiera-run connect to it. */
#pragma once

#include "attach_message.h"
#include "attach_words.h"

/* Serve orders until `listening` is shut down. `settled` is called once, some tenths of a second after the begin. */
void hiera_attach_listen(const HieraAttachEnd *listening, HieraAttachObey *obey, void (*settled)(void));

/* Shut down all connections, so that the members notice the end. Safe in a signal handler. @return  whether some
 * members have not hung up yet */
bool hiera_attach_listener_hang_up(void);

/* In a child of fork: close the inherited connections to the members. */
void hiera_attach_listener_in_child(void);
