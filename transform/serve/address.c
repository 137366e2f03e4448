#include "address.h"
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define OWN "127.0.0.1"

static gboolean is_v6(const HieraAddress *address)
{
    return address->any.sa_family == AF_INET6;
}

static socklen_t length_of(const HieraAddress *address)
{
    return is_v6(address) ? sizeof address->v6 : sizeof address->v4;
}

static gboolean parse_host(const char *host, gsize length, guint16 port, HieraAddress *address)
{
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        g_autofree char *inside = g_strndup(host + 1, length - 2);
        address->v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
        return inet_pton(AF_INET6, inside, &address->v6.sin6_addr) == 1;
    }
    g_autofree char *text = g_strndup(host, length);
    address->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
    return inet_pton(AF_INET, strcmp(text, "localhost") == 0 ? OWN : text, &address->v4.sin_addr) == 1;
}

gboolean hiera_address_parse(const char *text, HieraAddress *address)
{
    const char *whole = text[0] ? text : OWN ":0", *colon = strrchr(whole, ':');
    guint64 port = 0;
    return colon && g_ascii_string_to_unsigned(colon + 1, 10, 0, G_MAXUINT16, &port, NULL) &&
           parse_host(whole, (gsize)(colon - whole), (guint16)port, address);
}

gboolean hiera_address_of_socket(HieraAddress *address, int socket)
{
    socklen_t length = sizeof *address;
    return getsockname(socket, &address->any, &length) == 0 && (address->any.sa_family == AF_INET || is_v6(address));
}

int hiera_address_listen(const HieraAddress *address)
{
    int listening = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP), error;
    if (listening < 0)
        return -1;
    /* SO_REUSEADDR allows the port of a server that has just ended. */
    if (setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) == 0 &&
        bind(listening, &address->any, length_of(address)) == 0 && listen(listening, SOMAXCONN) == 0)
        return listening;
    error = errno;
    close(listening);
    errno = error;
    return -1;
}

gboolean hiera_address_is_loopback(const HieraAddress *address)
{
    return is_v6(address) ? IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr)
                          : ntohl(address->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

gboolean hiera_address_is_any(const HieraAddress *address)
{
    return is_v6(address) ? IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr)
                          : address->v4.sin_addr.s_addr == htonl(INADDR_ANY);
}

guint16 hiera_address_port(const HieraAddress *address)
{
    return ntohs(is_v6(address) ? address->v6.sin6_port : address->v4.sin_port);
}

char *hiera_address_host(const HieraAddress *address)
{
    char text[INET6_ADDRSTRLEN];
    const void *number = is_v6(address) ? (const void *)&address->v6.sin6_addr : &address->v4.sin_addr;
    inet_ntop(address->any.sa_family, number, text, sizeof text);
    return is_v6(address) ? g_strdup_printf("[%s]", text) : g_strdup(text);
}
