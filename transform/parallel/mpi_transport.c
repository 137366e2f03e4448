/* See transport.h. MPI's blocking calls wait by busy polling; here the pauses between polls grow, because
 * one process may work with many threads while the others wait. */
#include "transport.h"

#include <mpi.h>
#include <sched.h>
#include <time.h>

enum { EAGER = 200, SHORTEST_NS = 10000, LONGEST_NS = 1000000, PART = 1 << 28, TAG = 0 };

extern const HieraTransport hiera_transport;

static void wait_for(MPI_Request *request)
{
    int done = 0;
    struct timespec pause = {0, SHORTEST_NS};
    for (int asked = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done; asked++) {
        if (asked < EAGER) {
            sched_yield();
            continue;
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < LONGEST_NS ? 2 * pause.tv_nsec : LONGEST_NS;
    }
}

static void begin(int *rank, int *size, int *beside)
{
    int level;
    MPI_Comm host;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, beside);
    MPI_Comm_free(&host);
}

static int part_of(size_t n, size_t done)
{
    return n - done < PART ? (int)(n - done) : PART;
}

static void broadcast(void *bytes, size_t n)
{
    MPI_Request request;
    for (size_t done = 0; done < n; done += PART) {
        MPI_Ibcast((char *)bytes + done, part_of(n, done), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}

static void send(int to, const void *bytes, size_t n)
{
    MPI_Request request;
    for (size_t done = 0; done < n; done += PART) {
        MPI_Isend((const char *)bytes + done, part_of(n, done), MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}

static void receive(int from, void *bytes, size_t n)
{
    MPI_Request request;
    for (size_t done = 0; done < n; done += PART) {
        MPI_Irecv((char *)bytes + done, part_of(n, done), MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}

static void end(void)
{
    MPI_Finalize();
}

__attribute__((visibility("default"))) const HieraTransport hiera_transport = {begin, broadcast, send, receive, end};
