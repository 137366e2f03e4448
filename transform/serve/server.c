/* See serve.h. libmicrohttpd answers in one thread of its own, one request after the other, so answers need no locks,
 * and a slow client does not block others. The main thread waits for a signal. */
#include "address.h"
#include "answers.h"
#include "hiera_trace.h"
#include "serve.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CONNECTIONS 256
#define PATIENCE_S      30
#define STATUS_AGAIN    100        /* exit status of a process whose page is asked for again */
#define LINGER_US       300000     /* so long an old page sends those on that still have a connection with it */
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

/* What outlives a page: where the server listens, and who may enter. */
typedef struct {
    int socket; /* -1: not open */
    HieraAddress at;
    HieraGate gate;
    guint pages;      /* that were made before */
    gboolean is_over; /* the page that is served now is asked for again */
} Door;

static Door door = {.socket = -1};

static gboolean open_door(const char *address, GError **error)
{
    if (!hiera_serve_check(address, error) || !hiera_address_parse(address, &door.at))
        return FALSE;
    door.socket = hiera_address_listen(&door.at);
    if (door.socket < 0 || !hiera_address_of_socket(&door.at, door.socket)) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve%s%s: %s", address[0] ? "=" : "", address,
                    g_strerror(errno));
        return FALSE;
    }
    return hiera_gate_init(&door.gate, hiera_address_port(&door.at), error);
}

static void close_door(void)
{
    if (door.socket >= 0)
        close(door.socket);
    hiera_gate_clear(&door.gate);
    door = (Door){.socket = -1};
}

/* Block the signals that end the server, and SIGUSR1 and SIGCHLD, which wait_for() waits for. */
static sigset_t block_signals(sigset_t *before)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGUSR1, SIGCHLD};
    sigset_t signals;
    sigemptyset(&signals);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        sigaddset(&signals, numbers[i]);
    pthread_sigmask(SIG_BLOCK, &signals, before);
    return signals;
}

/* Wait for a signal. They must be blocked in all threads. */
static int wait_for(const sigset_t *signals)
{
    int number;
    while (sigwait(signals, &number) != 0)
        continue;
    return number;
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

/* Answer requests at the door until SIGINT or SIGTERM arrives, or the next page is asked for. */
static gboolean serve_on(HieraAnswers *answers, GError **error)
{
    sigset_t before, signals = block_signals(&before);
    int listening = fcntl(door.socket, F_DUPFD_CLOEXEC, 0); /* if the daemon runs, libmicrohttpd closes the socket */
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, hiera_answers_give, answers,
                         MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
                         MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                         (size_t)REQUEST_BYTES, MHD_OPTION_END);
    if (daemon) {
        if (door.pages == 0)
            announce(answers->what, &door.at, &answers->gate);
        while (wait_for(&signals) == SIGCHLD)
            continue;
        if (answers->is_over)
            g_usleep(LINGER_US);
        MHD_stop_daemon(daemon);
    } else {
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve: the server does not start");
    }
    if (!daemon || answers->is_over)
        close(listening); /* a daemon that accepts no more leaves it to its user */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon != NULL;
}

gboolean hiera_serve(const HieraServe *what, const char *address, GError **error)
{
    gboolean is_own = door.socket < 0, good = !is_own || open_door(address, error);
    if (good) {
        HieraAnswers answers = {.what = what, .gate = door.gate, .policy = hiera_page_policy(TRUE)};
        answers.place = what->renews ? g_strdup_printf("/%u/", door.pages + 1) : g_strdup("/");
        good = serve_on(&answers, error);
        door.is_over = answers.is_over;
        g_free(answers.place);
        g_free(answers.policy);
    }
    if (is_own)
        close_door();
    return good;
}

/* Wait until the process that serves a page has ended. What ends this process ends that one. @return its exit status */
static int wait_for_page(pid_t child, const sigset_t *signals)
{
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        int number = wait_for(signals);
        if (number != SIGCHLD)
            kill(child, number);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int make_one(int (*make)(gconstpointer user), gconstpointer user, const sigset_t *before)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    int status = make(user);
    return door.is_over ? STATUS_AGAIN : status;
}

int hiera_serve_again(const char *address, int (*make)(gconstpointer user), gconstpointer user, GError **error)
{
    int status = STATUS_AGAIN;
    sigset_t before, signals = block_signals(&before);
    gboolean good = open_door(address, error);
    for (; good && status == STATUS_AGAIN; door.pages++) {
        pid_t child = fork();
        if (child == 0)
            exit(make_one(make, user, &before));
        if (child < 0)
            g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--serve: %s", g_strerror(errno));
        good = child > 0;
        status = good ? wait_for_page(child, &signals) : status;
        door.gate.is_used = TRUE; /* a browser without the cookie asks for no second page */
    }
    close_door();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good ? status : -1;
}
