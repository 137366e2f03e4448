#include "pings.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_DATA = 1, TAG_GO = 2, CLOCK_READS = 1001, IDLE_NS = 200000 };

static struct {
    int rank, size, last;
    double clock_s; /* seconds between two consecutive reads of the clock */
    char *sent, *received;
    size_t n_bytes; /* size of `sent` and of `received` */
    MPI_Request *requests;
    int n_requests;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
} own;

extern const HieraPings hiera_pings;

/* --- reading the clock --- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double time_clock(void)
{
    static double seconds[CLOCK_READS];
    for (int i = 0; i < CLOCK_READS; i++) {
        double before = now();
        seconds[i] = now() - before;
    }
    qsort(seconds, CLOCK_READS, sizeof *seconds, compare);
    return seconds[CLOCK_READS / 2];
}

static double since(double begin)
{
    double seconds = now() - begin - own.clock_s;
    return seconds > 0 ? seconds : 0;
}

static void compute(double seconds)
{
    for (double begin = now(); now() - begin < seconds;)
        ;
}

/* --- begin and end of MPI --- */

static void begin(int *rank, int *size)
{
    MPI_Init(NULL, NULL); /* as most programs, without thread support: with it, Open MPI runs other instructions */
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    own.rank = *rank;
    own.size = *size;
    own.last = *size - 1;
    own.clock_s = time_clock();
}

static const char *library(void)
{
    int length;
    MPI_Get_library_version(own.text, &length);
    return own.text;
}

static const char *host(int rank)
{
    int length;
    memset(own.text, 0, sizeof own.text);
    MPI_Get_processor_name(own.text, &length);
    MPI_Bcast(own.text, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, rank, MPI_COMM_WORLD);
    return own.text;
}

/* Wait until all processes are here. Processes that take part in no message pause, to leave the CPU to the others. */
static void meet(void)
{
    MPI_Request request;
    const struct timespec pause = {0, IDLE_NS};
    int idle = own.rank != 0 && own.rank != own.last;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = !idle; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done;)
        idle ? (void)nanosleep(&pause, NULL) : (void)0;
}

static void agree(int n, double *seconds)
{
    meet();
    MPI_Bcast(seconds, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Make the buffers and `requests` at least this large. @param requests  there are always 2 */
static void make_room(size_t bytes, int requests)
{
    if (bytes > own.n_bytes || !own.sent) {
        own.n_bytes = bytes + 1;
        own.sent = realloc(own.sent, own.n_bytes);
        own.received = realloc(own.received, own.n_bytes);
        if (!own.sent || !own.received)
            MPI_Abort(MPI_COMM_WORLD, 1);
        memset(own.sent, 1, own.n_bytes);
        memset(own.received, 1, own.n_bytes);
    }
    if (requests > own.n_requests || !own.requests) {
        own.n_requests = requests > 2 ? requests : 2;
        own.requests = realloc(own.requests, (size_t)own.n_requests * sizeof *own.requests);
        if (!own.requests)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void write_sent(size_t bytes)
{
    static int value;
    memset(own.sent, ++value, bytes);
}

/* --- timing of messages --- */

static void send(size_t bytes, int to, int tag)
{
    MPI_Send(own.sent, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static void receive(size_t bytes, int from, int tag)
{
    MPI_Recv(own.received, (int)bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void post(size_t bytes, int from, MPI_Request *request)
{
    MPI_Irecv(own.received, (int)bytes, MPI_BYTE, from, TAG_DATA, MPI_COMM_WORLD, request);
}

/* One function for each kind of timing that process 0 calls (lead_), and one that the last process calls (follow_). */

static double lead_round_trip(const HieraPing *ping)
{
    double begin = now();
    send(ping->bytes, own.last, TAG_DATA);
    receive(ping->bytes, own.last, TAG_DATA);
    return since(begin) / 2;
}

static void follow_round_trip(const HieraPing *ping)
{
    receive(ping->bytes, 0, TAG_DATA);
    send(ping->bytes, 0, TAG_DATA);
}

static double lead_send(const HieraPing *ping)
{
    receive(0, own.last, TAG_GO);
    double begin = now();
    send(ping->bytes, own.last, TAG_DATA);
    return since(begin);
}

static void follow_send(const HieraPing *ping)
{
    if (ping->delay_s > 0) {
        send(0, 0, TAG_GO);
        compute(ping->delay_s);
        receive(ping->bytes, 0, TAG_DATA);
        return;
    }
    MPI_Request request;
    post(ping->bytes, 0, &request);
    send(0, 0, TAG_GO);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static double lead_receive(const HieraPing *ping)
{
    send(0, own.last, TAG_GO);
    compute(ping->delay_s);
    double begin = now();
    receive(ping->bytes, own.last, TAG_DATA);
    return since(begin);
}

static void follow_receive(const HieraPing *ping)
{
    receive(0, 0, TAG_GO);
    send(ping->bytes, 0, TAG_DATA);
}

static double lead_burst(const HieraPing *ping)
{
    receive(0, own.last, TAG_GO);
    double begin = now();
    for (int i = 0; i < ping->count; i++)
        send(ping->bytes, own.last, TAG_DATA);
    receive(0, own.last, TAG_GO);
    return since(begin);
}

static void follow_burst(const HieraPing *ping)
{
    for (int i = 0; i < ping->count; i++)
        post(ping->bytes, 0, &own.requests[i]);
    send(0, 0, TAG_GO);
    for (int i = 0; i < ping->count; i++)
        MPI_Wait(&own.requests[i], MPI_STATUS_IGNORE);
    send(0, 0, TAG_GO);
}

/* Exchange `count` messages with process `other`, each in its own part of the buffers. */
static void exchange(const HieraPing *ping, int other)
{
    for (int i = 0; i < ping->count; i++) {
        size_t place = ping->bytes * (size_t)i;
        MPI_Irecv(own.received + place, (int)ping->bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD, &own.requests[0]);
        MPI_Isend(own.sent + place, (int)ping->bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD, &own.requests[1]);
        MPI_Wait(&own.requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&own.requests[1], MPI_STATUS_IGNORE);
    }
}

static double lead_exchange(const HieraPing *ping)
{
    double begin = now();
    exchange(ping, own.last);
    return since(begin) / ping->count;
}

static void follow_exchange(const HieraPing *ping)
{
    exchange(ping, 0);
}

static double lead_overlap(const HieraPing *ping)
{
    MPI_Request request;
    receive(0, own.last, TAG_GO);
    double begin = now();
    MPI_Isend(own.sent, (int)ping->bytes, MPI_BYTE, own.last, TAG_DATA, MPI_COMM_WORLD, &request);
    compute(ping->delay_s);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return since(begin) - ping->delay_s;
}

static void follow_overlap(const HieraPing *ping)
{
    MPI_Request request;
    post(ping->bytes, 0, &request);
    send(0, 0, TAG_GO);
    compute(ping->delay_s);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct {
    double (*lead)(const HieraPing *ping);
    void (*follow)(const HieraPing *ping);
} kinds[] = {
    [HIERA_PING_ROUND_TRIP] = {lead_round_trip, follow_round_trip},
    [HIERA_PING_SEND] = {lead_send, follow_send},
    [HIERA_PING_RECEIVE] = {lead_receive, follow_receive},
    [HIERA_PING_BURST] = {lead_burst, follow_burst},
    [HIERA_PING_EXCHANGE] = {lead_exchange, follow_exchange},
    [HIERA_PING_OVERLAP] = {lead_overlap, follow_overlap},
};

/* Write new data into the send buffer. Process 0 and the last process then continue at the same time. */
static void get_ready(size_t bytes)
{
    write_sent(bytes);
    if (own.rank == 0) {
        send(0, own.last, TAG_GO);
        receive(0, own.last, TAG_GO);
    } else {
        receive(0, 0, TAG_GO);
        send(0, 0, TAG_GO);
    }
}

static void time_ping(const HieraPing *ping, int n, double *seconds)
{
    size_t bytes = ping->bytes * (size_t)(ping->count > 0 ? ping->count : 1);
    make_room(bytes, ping->count);
    for (int i = 0; i < n && (own.rank == 0 || own.rank == own.last); i++) {
        get_ready(bytes);
        if (own.rank == 0)
            seconds[i] = kinds[ping->kind].lead(ping);
        else
            kinds[ping->kind].follow(ping);
    }
    agree(n, seconds);
}

/* --- timing of collectives --- */

/* Call a collective. @param place  offset in both buffers; behind it is room for the data of all processes */
static void call(HieraPingCollective collective, size_t place, int n)
{
    char *sent = own.sent + place, *received = own.received + place;
    switch (collective) {
    case HIERA_PING_BROADCAST:
        MPI_Bcast(sent, n, MPI_BYTE, 0, MPI_COMM_WORLD);
        return;
    case HIERA_PING_REDUCE:
        MPI_Reduce(sent, received, n / (int)sizeof(float), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
        return;
    case HIERA_PING_ALLREDUCE:
        MPI_Allreduce(sent, received, n / (int)sizeof(float), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        return;
    case HIERA_PING_ALLGATHER:
        MPI_Allgather(sent, n, MPI_BYTE, received, n, MPI_BYTE, MPI_COMM_WORLD);
        return;
    case HIERA_PING_ALLTOALL:
        MPI_Alltoall(sent, n, MPI_BYTE, received, n, MPI_BYTE, MPI_COMM_WORLD);
        return;
    default:
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void time_collective(HieraPingCollective collective, size_t bytes, int count, int n, double *seconds)
{
    size_t each = bytes * (size_t)own.size;
    make_room(each * (size_t)count, 0);
    for (int i = 0; i < n; i++) {
        write_sent(each * (size_t)count);
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = now();
        for (int j = 0; j < count; j++)
            call(collective, each * (size_t)j, (int)bytes);
        seconds[i] = since(begin);
    }
    agree(n, seconds);
}

static void end(void)
{
    free(own.sent);
    free(own.received);
    free(own.requests);
    MPI_Finalize();
}

__attribute__((visibility("default")))
const HieraPings hiera_pings = {begin, library, host, time_ping, time_collective, end};
