/* The thread that waits for commands of hiera-run --attach (HIERA_ATTACH). It sleeps until a command arrives, and has
 * all signals blocked.
 *
 * The processes of a job on one host share one socket. The first process listens on it; the thread of each other
 * process connects to it and waits for orders. When the listener ends, for whatever reason, its connections end, too:
 * then the process that first locks the folder becomes the listener. */
#pragma once

#include "attach_words.h"

/* Begin to listen. `traces`: absolute path of the folder of the traces; the text must stay valid. `obey` is called in
 * the thread.
 *
 * @return  0 or an errno */
int hiera_attach_begin(const char *traces, HieraAttachObey *obey);

/* The process ends: the listener removes the name of the socket, and the last process removes the folder. Safe in a
 * signal handler. */
void hiera_attach_end(void);

/* In a child of fork: close the inherited socket and connections, which belong to the parent. */
void hiera_attach_in_child(void);
