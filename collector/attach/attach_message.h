/* Messages between the processes of a job on one host, and hiera-run. Each message is a text, sent and received as a
 * whole (SOCK_SEQPACKET). The program may close descriptors that it did not open, so each descriptor is identified by
 * its inode, too. */
#pragma once

#include "attach_place.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HIERA_ATTACH_PATIENCE_MS = 2000 };

/* One end of a connection, or a listening socket. fd: its descriptor; -1: none. */
typedef struct HieraAttachEnd {
    int fd;
    ino_t inode;
} HieraAttachEnd;

#define HIERA_ATTACH_NONE ((HieraAttachEnd){-1, 0})

/* Return an end that owns this descriptor, moved to a high number. */
HieraAttachEnd hiera_attach_own(int fd);
/* Whether the end's descriptor is still this socket. Safe in a signal handler, as the next two functions. */
bool hiera_attach_is_ours(const HieraAttachEnd *end);
void hiera_attach_close(HieraAttachEnd *end);
/* Shut down the connection, so that both sides see its end. The descriptor stays open in this process. */
void hiera_attach_hang_up(const HieraAttachEnd *end);

/* Whether the process at the other end belongs to the same user or to root. */
bool hiera_attach_is_of_user(const HieraAttachEnd *end);

/* Send a message without waiting. @return  whether it was sent */
bool hiera_attach_send(const HieraAttachEnd *end, const char *text);

/* Receive a message within `ms` milliseconds; negative: without limit. @return  its bytes; 0: the connection has ended;
 * -1: no message came */
ssize_t hiera_attach_receive(const HieraAttachEnd *end, char text[HIERA_ATTACH_TEXT], int64_t ms);
