/* Messages between the processes of a job on one host, and hiera-run. Each is a text, and is sent and received as a
 * whole (SOCK_SEQPACKET). The program may close descriptors that it did not open: so each is known by its inode, too.
 */
#ifndef HIERA_ATTACH_MESSAGE_H
#define HIERA_ATTACH_MESSAGE_H

#include "attach_place.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HIERA_ATTACH_PATIENCE_MS = 2000 };

/* One end of a connection, or what listens. fd -1: none. */
typedef struct HieraAttachEnd {
    int fd;
    ino_t inode;
} HieraAttachEnd;

#define HIERA_ATTACH_NONE ((HieraAttachEnd){-1, 0})

/* A descriptor is ours from now on; its number becomes a high one. */
HieraAttachEnd hiera_attach_own(int fd);
/* Is it still open, and ours? Safe in a signal handler, as the next two functions. */
bool hiera_attach_is_ours(const HieraAttachEnd *end);
void hiera_attach_close(HieraAttachEnd *end);
/* Both sides see that it ends; it stays open here. */
void hiera_attach_hang_up(const HieraAttachEnd *end);

/* Is who is at the other side the same user, or root? */
bool hiera_attach_is_of_user(const HieraAttachEnd *end);

/* Send without waiting. @return  whether it is sent */
bool hiera_attach_send(const HieraAttachEnd *end, const char *text);

/* Receive one, within `ms`; less than 0: at any time. @return  its bytes; 0: the connection has ended; -1: there is
 * none */
ssize_t hiera_attach_receive(const HieraAttachEnd *end, char text[HIERA_ATTACH_TEXT], int64_t ms);

#endif
