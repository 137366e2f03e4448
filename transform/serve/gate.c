/* See gate.h. Another site can make a browser send requests to this server, under a host name that resolves to it: so
 * the Host header must be the address at which the request arrived. That site cannot make the browser send a SameSite
 * cookie. Other users of the machine can also send requests, but have neither token nor cookie. */
#include "gate.h"
#include "address.h"
#include "hiera_trace.h"
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#define HTTP_PORT 80

static gboolean draw(char *secret, GError **error)
{
    guint8 bytes[HIERA_SECRET / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve: no random numbers: %s",
                    g_strerror(errno));
        return FALSE;
    }
    for (gsize i = 0; i < sizeof bytes; i++)
        g_snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return TRUE;
}

gboolean hiera_gate_init(HieraGate *gate, guint16 port, GError **error)
{
    *gate = (HieraGate){.cookie_name = g_strdup_printf("hiera-%u", port)};
    return draw(gate->token, error) && draw(gate->cookie, error);
}

void hiera_gate_clear(HieraGate *gate)
{
    g_free(gate->cookie_name);
}

/* Whether two texts are equal, in a time that does not depend on where they differ. */
static gboolean is_secret(const char *secret, const char *text)
{
    guint8 different = 0;
    if (!text || strlen(text) != HIERA_SECRET - 1)
        return FALSE;
    for (guint i = 0; i < HIERA_SECRET - 1; i++)
        different |= (guint8)(secret[i] ^ text[i]);
    return different == 0;
}

/* Whether a Host header is NAME:PORT, or NAME if PORT is that of HTTP. */
static gboolean is_host(const char *host, const char *name, guint16 port)
{
    g_autofree char *whole = g_strdup_printf("%s:%u", name, port);
    return g_ascii_strcasecmp(host, whole) == 0 || (port == HTTP_PORT && g_ascii_strcasecmp(host, name) == 0);
}

/* Whether the request's Host header is the address at which the request arrived. */
static gboolean names_address(struct MHD_Connection *connection)
{
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    HieraAddress local;
    if (!host || !info || !hiera_address_of_socket(&local, info->connect_fd))
        return FALSE;
    g_autofree char *own = hiera_address_host(&local);
    guint16 port = hiera_address_port(&local);
    return is_host(host, own, port) || (hiera_address_is_loopback(&local) && is_host(host, "localhost", port));
}

HieraGateAnswer hiera_gate_judge(HieraGate *gate, struct MHD_Connection *connection, const char *path)
{
    if (!names_address(connection))
        return HIERA_GATE_SHUT;
    const char *token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    gboolean has_token = strcmp(path, "/") == 0 && is_secret(gate->token, token);
    if (is_secret(gate->cookie, MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, gate->cookie_name)))
        return has_token ? HIERA_GATE_ENTER : HIERA_GATE_OPEN;
    if (!has_token || gate->is_used)
        return HIERA_GATE_SHUT;
    gate->is_used = TRUE;
    return HIERA_GATE_ENTER;
}
