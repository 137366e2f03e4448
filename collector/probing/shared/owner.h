/* The owner of a lock that ranks share: a thread of this computer, or a connection of the server (globals_server.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraOwner {
    int32_t process; /* process number; 0: no owner; negative: a connection */
    int32_t thread;
    uint64_t born; /* start time of the thread, in ticks since the computer was started; 0: not known */
} HieraOwner;

/* Return this thread as an owner. */
HieraOwner hiera_owner_here(void);
/* Called in a child of fork, which is another owner. */
void hiera_owner_in_child(void);

/* Whether the two are the same thread. */
bool hiera_owner_is(const HieraOwner *owner, const HieraOwner *other);

/* Whether the thread has ended. True for a zombie, and if its number now belongs to another thread. Not for
 * connections. */
bool hiera_owner_is_dead(const HieraOwner *owner);
