/* See serve.h. libmicrohttpd answers in one thread of its own, one request after the other, so answers need no locks,
 * and a slow client does not block others. The main thread waits for a signal. */
#include "address.h"
#include "answers.h"
#include "hiera_trace.h"
#include "serve.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_CONNECTIONS 256
#define PATIENCE_S      30
#define REQUEST_BYTES   (96 << 10) /* most memory for a connection's request line and headers */

gboolean hiera_serve_check(const char *address, GError **error)
{
    HieraAddress parsed;
    if (hiera_address_parse(address, &parsed))
        return TRUE;
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                "--serve '%s' is not an address; write ADDR:PORT, for example 127.0.0.1:8080 or [::1]:0", address);
    return FALSE;
}

/* Wait for SIGINT or SIGTERM, which must be blocked in all threads. */
static void wait_for_end(const sigset_t *signals)
{
    int number;
    while (sigwait(signals, &number) != 0)
        continue;
}

/* Print the address of the page; if others can reach it, warn. If the server listens on all interfaces, the loopback
 * address is printed. */
static void announce(const HieraServe *what, const HieraAddress *at, const HieraGate *gate)
{
    static const char *const own[] = {"127.0.0.1", "[::1]"};
    g_autofree char *host =
        hiera_address_is_any(at) ? g_strdup(own[at->any.sa_family == AF_INET6]) : hiera_address_host(at);
    printf("http://%s:%u/?token=%s\n", host, hiera_address_port(at), gate->token);
    fflush(stdout);
    if (!hiera_address_is_loopback(at))
        fputs("hiera-transform: warning: other machines can reach this server, and what is sent is not encrypted\n",
              stderr);
    if (hiera_address_is_any(at))
        fprintf(stderr, "hiera-transform: elsewhere write an address of this machine for %s\n", host);
    if (!what->quiet)
        fputs("hiera-transform: open this address in a browser; it works once. Ctrl-C ends the server.\n", stderr);
}

/* Answer requests at a listening socket until SIGINT or SIGTERM arrives. */
static gboolean serve_on(HieraAnswers *answers, int listening, const HieraAddress *at, GError **error)
{
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, hiera_answers_give, answers, MHD_OPTION_LISTEN_SOCKET, listening,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES, MHD_OPTION_END);
    if (daemon) {
        announce(answers->what, at, &answers->gate);
        wait_for_end(&signals);
        MHD_stop_daemon(daemon);
    } else {
        close(listening); /* if the daemon runs, libmicrohttpd closes the socket */
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve: the server does not start");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon != NULL;
}

gboolean hiera_serve(const HieraServe *what, const char *address, GError **error)
{
    HieraAddress at;
    HieraAnswers answers = {.what = what};
    if (!hiera_serve_check(address, error) || !hiera_address_parse(address, &at))
        return FALSE;
    int listening = hiera_address_listen(&at);
    if (listening < 0 || !hiera_address_of_socket(&at, listening)) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve%s%s: %s", address[0] ? "=" : "", address,
                    g_strerror(errno));
        return FALSE;
    }
    gboolean good = hiera_gate_init(&answers.gate, hiera_address_port(&at), error);
    if (good) {
        answers.policy = hiera_page_policy(TRUE);
        good = serve_on(&answers, listening, &at, error);
    } else {
        close(listening);
    }
    g_free(answers.policy);
    hiera_gate_clear(&answers.gate);
    return good;
}
