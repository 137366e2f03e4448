/* Preloaded into a program: its messages are longer, as hiera-predict is asked to predict (bench/predict_accuracy).
 * Nothing in the program changes.
 *
 * A message, or the vectors of an allgatherv or a reduce, go from a place of our own that is LONGER_WRITTEN times as
 * long, all of which is written before; LONGER_SENT times as much of it is sent. What is received goes to such a place,
 * and what the program sent is copied from there. So runs with the same LONGER_WRITTEN compute the same, and differ in
 * their messages alone. Types have no holes; requests end by MPI_Wait or MPI_Waitall. The calls go on to who is behind:
 * Hiera, or MPI. */
#include "bench.h"

#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

#pragma GCC visibility push(default) /* exported: these functions replace those of MPI */

enum { REQUESTS = 1024 };

typedef struct {
    char *bytes;
    int64_t size;
} Place;

/* A message of this rank whose request is not complete yet. */
typedef struct {
    uint64_t request;
    Place place;
    void *buffer; /* the program's buffer if the message is received; else NULL */
    MPI_Datatype type;
} Open;

static struct {
    int is_known, written, sent;
    Place free[REQUESTS];
    unsigned n_free;
    Open open[REQUESTS];
    unsigned n_open;
} own;

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "longer: %s\n", what);
    abort();
}

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        give_up(name);
    return found;
}

/* Define `behind`, the function that this one replaces, of Hiera or MPI. `parameters`: in parentheses. */
#define BEHIND(result, name, parameters)                                                                               \
    static result(*behind) parameters;                                                                                 \
    if (!behind)                                                                                                       \
    *(void **)&behind = next(name)

static int number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 1;
}

static int sent(void)
{
    if (!own.is_known) {
        own.written = number_of("LONGER_WRITTEN");
        own.sent = number_of("LONGER_SENT");
        own.is_known = 1;
        if (own.sent > own.written)
            give_up("LONGER_SENT is more than LONGER_WRITTEN");
    }
    return own.sent;
}

static int64_t bytes_of(int64_t count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return count * size;
}

/* Return a buffer for the longer form of `count` elements; the buffer that was given back last is used first. */
static Place take(int64_t count, MPI_Datatype type)
{
    Place place = own.n_free ? own.free[--own.n_free] : (Place){NULL, 0};
    sent();
    int64_t size = bytes_of(count, type) * own.written;
    if (place.size < size || !place.bytes) {
        place.size = size + 64;
        place.bytes = realloc(place.bytes, (size_t)place.size);
        if (!place.bytes)
            give_up("no memory");
        memset(place.bytes, 0, (size_t)place.size);
    }
    return place;
}

static void give_back(Place place)
{
    if (own.n_free < REQUESTS)
        own.free[own.n_free++] = place;
    else
        free(place.bytes);
}

static void take_out_of_caches(const char *bytes, size_t size)
{
#if defined(__x86_64__)
    for (size_t at = 0; at < size; at += 64)
        __builtin_ia32_clflush(bytes + at);
#else
    (void)bytes;
    (void)size;
#endif
}

/* Return a buffer with the elements that the program sends, made longer. */
static Place fill(const void *buffer, int count, MPI_Datatype type)
{
    Place place = take(count, type);
    size_t size = (size_t)bytes_of(count, type);
    take_out_of_caches(place.bytes, size * (size_t)own.written);
    if (size)
        memcpy(place.bytes, buffer, size);
    memset(place.bytes + size, 0, size * (size_t)(own.written - 1));
    return place;
}

/* Copy the received elements, without the added ones, to the program's buffer; correct the count in the status. */
static void empty(Place place, void *buffer, MPI_Datatype type, MPI_Status *status)
{
    int count = 0;
    PMPI_Get_count(status, type, &count);
    if (count > 0) {
        memcpy(buffer, place.bytes, (size_t)bytes_of(count / sent(), type));
        PMPI_Status_set_elements(status, type, count / sent());
    }
    give_back(place);
}

static uint64_t key_of(MPI_Request request)
{
    uint64_t key = 0;
    memcpy(&key, &request, sizeof request);
    return key;
}

static void open_message(uint64_t request, Place place, void *buffer, MPI_Datatype type)
{
    if (own.n_open == REQUESTS)
        give_up("too many requests");
    own.open[own.n_open++] = (Open){request, place, buffer, type};
}

/* Give the program the message of a request that MPI has completed. */
static void end_request(uint64_t request, MPI_Status *status)
{
    for (unsigned i = 0; i < own.n_open; i++) {
        const Open open = own.open[i];
        if (open.request != request)
            continue;
        own.open[i] = own.open[--own.n_open];
        if (open.buffer)
            empty(open.place, open.buffer, open.type, status);
        else
            give_back(open.place);
        return;
    }
}

/* --- MPI functions for C --- */

#define SEND_PARAMETERS const void *buffer, int count, MPI_Datatype type, int other, int tag, MPI_Comm comm

int MPI_Send(SEND_PARAMETERS)
{
    BEHIND(int, "MPI_Send", (SEND_PARAMETERS));
    Place place = fill(buffer, count, type);
    int result = behind(place.bytes, count * sent(), type, other, tag, comm);
    give_back(place);
    return result;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int other, int tag, MPI_Comm comm, MPI_Status *status)
{
    BEHIND(int, "MPI_Recv", (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *));
    MPI_Status mine, *told = status == MPI_STATUS_IGNORE ? &mine : status;
    Place place = take(count, type);
    int result = behind(place.bytes, count * sent(), type, other, tag, comm, told);
    empty(place, buffer, type, told);
    return result;
}

int MPI_Isend(SEND_PARAMETERS, MPI_Request *request)
{
    BEHIND(int, "MPI_Isend", (SEND_PARAMETERS, MPI_Request *));
    Place place = fill(buffer, count, type);
    int result = behind(place.bytes, count * sent(), type, other, tag, comm, request);
    open_message(key_of(*request), place, NULL, type);
    return result;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int other, int tag, MPI_Comm comm, MPI_Request *request)
{
    BEHIND(int, "MPI_Irecv", (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *));
    Place place = take(count, type);
    int result = behind(place.bytes, count * sent(), type, other, tag, comm, request);
    open_message(key_of(*request), place, buffer, type);
    return result;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    BEHIND(int, "MPI_Wait", (MPI_Request *, MPI_Status *));
    MPI_Status mine, *told = status == MPI_STATUS_IGNORE ? &mine : status;
    uint64_t key = key_of(*request);
    int result = behind(request, told);
    end_request(key, told);
    return result;
}

int MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
    BEHIND(int, "MPI_Waitall", (int, MPI_Request *, MPI_Status *));
    uint64_t keys[REQUESTS];
    MPI_Status mine[REQUESTS], *told = statuses == MPI_STATUSES_IGNORE ? mine : statuses;
    if (n > REQUESTS)
        give_up("too many requests");
    for (int i = 0; i < n; i++)
        keys[i] = key_of(requests[i]);
    int result = behind(n, requests, told);
    for (int i = 0; i < n; i++)
        end_request(keys[i], &told[i]);
    return result;
}

int MPI_Sendrecv(const void *from, int n_from, MPI_Datatype from_type, int dest, int from_tag, void *to, int n_to,
                 MPI_Datatype to_type, int source, int to_tag, MPI_Comm comm, MPI_Status *status)
{
    BEHIND(int, "MPI_Sendrecv",
           (const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *));
    MPI_Status mine, *told = status == MPI_STATUS_IGNORE ? &mine : status;
    Place sends = fill(from, n_from, from_type), receives = take(n_to, to_type);
    int result = behind(sends.bytes, n_from * sent(), from_type, dest, from_tag, receives.bytes, n_to * sent(), to_type,
                        source, to_tag, comm, told);
    give_back(sends);
    empty(receives, to, to_type, told);
    return result;
}

int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    BEHIND(int, "MPI_Reduce", (const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm));
    int rank = 0;
    if (from == MPI_IN_PLACE)
        give_up("a reduce in place");
    PMPI_Comm_rank(comm, &rank);
    Place sends = fill(from, n, type), receives = take(n, type);
    int result = behind(sends.bytes, receives.bytes, n * sent(), type, op, root, comm);
    if (rank == root)
        memcpy(to, receives.bytes, (size_t)bytes_of(n, type));
    give_back(receives);
    give_back(sends);
    return result;
}

int MPI_Allgatherv(const void *from, int n, MPI_Datatype type, void *to, const int *n_to, const int *places,
                   MPI_Datatype to_type, MPI_Comm comm)
{
    BEHIND(int, "MPI_Allgatherv",
           (const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, MPI_Comm));
    int members = 0, counts[REQUESTS], ours[REQUESTS], all = 0;
    PMPI_Comm_size(comm, &members);
    if (from == MPI_IN_PLACE || members > REQUESTS)
        give_up("an allgatherv in place");
    for (int i = 0; i < members; i++) {
        counts[i] = n_to[i] * sent();
        ours[i] = all;
        all += counts[i];
    }
    Place sends = fill(from, n, type), receives = take(all / sent(), to_type);
    int result = behind(sends.bytes, n * sent(), type, receives.bytes, counts, ours, to_type, comm);
    for (int i = 0; i < members; i++)
        memcpy((char *)to + bytes_of(places[i], to_type), receives.bytes + bytes_of(ours[i], to_type),
               (size_t)bytes_of(n_to[i], to_type));
    give_back(receives);
    give_back(sends);
    return result;
}

/* Other functions that complete requests stop the program: they would leave received data in our buffers. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    give_up("there is no MPI_Test here");
}

int MPI_Testall(int n, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    give_up("there is no MPI_Testall here");
}

int MPI_Waitany(int n, MPI_Request *requests, int *which, MPI_Status *status)
{
    give_up("there is no MPI_Waitany here");
}

int MPI_Waitsome(int n, MPI_Request *requests, int *n_ended, int *which, MPI_Status *statuses)
{
    give_up("there is no MPI_Waitsome here");
}

/* --- MPI functions for Fortran --- */

#define FORTRAN_PARAMETERS void *buffer, int *count, int *type, int *other, int *tag, int *comm
#define TYPE               PMPI_Type_f2c((MPI_Fint)*type)

void mpi_send_(FORTRAN_PARAMETERS, int *error);
void mpi_send_(FORTRAN_PARAMETERS, int *error)
{
    BEHIND(void, "mpi_send_", (FORTRAN_PARAMETERS, int *));
    Place place = fill(buffer, *count, TYPE);
    int n = *count * sent();
    behind(place.bytes, &n, type, other, tag, comm, error);
    give_back(place);
}

/* Give the program the message of a request; convert the status from Fortran to C for this. */
static void empty_fortran(uint64_t request, const int *status)
{
    MPI_Status told;
    if (status == MPI_F_STATUS_IGNORE)
        give_up("a status that is ignored");
    PMPI_Status_f2c(status, &told);
    end_request(request, &told);
}

void mpi_recv_(FORTRAN_PARAMETERS, int *status, int *error);
void mpi_recv_(FORTRAN_PARAMETERS, int *status, int *error)
{
    BEHIND(void, "mpi_recv_", (FORTRAN_PARAMETERS, int *, int *));
    Place place = take(*count, TYPE);
    int n = *count * sent();
    behind(place.bytes, &n, type, other, tag, comm, status, error);
    open_message(UINT64_MAX, place, buffer, TYPE);
    empty_fortran(UINT64_MAX, status);
}

void mpi_isend_(FORTRAN_PARAMETERS, int *request, int *error);
void mpi_isend_(FORTRAN_PARAMETERS, int *request, int *error)
{
    BEHIND(void, "mpi_isend_", (FORTRAN_PARAMETERS, int *, int *));
    Place place = fill(buffer, *count, TYPE);
    int n = *count * sent();
    behind(place.bytes, &n, type, other, tag, comm, request, error);
    open_message((uint64_t)*request, place, NULL, TYPE);
}

void mpi_irecv_(FORTRAN_PARAMETERS, int *request, int *error);
void mpi_irecv_(FORTRAN_PARAMETERS, int *request, int *error)
{
    BEHIND(void, "mpi_irecv_", (FORTRAN_PARAMETERS, int *, int *));
    Place place = take(*count, TYPE);
    int n = *count * sent();
    behind(place.bytes, &n, type, other, tag, comm, request, error);
    open_message((uint64_t)*request, place, buffer, TYPE);
}

void mpi_wait_(int *request, int *status, int *error);
void mpi_wait_(int *request, int *status, int *error)
{
    BEHIND(void, "mpi_wait_", (int *, int *, int *));
    uint64_t key = (uint64_t)*request;
    behind(request, status, error);
    empty_fortran(key, status);
}
