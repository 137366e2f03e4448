/* Who owns a lock that ranks share: a thread of this computer, or a connection of the server (globals_server.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraOwner {
    int32_t process; /* process id; 0: no owner; negative: number of a connection */
    int32_t thread;
    uint64_t born; /* start time of the thread, in ticks since the computer's start; 0: not known */
} HieraOwner;

/* Return the calling thread as an owner of locks. */
HieraOwner hiera_owner_here(void);
/* Called in a child of fork: its thread is another owner than the parent's. */
void hiera_owner_in_child(void);

/* Whether two owners are the same thread. */
bool hiera_owner_is(const HieraOwner *owner, const HieraOwner *other);

/* Whether the owner, a thread, has ended: also if the thread is a zombie, or its number now belongs to another thread.
 * Not for connections. */
bool hiera_owner_is_dead(const HieraOwner *owner);
