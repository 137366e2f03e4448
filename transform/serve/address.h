/* Where the server listens: an IPv4 or IPv6 address and a port. */
#ifndef HIERA_ADDRESS_H
#define HIERA_ADDRESS_H

#include <glib.h>
#include <netinet/in.h>

typedef union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} HieraAddress;

/* Parse HOST:PORT, "127.0.0.1:8080" or "[::1]:0"; "" is port 0 of this machine's own address. Names other than
 * localhost are not looked up.
 *
 * @return FALSE if it is none */
gboolean hiera_address_parse(const char *text, HieraAddress *address);

/* Take the address of a socket.
 *
 * @return FALSE if it has none of IPv4 or IPv6 */
gboolean hiera_address_of_socket(HieraAddress *address, int socket);

/* Return a socket that listens at an address; -1, with errno, if none can. */
int hiera_address_listen(const HieraAddress *address);

gboolean hiera_address_is_loopback(const HieraAddress *address);

/* Whether it stands for all addresses of this machine. */
gboolean hiera_address_is_any(const HieraAddress *address);

guint16 hiera_address_port(const HieraAddress *address);

/* The host as it stands in a URL: IPv6 in brackets.
 *
 * @return to be freed with g_free */
char *hiera_address_host(const HieraAddress *address);

#endif
