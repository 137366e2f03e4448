/* Preloaded into a program on two ranks of one computer: its network has more latency, or a function takes longer, as
 * hiera-predict is asked to predict (bench/predict_accuracy). Nothing in the program changes.
 *
 * LATER_NS: each message arrives so much later. One of more than LATER_EAGER bytes waits for its receive: its
 * announcement, the answer and the data are all late. A collective is one such exchange, or one such message from or to
 * its root. LATER_FUNCTION, LATER_FACTOR: what is computed in this function, and in what it calls, takes FACTOR times
 * as long; it is compiled with -finstrument-functions and linked with -rdynamic.
 *
 * Processes tell each other in shared memory when they send, and post receives. The n-th send with a tag belongs to the
 * n-th receive with it, so there are no wildcards of tags here. The calls go on to who is behind: Hiera, or MPI. */
#include "bench.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

#pragma GCC visibility push(default) /* exported: these functions replace those of MPI */

enum { TAGS = 64, RING = 1024, REQUESTS = 1024, RANKS = 2, AWAKE_NS = 200000 };

typedef struct {
    _Atomic unsigned number; /* number of the message or collective, from 1; 0: the rank has not shared one yet */
    int64_t at_ns, bytes;
} Moment;

/* Times that a rank shares: of message n with a tag, and of collective n, at index n modulo RING. */
typedef struct {
    Moment sent[TAGS][RING], posted[TAGS][RING], entered[RING];
} Told;

/* A message of this rank whose request is not complete yet. */
typedef struct {
    uint64_t request;
    int tag;
    unsigned number;
    int receives;
} Open;

static struct {
    int rank, on;
    int64_t later_ns, eager;
    Told *told[RANKS]; /* by rank: the times that it shares */
    unsigned n_sent[TAGS], n_posted[TAGS], n_entered;
    Open open[REQUESTS];
    unsigned n_open;
    /* address of the function that LATER_FUNCTION names */
    void *slow;
    double factor;
    int depth, in_mpi;
    int64_t since_ns;
} own;

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "later: there is no %s\n", name);
        abort();
    }
    return found;
}

/* Wait until a time. Long waits sleep, so that other processes get the CPU, until AWAKE_NS before the time. */
static void wait_until(int64_t due_ns)
{
    for (int64_t left_ns; (left_ns = due_ns - bench_now_ns()) > 0;) {
        const struct timespec pause = {0, (left_ns - AWAKE_NS) % 1000000000};
        if (left_ns > AWAKE_NS && left_ns < 1000000000)
            nanosleep(&pause, NULL);
    }
}

/* --- the function LATER_FUNCTION, which takes longer --- */

/* Spin for the function's further time. Do not sleep: a virtual machine may wake up more than AWAKE_NS late. */
static void spin_for_function(void)
{
    int64_t now = bench_now_ns(), due_ns = now + (int64_t)((own.factor - 1) * (double)(now - own.since_ns));
    while (bench_now_ns() < due_ns)
        continue;
}

static void enter_mpi(void)
{
    if (own.depth > 0 && own.in_mpi++ == 0)
        spin_for_function();
}

static void leave_mpi(void)
{
    if (own.depth > 0 && --own.in_mpi == 0)
        own.since_ns = bench_now_ns();
}

static int is_slow(void *function)
{
    static int is_known;
    if (!is_known) {
        const char *name = getenv("LATER_FUNCTION");
        own.slow = name ? dlsym(RTLD_DEFAULT, name) : NULL;
        own.factor = own.slow ? atof(getenv("LATER_FACTOR")) : 1;
        is_known = 1;
    }
    return function == own.slow;
}

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

/* Both end with the call of the hook behind them, to which the compiler jumps: it finds the stack as if the program had
 * called it. */
void __cyg_profile_func_enter(void *function, void *site)
{
    static void (*behind)(void *, void *);
    if (!behind)
        *(void **)&behind = next("__cyg_profile_func_enter");
    if (is_slow(function) && own.depth++ == 0)
        own.since_ns = bench_now_ns();
    behind(function, site);
}

void __cyg_profile_func_exit(void *function, void *site)
{
    static void (*behind)(void *, void *);
    if (!behind)
        *(void **)&behind = next("__cyg_profile_func_exit");
    if (is_slow(function) && --own.depth == 0)
        spin_for_function();
    behind(function, site);
}

/* --- messages that arrive later --- */

static void begin(void)
{
    const char *later = getenv("LATER_NS"), *eager = getenv("LATER_EAGER");
    MPI_Win window;
    MPI_Aint size;
    int n, unit;
    void *mine;
    PMPI_Comm_size(MPI_COMM_WORLD, &n);
    if (!later || n != RANKS)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
    own.later_ns = atoll(later);
    own.eager = eager ? atoll(eager) : INT64_MAX;
    PMPI_Win_allocate_shared(sizeof(Told), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    memset(mine, 0, sizeof(Told));
    for (int i = 0; i < RANKS; i++)
        PMPI_Win_shared_query(window, i, &size, &unit, &own.told[i]);
    PMPI_Barrier(MPI_COMM_WORLD);
    own.on = 1;
}

/* Share the time at which message or collective `number` begins.  @param all  array of RING moments */
static void tell(Moment *all, unsigned number, int64_t bytes)
{
    Moment *moment = &all[number % RING];
    moment->at_ns = bench_now_ns();
    moment->bytes = bytes;
    atomic_store_explicit(&moment->number, number + 1, memory_order_release);
}

/* Wait until a rank has shared the time of message or collective `number`, and return it. */
static const Moment *hear(Moment *all, unsigned number)
{
    Moment *moment = &all[number % RING];
    while (atomic_load_explicit(&moment->number, memory_order_acquire) != number + 1)
        ;
    return moment;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* @param takes  the answer and the data, or the answer alone
 * @return when a rank goes on whose message was sent and whose receive was posted then */
static int64_t due(int64_t sent_ns, int64_t posted_ns, int64_t bytes, int takes)
{
    return bytes <= own.eager ? takes == 2 ? sent_ns + own.later_ns : 0
                              : most(sent_ns + own.later_ns, posted_ns) + takes * own.later_ns;
}

static unsigned begin_message(int tag, int receives, int64_t bytes)
{
    unsigned *n = receives ? own.n_posted : own.n_sent, number = n[tag % TAGS]++;
    Told *mine = own.told[own.rank];
    tell(receives ? mine->posted[tag % TAGS] : mine->sent[tag % TAGS], number, bytes);
    return number;
}

/* Delay the end of a message that MPI has completed until the message is due. */
static void end_message(int tag, int receives, unsigned number)
{
    Told *sender = own.told[receives ? 1 - own.rank : own.rank],
         *receiver = own.told[receives ? own.rank : 1 - own.rank];
    const Moment *sent = hear(sender->sent[tag % TAGS], number);
    int64_t posted_ns = sent->bytes > own.eager ? hear(receiver->posted[tag % TAGS], number)->at_ns : 0;
    wait_until(due(sent->at_ns, posted_ns, sent->bytes, receives ? 2 : 1));
}

static int is_late(int other)
{
    return own.on && other == 1 - own.rank;
}

static void open_message(uint64_t request, int tag, int receives, unsigned number)
{
    if (own.n_open < REQUESTS)
        own.open[own.n_open++] = (Open){request, tag, number, receives};
}

/* Delay the end of a request that MPI has completed until its message is due. */
static void end_request(uint64_t request)
{
    for (unsigned i = 0; i < own.n_open; i++) {
        const Open open = own.open[i];
        if (open.request != request)
            continue;
        own.open[i] = own.open[--own.n_open];
        end_message(open.tag, open.receives, open.number);
        return;
    }
}

/* --- collectives that end later --- */

enum { ALL = -1 };
#define NONE UINT32_MAX

/* @return number of the collective, or NONE if this rank is alone in the communicator */
static unsigned begin_collective(MPI_Comm comm, int64_t bytes)
{
    int n = 0;
    PMPI_Comm_size(comm, &n);
    if (!own.on || n != RANKS)
        return NONE;
    tell(own.told[own.rank]->entered, own.n_entered, bytes);
    return own.n_entered++;
}

/* @param source  rank that sends the data, or ALL */
static void end_collective(unsigned number, int source)
{
    if (number == NONE)
        return;
    const Moment *mine = hear(own.told[own.rank]->entered, number);
    if (source == own.rank && mine->bytes <= own.eager)
        return; /* do not wait: the message is on its way, whether the other rank has entered or not */
    const Moment *other = hear(own.told[1 - own.rank]->entered, number);
    if (source != own.rank)
        wait_until(due(other->at_ns, mine->at_ns, most(mine->bytes, other->bytes), 2));
    if (source == own.rank || source == ALL)
        wait_until(due(mine->at_ns, other->at_ns, most(mine->bytes, other->bytes), 1));
}

/* --- MPI functions, for C and (with integer handles) for Fortran --- */

static int64_t bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (int64_t)count * size;
}

static int64_t fortran_bytes(const int *count, const int *type)
{
    return bytes_of(*count, PMPI_Type_f2c((MPI_Fint)*type));
}

static uint64_t key_of(MPI_Request request)
{
    uint64_t key = 0;
    memcpy(&key, &request, sizeof request);
    return key;
}

/* Define `behind`, the function that this one replaces, of Hiera or MPI. `parameters`: in parentheses. */
#define BEHIND(name, parameters)                                                                                       \
    static int(*behind) parameters;                                                                                    \
    if (!behind)                                                                                                       \
    *(void **)&behind = next(name)
#define FORTRAN_BEHIND(name, parameters)                                                                               \
    static void(*behind) parameters;                                                                                   \
    if (!behind)                                                                                                       \
    *(void **)&behind = next(name)

int MPI_Init(int *argc, char ***argv)
{
    BEHIND("MPI_Init", (int *, char ***));
    int result = behind(argc, argv);
    begin();
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    BEHIND("MPI_Init_thread", (int *, char ***, int, int *));
    int result = behind(argc, argv, required, provided);
    begin();
    return result;
}

void mpi_init_(int *error);
void mpi_init_(int *error)
{
    FORTRAN_BEHIND("mpi_init_", (int *));
    behind(error);
    begin();
}

#define SEND_PARAMETERS const void *buffer, int count, MPI_Datatype type, int other, int tag, MPI_Comm comm

int MPI_Send(SEND_PARAMETERS)
{
    BEHIND("MPI_Send", (SEND_PARAMETERS));
    enter_mpi();
    unsigned number = is_late(other) ? begin_message(tag, 0, bytes_of(count, type)) : 0;
    int result = behind(buffer, count, type, other, tag, comm);
    if (is_late(other))
        end_message(tag, 0, number);
    leave_mpi();
    return result;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int other, int tag, MPI_Comm comm, MPI_Status *status)
{
    BEHIND("MPI_Recv", (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *));
    enter_mpi();
    int late = is_late(other) || (own.on && other == MPI_ANY_SOURCE);
    unsigned number = late ? begin_message(tag, 1, 0) : 0;
    int result = behind(buffer, count, type, other, tag, comm, status);
    if (late)
        end_message(tag, 1, number);
    leave_mpi();
    return result;
}

int MPI_Isend(SEND_PARAMETERS, MPI_Request *request)
{
    BEHIND("MPI_Isend", (SEND_PARAMETERS, MPI_Request *));
    enter_mpi();
    unsigned number = is_late(other) ? begin_message(tag, 0, bytes_of(count, type)) : 0;
    int result = behind(buffer, count, type, other, tag, comm, request);
    if (is_late(other))
        open_message(key_of(*request), tag, 0, number);
    leave_mpi();
    return result;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int other, int tag, MPI_Comm comm, MPI_Request *request)
{
    BEHIND("MPI_Irecv", (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *));
    enter_mpi();
    int late = is_late(other) || (own.on && other == MPI_ANY_SOURCE);
    unsigned number = late ? begin_message(tag, 1, 0) : 0;
    int result = behind(buffer, count, type, other, tag, comm, request);
    if (late)
        open_message(key_of(*request), tag, 1, number);
    leave_mpi();
    return result;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    BEHIND("MPI_Wait", (MPI_Request *, MPI_Status *));
    enter_mpi();
    uint64_t key = key_of(*request);
    int result = behind(request, status);
    end_request(key);
    leave_mpi();
    return result;
}

int MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
    BEHIND("MPI_Waitall", (int, MPI_Request *, MPI_Status *));
    uint64_t keys[REQUESTS];
    enter_mpi();
    for (int i = 0; i < n && i < REQUESTS; i++)
        keys[i] = key_of(requests[i]);
    int result = behind(n, requests, statuses);
    for (int i = 0; i < n && i < REQUESTS; i++)
        end_request(keys[i]);
    leave_mpi();
    return result;
}

int MPI_Sendrecv(const void *sent, int n_sent, MPI_Datatype sent_type, int dest, int sent_tag, void *received,
                 int n_received, MPI_Datatype received_type, int source, int received_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    BEHIND("MPI_Sendrecv",
           (const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *));
    enter_mpi();
    unsigned receive = is_late(source) ? begin_message(received_tag, 1, 0) : 0;
    unsigned send = is_late(dest) ? begin_message(sent_tag, 0, bytes_of(n_sent, sent_type)) : 0;
    int result = behind(sent, n_sent, sent_type, dest, sent_tag, received, n_received, received_type, source,
                        received_tag, comm, status);
    if (is_late(source))
        end_message(received_tag, 1, receive);
    if (is_late(dest))
        end_message(sent_tag, 0, send);
    leave_mpi();
    return result;
}

/* X(name in C, parameters, arguments for the replaced function, bytes that are sent, rank that sends or ALL) */
#define COLLECTIVES(X)                                                                                                 \
    X(MPI_Barrier, (MPI_Comm comm), (comm), 0, ALL)                                                                    \
    X(MPI_Bcast, (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm), (buffer, n, type, root, comm),     \
      bytes_of(n, type), root)                                                                                         \
    X(MPI_Reduce, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),          \
      (from, to, n, type, op, root, comm), bytes_of(n, type), 1 - root)                                                \
    X(MPI_Allreduce, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                 \
      (from, to, n, type, op, comm), bytes_of(n, type), ALL)                                                           \
    X(MPI_Allgather,                                                                                                   \
      (const void *from, int n, MPI_Datatype type, void *to, int n_to, MPI_Datatype type_to, MPI_Comm comm),           \
      (from, n, type, to, n_to, type_to, comm), bytes_of(n, type), ALL)                                                \
    X(MPI_Allgatherv,                                                                                                  \
      (const void *from, int n, MPI_Datatype type, void *to, const int *n_to, const int *places, MPI_Datatype type_to, \
       MPI_Comm comm),                                                                                                 \
      (from, n, type, to, n_to, places, type_to, comm), bytes_of(n, type), ALL)                                        \
    X(MPI_Alltoall,                                                                                                    \
      (const void *from, int n, MPI_Datatype type, void *to, int n_to, MPI_Datatype type_to, MPI_Comm comm),           \
      (from, n, type, to, n_to, type_to, comm), bytes_of(n, type), ALL)                                                \
    X(MPI_Alltoallv,                                                                                                   \
      (const void *from, const int *n, const int *places, MPI_Datatype type, void *to, const int *n_to,                \
       const int *places_to, MPI_Datatype type_to, MPI_Comm comm),                                                     \
      (from, n, places, type, to, n_to, places_to, type_to, comm), bytes_of(n[1 - own.rank], type), ALL)
#define X(name, parameters, arguments, bytes, source)                                                                  \
    int name parameters                                                                                                \
    {                                                                                                                  \
        BEHIND(#name, parameters);                                                                                     \
        enter_mpi();                                                                                                   \
        unsigned number = begin_collective(comm, bytes);                                                               \
        int result = behind arguments;                                                                                 \
        end_collective(number, source);                                                                                \
        leave_mpi();                                                                                                   \
        return result;                                                                                                 \
    }
COLLECTIVES(X)
#undef X

/* X(name, parameters, arguments for the replaced function, code before its call, code after its call) */
#define FORTRAN(X)                                                                                                     \
    X(mpi_send_, (void *buffer, int *n, int *type, int *other, int *tag, int *comm, int *error),                       \
      (buffer, n, type, other, tag, comm, error),                                                                      \
      number = is_late(*other) ? begin_message(*tag, 0, fortran_bytes(n, type)) : 0,                                   \
      is_late(*other) ? end_message(*tag, 0, number) : (void)0)                                                        \
    X(mpi_recv_, (void *buffer, int *n, int *type, int *other, int *tag, int *comm, void *status, int *error),         \
      (buffer, n, type, other, tag, comm, status, error), number = is_late(*other) ? begin_message(*tag, 1, 0) : 0,    \
      is_late(*other) ? end_message(*tag, 1, number) : (void)0)                                                        \
    X(mpi_isend_, (void *buffer, int *n, int *type, int *other, int *tag, int *comm, int *request, int *error),        \
      (buffer, n, type, other, tag, comm, request, error),                                                             \
      number = is_late(*other) ? begin_message(*tag, 0, fortran_bytes(n, type)) : 0,                                   \
      is_late(*other) ? open_message((uint64_t)*request, *tag, 0, number) : (void)0)                                   \
    X(mpi_irecv_, (void *buffer, int *n, int *type, int *other, int *tag, int *comm, int *request, int *error),        \
      (buffer, n, type, other, tag, comm, request, error), number = is_late(*other) ? begin_message(*tag, 1, 0) : 0,   \
      is_late(*other) ? open_message((uint64_t)*request, *tag, 1, number) : (void)0)                                   \
    X(mpi_wait_, (int *request, void *status, int *error), (request, status, error), number = (unsigned)*request,      \
      end_request(number))                                                                                             \
    X(mpi_barrier_, (int *comm, int *error), (comm, error), number = begin_collective(PMPI_Comm_f2c(*comm), 0),        \
      end_collective(number, ALL))                                                                                     \
    X(mpi_bcast_, (void *buffer, int *n, int *type, int *root, int *comm, int *error),                                 \
      (buffer, n, type, root, comm, error), number = begin_collective(PMPI_Comm_f2c(*comm), fortran_bytes(n, type)),   \
      end_collective(number, *root))                                                                                   \
    X(mpi_reduce_, (void *from, void *to, int *n, int *type, int *op, int *root, int *comm, int *error),               \
      (from, to, n, type, op, root, comm, error),                                                                      \
      number = begin_collective(PMPI_Comm_f2c(*comm), fortran_bytes(n, type)), end_collective(number, 1 - *root))      \
    X(mpi_allreduce_, (void *from, void *to, int *n, int *type, int *op, int *comm, int *error),                       \
      (from, to, n, type, op, comm, error), number = begin_collective(PMPI_Comm_f2c(*comm), fortran_bytes(n, type)),   \
      end_collective(number, ALL))
#define X(name, parameters, arguments, before, after)                                                                  \
    void name parameters;                                                                                              \
    void name parameters                                                                                               \
    {                                                                                                                  \
        unsigned number;                                                                                               \
        FORTRAN_BEHIND(#name, parameters);                                                                             \
        enter_mpi();                                                                                                   \
        before;                                                                                                        \
        behind arguments;                                                                                              \
        after;                                                                                                         \
        leave_mpi();                                                                                                   \
    }
FORTRAN(X)
