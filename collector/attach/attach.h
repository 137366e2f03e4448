/* The thread that waits for what hiera-run --attach sends (HIERA_ATTACH). It is asleep until there is something, and
 * has all signals blocked.
 *
 * The processes of a job on one host have one socket. The first one listens there; the thread of each other one is
 * connected to it and waits for orders. When the one that listens ends, in whatever way, its connections do, too: then
 * another one listens, whoever has the folder's lock first. */
#ifndef HIERA_ATTACH_H
#define HIERA_ATTACH_H

#include "attach_words.h"

/* Begin to listen. `traces`: the folder of the traces, absolute; the text stays.
 *
 * @return  0 or an errno. `obey` is called in the thread */
int hiera_attach_begin(const char *traces, HieraAttachObey *obey);

/* The process ends: remove the name of the socket if it is the one that listens, and the folder if it was the last.
 * Safe in a signal handler. */
void hiera_attach_end(void);

/* In a child of fork: the socket and the connections are its parent's. */
void hiera_attach_in_child(void);

#endif
