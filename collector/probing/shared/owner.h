/* Who has a lock that ranks share: a thread of this computer, or a connection of the server (globals_server.h). */
#ifndef HIERA_OWNER_H
#define HIERA_OWNER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraOwner {
    int32_t process; /* 0: nobody; negative: a connection */
    int32_t thread;
    uint64_t born; /* when the thread began, in ticks since the computer did; 0: not known */
} HieraOwner;

/* This thread. */
HieraOwner hiera_owner_here(void);
/* In a child of fork: it is another one. */
void hiera_owner_in_child(void);

/* The two are the same thread. */
bool hiera_owner_is(const HieraOwner *owner, const HieraOwner *other);

/* Has the thread ended? It has if it is a zombie, and if its number belongs to another one now. Not for connections. */
bool hiera_owner_is_dead(const HieraOwner *owner);

#endif
