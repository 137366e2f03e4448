/* libmicrohttpd answers in one thread of its own, request by request, so answers need no locks, and a slow client keeps
 * nobody waiting. The first thread waits for a signal. */
#include "answers.h"
#include "hiera_trace.h"
#include "serve.h"
#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_CONNECTIONS 256
#define PATIENCE_S      30
#define REQUEST_BYTES   (96 << 10) /* of a connection: its request line, its headers, its answer's headers */

static void set_wrong(GError **error, const char *address)
{
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                "--serve '%s' is not an address; write ADDR:PORT, for example 127.0.0.1:8080 or [::1]:0", address);
}

/* Return the address, or NULL with an error. Names other than localhost are not looked up. */
static GSocketAddress *parse_address(const char *text, GError **error)
{
    const char *whole = text[0] ? text : "127.0.0.1:0", *colon = strrchr(whole, ':');
    guint64 port = 0;
    gsize length = colon ? (gsize)(colon - whole) : 0;
    gboolean is_v6 = length > 2 && whole[0] == '[' && whole[length - 1] == ']';
    g_autofree char *host = is_v6 ? g_strndup(whole + 1, length - 2) : g_strndup(whole, length);
    g_autoptr(GInetAddress) address =
        g_inet_address_new_from_string(strcmp(host, "localhost") == 0 ? "127.0.0.1" : host);
    gboolean good = address && is_v6 == (g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV6) &&
                    g_ascii_string_to_unsigned(colon + 1, 10, 0, G_MAXUINT16, &port, NULL);
    if (good)
        return g_inet_socket_address_new(address, (guint16)port);
    set_wrong(error, text);
    return NULL;
}

gboolean hiera_serve_check(const char *address, GError **error)
{
    g_autoptr(GSocketAddress) parsed = parse_address(address, error);
    return parsed != NULL;
}

/* Return a listening socket, or NULL with an error. */
static GSocket *listen_at(GSocketAddress *address, const char *text, GError **error)
{
    g_autoptr(GError) cause = NULL;
    g_autoptr(GSocket) listening =
        g_socket_new(g_socket_address_get_family(address), G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &cause);
    if (listening && g_socket_bind(listening, address, TRUE, &cause) && g_socket_listen(listening, &cause))
        return g_steal_pointer(&listening);
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve%s%s: %s", text[0] ? "=" : "", text,
                cause->message);
    return NULL;
}

/* Wait for SIGINT or SIGTERM, which all threads must have blocked. */
static void wait_for_end(const sigset_t *signals)
{
    int number;
    while (sigwait(signals, &number) != 0)
        continue;
}

/* Print the address of the page; if others can reach it, warn. Of all interfaces loopback is printed. */
static void announce(const HieraServe *what, GInetSocketAddress *at, const HieraGate *gate)
{
    GInetAddress *address = g_inet_socket_address_get_address(at);
    GSocketFamily family = g_inet_address_get_family(address);
    g_autoptr(GInetAddress) loopback = g_inet_address_new_loopback(family);
    g_autofree char *host = g_inet_address_to_string(g_inet_address_get_is_any(address) ? loopback : address);
    gboolean is_v6 = family == G_SOCKET_FAMILY_IPV6;
    printf("http://%s%s%s:%u/?token=%s\n", is_v6 ? "[" : "", host, is_v6 ? "]" : "", g_inet_socket_address_get_port(at),
           gate->token);
    fflush(stdout);
    if (!g_inet_address_get_is_loopback(address))
        fputs("hiera-transform: warning: other machines can reach this server, and what is sent is not encrypted\n",
              stderr);
    if (g_inet_address_get_is_any(address))
        fprintf(stderr, "hiera-transform: elsewhere write an address of this machine for %s\n", host);
    if (!what->quiet)
        fputs("hiera-transform: open this address in a browser; it works once. Ctrl-C ends the server.\n", stderr);
}

/* Serve on a listening socket until a signal comes. */
static gboolean serve_on(HieraAnswers *answers, GSocket *listening, GInetSocketAddress *at, GError **error)
{
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    /* The library closes the socket that it gets. */
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, hiera_answers_give, answers,
                         MHD_OPTION_LISTEN_SOCKET, dup(g_socket_get_fd(listening)), MHD_OPTION_CONNECTION_LIMIT,
                         (unsigned)MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_S,
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES, MHD_OPTION_END);
    if (daemon) {
        announce(answers->what, at, &answers->gate);
        wait_for_end(&signals);
        MHD_stop_daemon(daemon);
    } else {
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve: the server does not start");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon != NULL;
}

gboolean hiera_serve(const HieraServe *what, const char *address, GError **error)
{
    g_autoptr(GSocketAddress) wanted = parse_address(address, error);
    g_autoptr(GSocket) listening = wanted ? listen_at(wanted, address, error) : NULL;
    g_autoptr(GSocketAddress) at = listening ? g_socket_get_local_address(listening, error) : NULL;
    HieraAnswers answers = {.what = what};
    if (!at)
        return FALSE;
    GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS(at);
    gboolean good = hiera_gate_init(&answers.gate, g_inet_socket_address_get_port(inet), error);
    if (good) {
        answers.policy = hiera_page_policy(TRUE);
        good = serve_on(&answers, listening, inet, error);
    }
    g_free(answers.policy);
    hiera_gate_clear(&answers.gate);
    return good;
}
