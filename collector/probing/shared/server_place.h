/* Addresses and secrets of the server of globals (globals_server.h). Other ranks get them from the rank of the server.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { HIERA_PLACE_ADDRESSES = 8, HIERA_PLACE_SECRET = 16 };

typedef struct HieraServerPlace {
    uint8_t question[HIERA_PLACE_SECRET]; /* secret by which a client proves that it may ask */
    uint8_t answer[HIERA_PLACE_SECRET];   /* secret by which the server proves its identity */
    uint16_t port, n;                     /* port in host byte order; n: number of `addresses` */
    struct {
        uint8_t is_ip6, bytes[16];
    } addresses[HIERA_PLACE_ADDRESSES];
} HieraServerPlace;

/* The addresses by which other computers may reach this one, or those of `address` of HIERA_PROBE_OPTIONS: an address,
 * or an interface. Those of the computer alone only if there are no others. @return  whether there is one */
bool hiera_place_find(HieraServerPlace *place, const char *wanted);

/* Make the address that the server binds to: that of the user's option, or any. @return  the length of *address */
socklen_t hiera_place_to_bind(const HieraServerPlace *place, const char *wanted, struct sockaddr_storage *address);
/* Make the address of the server from addresses[i] and its port. @return  the length of *address */
socklen_t hiera_place_to_connect(const HieraServerPlace *place, unsigned i, struct sockaddr_storage *address);
