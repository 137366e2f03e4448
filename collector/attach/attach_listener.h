/* The process that listens for all of its job on this host: members connect to it, and hiera-run. */
#ifndef HIERA_ATTACH_LISTENER_H
#define HIERA_ATTACH_LISTENER_H

#include "attach_message.h"
#include "attach_words.h"

/* Serve until the socket ends; `settled` is called once, some tenths of a second after the begin. */
void hiera_attach_listen(const HieraAttachEnd *listening, HieraAttachObey *obey, void (*settled)(void));

/* All members see that this is over. Safe in a signal handler. @return  whether there are any that have not hung up */
bool hiera_attach_listener_hang_up(void);

/* In a child of fork. */
void hiera_attach_listener_in_child(void);

#endif
