/* The address at which the server listens: IPv4 or IPv6, and a port. */
#pragma once

#include <glib.h>
#include <netinet/in.h>

typedef union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} HieraAddress;

/* Parse HOST:PORT, "127.0.0.1:8080" or "[::1]:0"; "" is port 0 of the loopback address. Names other than localhost are
 * not resolved.
 *
 * @return FALSE if the text is not an address */
gboolean hiera_address_parse(const char *text, HieraAddress *address);

/* Set the local address of a socket.
 *
 * @return FALSE if it is neither IPv4 nor IPv6 */
gboolean hiera_address_of_socket(HieraAddress *address, int socket);

/* Return a socket that listens at an address; -1 on error, with errno set. */
int hiera_address_listen(const HieraAddress *address);

gboolean hiera_address_is_loopback(const HieraAddress *address);

/* Whether an address stands for all addresses of this machine, like 0.0.0.0. */
gboolean hiera_address_is_any(const HieraAddress *address);

guint16 hiera_address_port(const HieraAddress *address);

/* Return the host in the form for a URL: IPv6 in brackets.
 *
 * @return to be freed with g_free */
char *hiera_address_host(const HieraAddress *address);
