/* A transport over sockets, in the place of MPI: many small runs of several processes in the time in which mpirun
 * starts once. together.py starts the processes. HIERA_TEST_SOCKETS lists what each has: a socket for each of the
 * others, in their order. */
#include "parallel/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 64 };

static int sockets[MOST], n_sockets, own;

extern const HieraTransport hiera_transport;

static void fail(void)
{
    fputs("sockets_transport: the other process has gone\n", stderr);
    exit(99);
}

static int number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? atoi(text) : 0;
}

static void begin(int *rank, int *size, int *beside)
{
    const char *at = getenv("HIERA_TEST_SOCKETS");
    char *end;
    n_sockets = 0;
    for (; at && *at && n_sockets < MOST; at = *end ? end + 1 : end)
        sockets[n_sockets++] = (int)strtol(at, &end, 10);
    own = *rank = number("PMI_RANK");
    *size = *beside = number("PMI_SIZE");
}

static void put(int socket, const char *bytes, size_t n)
{
    for (ssize_t done; n > 0; bytes += done, n -= (size_t)done)
        if ((done = write(socket, bytes, n)) <= 0)
            fail();
}

static void get(int socket, char *bytes, size_t n)
{
    for (ssize_t done; n > 0; bytes += done, n -= (size_t)done)
        if ((done = read(socket, bytes, n)) <= 0)
            fail();
}

static int socket_to(int other)
{
    return sockets[other < own ? other : other - 1];
}

static void broadcast(void *bytes, size_t n)
{
    if (own > 0)
        get(socket_to(0), bytes, n);
    for (int i = 0; own == 0 && i < n_sockets; i++)
        put(sockets[i], bytes, n);
}

static void send_to(int to, const void *bytes, size_t n)
{
    put(socket_to(to), bytes, n);
}

static void receive(int from, void *bytes, size_t n)
{
    get(socket_to(from), bytes, n);
}

static void end(void)
{
}

__attribute__((visibility("default"))) const HieraTransport hiera_transport = {begin, broadcast, send_to, receive, end};
