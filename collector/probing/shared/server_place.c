#include "server_place.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

static void add(HieraServerPlace *place, bool is_ip6, const void *bytes)
{
    if (place->n == HIERA_PLACE_ADDRESSES)
        return;
    place->addresses[place->n].is_ip6 = is_ip6;
    memcpy(place->addresses[place->n].bytes, bytes, is_ip6 ? 16 : 4);
    place->n++;
}

static bool add_text(HieraServerPlace *place, const char *text)
{
    uint8_t bytes[16];
    bool is_ip4 = inet_pton(AF_INET, text, bytes) == 1, is_ip6 = !is_ip4 && inet_pton(AF_INET6, text, bytes) == 1;
    if (is_ip4 || is_ip6)
        add(place, is_ip6, bytes);
    return is_ip4 || is_ip6;
}

/* Add the address of an interface if other computers can use it. Link-local addresses are left out: they would also
 * need the name of the interface. */
static void add_interface(HieraServerPlace *place, const struct ifaddrs *at, int family)
{
    if (!at->ifa_addr || at->ifa_addr->sa_family != family || !(at->ifa_flags & IFF_UP))
        return;
    if (family == AF_INET)
        add(place, false, &((const struct sockaddr_in *)(const void *)at->ifa_addr)->sin_addr);
    const struct in6_addr *ip6 = &((const struct sockaddr_in6 *)(const void *)at->ifa_addr)->sin6_addr;
    if (family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(ip6))
        add(place, true, ip6);
}

static void add_interfaces(HieraServerPlace *place, const struct ifaddrs *all, const char *name, bool loopback)
{
    static const int families[] = {AF_INET, AF_INET6};
    for (unsigned i = 0; i < 2; i++)
        for (const struct ifaddrs *at = all; at; at = at->ifa_next)
            if (name ? strcmp(at->ifa_name, name) == 0 : loopback == ((at->ifa_flags & IFF_LOOPBACK) != 0))
                add_interface(place, at, families[i]);
}

bool hiera_place_find(HieraServerPlace *place, const char *wanted)
{
    struct ifaddrs *all;
    place->n = 0;
    if (add_text(place, wanted) || getifaddrs(&all) != 0)
        return place->n > 0;
    add_interfaces(place, all, wanted[0] ? wanted : NULL, false);
    if (place->n == 0 && !wanted[0])
        add_interfaces(place, all, NULL, true);
    freeifaddrs(all);
    return place->n > 0;
}

static socklen_t fill(struct sockaddr_storage *address, bool is_ip6, const uint8_t *bytes, uint16_t port)
{
    memset(address, 0, sizeof *address);
    if (is_ip6) {
        struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
        memcpy(&to.sin6_addr, bytes, sizeof to.sin6_addr);
        memcpy(address, &to, sizeof to);
        return sizeof to;
    }
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    memcpy(&to.sin_addr, bytes, sizeof to.sin_addr);
    memcpy(address, &to, sizeof to);
    return sizeof to;
}

socklen_t hiera_place_to_bind(const HieraServerPlace *place, const char *wanted, struct sockaddr_storage *address)
{
    static const uint8_t any[16];
    if (wanted[0])
        return fill(address, place->addresses[0].is_ip6, place->addresses[0].bytes, 0);
    return fill(address, place->addresses[place->n - 1].is_ip6, any, 0);
}

socklen_t hiera_place_to_connect(const HieraServerPlace *place, unsigned i, struct sockaddr_storage *address)
{
    return fill(address, place->addresses[i].is_ip6, place->addresses[i].bytes, place->port);
}
