/* The thread that waits for what hiera-run --attach sends (HIERA_ATTACH). It is asleep until somebody connects, and has
 * all signals blocked. */
#ifndef HIERA_ATTACH_H
#define HIERA_ATTACH_H

#include <stddef.h>

/* Obey lines, each NAME=VALUE; the text may be changed. Write lines into `reply`. Called in the thread. */
typedef void HieraAttachObey(char *lines, char *reply, size_t room);

/* Begin to listen. `traces`: the folder of the traces, absolute; the text stays.
 *
 * @return  0 or an errno */
int hiera_attach_begin(const char *traces, HieraAttachObey *obey);

/* The process ends: remove the name of its socket, and the folder if it was the last. Safe in a signal handler. */
void hiera_attach_end(void);

/* In a child of fork: the socket is its parent's. */
void hiera_attach_in_child(void);

#endif
