/* Where the server of globals (globals_server.h) is to be found. Ranks get this from the rank that has it. */
#ifndef HIERA_SERVER_PLACE_H
#define HIERA_SERVER_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { HIERA_PLACE_ADDRESSES = 8, HIERA_PLACE_SECRET = 16 };

typedef struct HieraServerPlace {
    uint8_t question[HIERA_PLACE_SECRET]; /* who knows this may ask */
    uint8_t answer[HIERA_PLACE_SECRET];   /* who knows this is the server */
    uint16_t port, n;                     /* in the order of this computer; addresses */
    struct {
        uint8_t is_ip6, bytes[16];
    } addresses[HIERA_PLACE_ADDRESSES];
} HieraServerPlace;

/* The addresses by which other computers may reach this one, or those of `address` of HIERA_PROBE_OPTIONS: an address,
 * or an interface. Those of the computer alone only if there are no others. @return  whether there is one */
bool hiera_place_find(HieraServerPlace *place, const char *wanted);

/* Where to bind: to the address that the user wants, or to all. @return  the length of *address */
socklen_t hiera_place_to_bind(const HieraServerPlace *place, const char *wanted, struct sockaddr_storage *address);
/* Address number `i`, with the port. @return  the length of *address */
socklen_t hiera_place_to_connect(const HieraServerPlace *place, unsigned i, struct sockaddr_storage *address);

#endif
