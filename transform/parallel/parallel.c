/* See parallel.h. Each broadcast of process 0 begins with a head, so that waiting processes also learn when it ends.
 *  */
#include "parallel.h"
#include "base/threads.h"
#include "hiera_trace.h"
#include "launcher.h"
#include "library.h"
#include "transport.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_ABRUPT = 3 }; /* status sent to other processes if process 0 exits early: a library was missing */

typedef struct {
    guint64 ends; /* TRUE: the program ends with exit status n; FALSE: n bytes follow */
    guint64 n;
} Head;

static HieraLauncher launcher = {0, 1, NULL};
static const HieraTransport *transport; /* functions of MPI; NULL: this process is alone, or MPI has ended */
static gboolean alone;                  /* whether process 0 works without the other processes */
static guint beside = 1;                /* number of hiera-transform's processes on this host, this one included */

void hiera_parallel_silence(void)
{
    launcher = hiera_launcher_find();
    int nowhere = launcher.rank > 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (nowhere < 0)
        return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

static void end_abruptly(void)
{
    if (launcher.rank == 0)
        hiera_parallel_end(EXIT_ABRUPT);
}

/* Set an error: the launcher has started processes for another MPI than this one, which do not find each other. */
static gboolean refuse_strangers(GError **error)
{
    transport->end();
    transport = NULL;
    g_set_error(
        error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
        "the launcher has started %u processes, which do not find each other with the library for '%s'; name the MPI "
        "of the launcher with " HIERA_PARALLEL_SETTING,
        launcher.size, launcher.mpi);
    return FALSE;
}

gboolean hiera_parallel_begin(GError **error)
{
    int rank, size, n;
    if (launcher.size == 1)
        return TRUE;
    transport = hiera_parallel_library_load(launcher.mpi, "../parallel", HIERA_TRANSPORT, error);
    if (!transport)
        return FALSE;
    transport->begin(&rank, &size, &n);
    if (size != (int)launcher.size)
        return refuse_strangers(error);
    launcher.rank = (guint)rank;
    beside = (guint)n;
    atexit(end_abruptly);
    return TRUE;
}

gboolean hiera_parallel_is_launched(void)
{
    return launcher.size > 1;
}

gboolean hiera_parallel_leads(void)
{
    return launcher.rank == 0;
}

guint hiera_parallel_size(void)
{
    return transport && !alone ? launcher.size : 1;
}

guint hiera_parallel_rank(void)
{
    return launcher.rank;
}

guint hiera_parallel_threads(void)
{
    return hiera_threads_are_set() ? hiera_threads_count() : MAX(hiera_threads_count() / beside, 1);
}

void hiera_parallel_go_alone(void)
{
    alone = TRUE;
}

/* --- messages between processes --- */

static void broadcast_head(gboolean ends, guint64 n)
{
    Head head = {ends, n};
    transport->broadcast(&head, sizeof head);
}

void hiera_parallel_broadcast(const guint8 *bytes, gsize n)
{
    broadcast_head(FALSE, n);
    transport->broadcast((gpointer)bytes, n);
}

static Head receive_head(void)
{
    Head head;
    transport->broadcast(&head, sizeof head);
    if (head.ends)
        transport->end();
    return head;
}

guint8 *hiera_parallel_receive_broadcast(gsize *n)
{
    Head head = receive_head();
    if (head.ends)
        exit((int)head.n);
    guint8 *bytes = g_malloc(*n = head.n);
    transport->broadcast(bytes, head.n);
    return bytes;
}

gboolean hiera_parallel_agree(gboolean decision)
{
    gsize n;
    guint8 sent = decision != FALSE;
    if (hiera_parallel_size() == 1)
        return decision;
    if (hiera_parallel_leads()) {
        hiera_parallel_broadcast(&sent, sizeof sent);
        return decision;
    }
    g_autofree guint8 *received = hiera_parallel_receive_broadcast(&n);
    return received[0];
}

void hiera_parallel_send(guint to, const guint8 *bytes, gsize n)
{
    guint64 length = n;
    transport->send((int)to, &length, sizeof length);
    transport->send((int)to, bytes, n);
}

guint8 *hiera_parallel_receive(guint from, gsize *n)
{
    guint64 length;
    transport->receive((int)from, &length, sizeof length);
    guint8 *bytes = g_malloc(*n = length);
    transport->receive((int)from, bytes, length);
    return bytes;
}

gboolean hiera_parallel_any(gboolean here)
{
    guint8 own = here != FALSE;
    gsize n;
    if (hiera_parallel_size() > 1 && !hiera_parallel_leads())
        hiera_parallel_send(0, &own, sizeof own);
    for (guint other = 1; hiera_parallel_leads() && other < hiera_parallel_size(); other++) {
        g_autofree guint8 *theirs = hiera_parallel_receive(other, &n);
        own |= theirs[0];
    }
    return hiera_parallel_agree(own);
}

static void send_text(guint to, const char *text)
{
    hiera_parallel_send(to, (const guint8 *)text, strlen(text) + 1);
}

/* In process 0, find the first process that has an error. @param own  process 0's error message; "": none
 * @return the message of the first process that has one, to be freed with g_free; "": none has */
static char *find_first_message(const char *own)
{
    char *first = g_strdup(own);
    for (guint other = 1; other < hiera_parallel_size(); other++) {
        gsize n;
        char *theirs = (char *)hiera_parallel_receive(other, &n);
        if (*first) {
            g_free(theirs);
            continue;
        }
        g_free(first);
        first = theirs;
    }
    hiera_parallel_broadcast((const guint8 *)first, strlen(first) + 1);
    return first;
}

gboolean hiera_parallel_agree_on_error(GError **error)
{
    const char *own = *error ? (*error)->message : "";
    gsize n;
    if (!hiera_parallel_leads())
        send_text(0, own);
    g_autofree char *first =
        hiera_parallel_leads() ? find_first_message(own) : (char *)hiera_parallel_receive_broadcast(&n);
    if (*first && !*error)
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY, first);
    return !*first;
}

guint hiera_parallel_rounds(void)
{
    guint rounds = 1; /* rounded up to a power of two, so that XOR of smaller numbers stays below it */
    while (rounds < launcher.size)
        rounds *= 2;
    return rounds;
}

guint hiera_parallel_meets(guint round)
{
    return launcher.rank ^ round;
}

int hiera_parallel_end(int status)
{
    if (!transport)
        return status;
    if (hiera_parallel_leads()) {
        broadcast_head(TRUE, (guint64)status);
        transport->end();
    } else {
        Head head = receive_head();
        g_assert(head.ends); /* all processes reach the end of the program together */
        status = (int)head.n;
    }
    transport = NULL;
    return status;
}
