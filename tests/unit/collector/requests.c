/* Numbers of requests with many threads; the test allocates handles as an MPI library does. However threads
 * interleave, each number that is given to a request must be completed exactly once.
 *
 * A handle can be shared by requests, or be reused by another thread before its completion is recorded. Then each of
 * the numbers is a valid choice for a call. A request with a handle of its own must complete its own number. Each case
 * runs in several processes, because a process has a limited number of queues. */
#include "../../../collector/mpi/handle/requests.h"
#include "../../../collector/mpi/call/array_arguments.h"
#include "../../../collector/mpi/handle/request_scratch.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    THREADS = 4,
    HANDLES = 200,
    ROUNDS = 20000,
    BATCH = 200,
    PROCESSES = 25,
    LISTED = 2,
    LONG = HIERA_PENDING_FEW + 1
};

static char places[HANDLES + 1]; /* addresses of these are handles: Open MPI uses pointers, MPICH numbers */
static pthread_barrier_t together;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int free_handles[THREADS], n_free;
static unsigned char completed[THREADS * ROUNDS + 1]; /* by number of a request: how often it was completed */
static uint32_t n_wrong;
static HieraCompleted put[LISTED]; /* by the last call that completed a list */

/* Stubs of functions that requests.c needs for calls with lists of requests. */
__thread HieraScratch hiera_scratch_now;

void hiera_scratch_note(void)
{
    if (hiera_scratch_now.listed > 0 && !hiera_scratch_now.noted)
        hiera_requests_note_listed(&hiera_scratch_now);
}

HieraScratch *hiera_scratch_other(int64_t count)
{
    (void)count;
    return NULL;
}

void *hiera_mpi_put_space(HieraThread *thread, HieraMpiRecord *record, unsigned argument, int64_t n,
                          size_t element_bytes, uint32_t *stored)
{
    (void)thread, (void)record, (void)argument;
    *stored = n <= LISTED && element_bytes == sizeof *put ? (uint32_t)n : 0;
    return put;
}

void hiera_thread_narrow(HieraThread *thread)
{
    (void)thread;
}

int64_t hiera_status_read_completed(const MPI_Status *status, int32_t *peer, int32_t *tag)
{
    (void)status, (void)peer, (void)tag;
    return 0;
}

static MPI_Request handle(int i)
{
    return (MPI_Request)(intptr_t)&places[i + 1];
}

static uint32_t settle(HieraPendingRequest *pending)
{
    hiera_request_settle(pending, true);
    uint32_t number = (uint32_t)pending->value;
    if (number > 0 && number < sizeof completed)
        __atomic_add_fetch(&completed[number], 1, __ATOMIC_RELAXED);
    else
        __atomic_add_fetch(&n_wrong, 1, __ATOMIC_RELAXED);
    return number;
}

/* Requests that are complete at once: all threads use the same handle, and begin to use it at the same time. */
static void *share(void *argument)
{
    (void)argument;
    for (int i = 0; i < HANDLES; i++) {
        HieraPendingRequest pending;
        pthread_barrier_wait(&together);
        hiera_request_new(handle(i), HIERA_REQUEST_PLAIN);
        hiera_request_note(&pending, handle(i));
        settle(&pending);
    }
    return NULL;
}

/* Many open requests with the same handle, so that the queue of the handle grows. */
static void *hoard(void *argument)
{
    (void)argument;
    for (int round = 0; round < ROUNDS / BATCH; round++) {
        HieraPendingRequest pending;
        for (int i = 0; i < BATCH; i++)
            hiera_request_new(handle(0), HIERA_REQUEST_PLAIN);
        for (int i = 0; i < BATCH; i++) {
            hiera_request_note(&pending, handle(0));
            settle(&pending);
        }
    }
    return NULL;
}

/* One thread: requests with the same handle are completed in the order of their creation. */
static void *queue_up(void *argument)
{
    uint32_t numbers[BATCH];
    HieraPendingRequest pending;
    (void)argument;
    for (int i = 0; i < BATCH; i++)
        numbers[i] = hiera_request_new(handle(0), HIERA_REQUEST_PLAIN);
    for (int i = 0; i < BATCH; i++) {
        hiera_request_note(&pending, handle(0));
        n_wrong += hiera_request_find(handle(0)) != numbers[i];
        n_wrong += settle(&pending) != numbers[i];
    }
    return NULL;
}

static void use_scratch(void)
{
    static HieraPendingRequest pending[LISTED];
    static MPI_Status statuses[LISTED];
    static MPI_Request kept[LISTED];
    static HieraHandleSlot *slots[LISTED];
    static HieraTestedList tested;
    memset(pending, 0x55, sizeof pending); /* what is not written must not be used */
    hiera_scratch_now = (HieraScratch){
        .count = LISTED, .pending = pending, .statuses = statuses, .requests = kept, .slots = slots, .tested = &tested};
}

/* A call completes two requests. Meanwhile the first one's handle is given to another request, by a callback. */
static void complete_two(bool is_recorded)
{
    static _Alignas(8) char room[sizeof(HieraMpiRecord) + sizeof(HieraTail)];
    HieraMpiRecord *record = (HieraMpiRecord *)(void *)room;
    HieraCompletion completion;
    MPI_Request list[LISTED] = {handle(0), handle(1)};
    uint32_t first = hiera_request_new(list[0], HIERA_REQUEST_OWN), other = 0;
    uint32_t second = hiera_request_new(list[1], HIERA_REQUEST_OWN);
    record->head.bytes = sizeof *record;
    hiera_requests_before(record, &completion, LISTED, list, MPI_STATUSES_IGNORE);
    if (is_recorded)
        hiera_scratch_note(); /* hiera_scratch_hold() does it */
    if (is_recorded)
        other = hiera_request_new(handle(0), HIERA_REQUEST_OWN);
    else
        hiera_request_unrecorded(handle(0), HIERA_REQUEST_OWN);
    list[0] = list[1] = MPI_REQUEST_NULL;
    hiera_requests_settle(&completion);
    hiera_requests_after(NULL, record, &completion, LISTED, NULL, -1);
    n_wrong += put[0].number != first || put[1].number != second;
    n_wrong += hiera_request_find(handle(0)) != other || hiera_scratch_now.listed != 0;
}

static void *call_back(void *argument)
{
    (void)argument;
    use_scratch();
    complete_two(true);
    complete_two(false);
    return NULL;
}

/* While a call waits, another thread begins to use MPI. */
static void *change_meanwhile(void *argument)
{
    static _Alignas(8) char room[sizeof(HieraMpiRecord) + sizeof(HieraTail)];
    HieraMpiRecord *record = (HieraMpiRecord *)(void *)room;
    HieraCompletion completion;
    HieraPendingList pending;
    MPI_Request list[LONG];
    (void)argument;
    use_scratch();
    for (int i = 0; i < LONG; i++)
        hiera_request_new(list[i] = handle(i), HIERA_REQUEST_OWN);
    record->head.bytes = sizeof *record;
    hiera_requests_before(record, &completion, LISTED, list, MPI_STATUSES_IGNORE);
    hiera_requests_by_one_thread = false;
    list[0] = list[1] = MPI_REQUEST_NULL;
    hiera_requests_settle(&completion);
    hiera_requests_after(NULL, record, &completion, LISTED, NULL, -1);
    n_wrong += put[0].number != 1 || put[1].number != 2;
    hiera_requests_by_one_thread = true;
    hiera_requests_note(&pending, LONG, list);
    for (int i = 0; i < LONG; i++)
        list[i] = MPI_REQUEST_NULL;
    hiera_requests_by_one_thread = false;
    hiera_requests_done(&pending, list);
    for (int i = 0; i < LONG; i++)
        n_wrong += hiera_request_find(handle(i)) != 0;
    return NULL;
}

static int allocate(void)
{
    pthread_mutex_lock(&lock);
    int i = free_handles[--n_free];
    pthread_mutex_unlock(&lock);
    return i;
}

static void release(int i)
{
    pthread_mutex_lock(&lock);
    free_handles[n_free++] = i;
    pthread_mutex_unlock(&lock);
}

/* Handles are reused: another request can get the handle of a completed request before the completion is recorded. */
static void *recycle(void *argument)
{
    unsigned seed = *(const unsigned *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        bool own = rand_r(&seed) % 4 == 0;
        HieraPendingRequest pending;
        int i = allocate();
        uint32_t number = hiera_request_new(handle(i), own ? HIERA_REQUEST_OWN : HIERA_REQUEST_PLAIN);
        hiera_request_note(&pending, handle(i));
        release(i);
        if (rand_r(&seed) % 64 == 0)
            sched_yield();
        uint32_t ended = settle(&pending);
        if (own && ended != number)
            __atomic_add_fetch(&n_wrong, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

/* Run a case in this process. Return the number of errors, at most 100.
 *
 * @param expected  requests 1 … expected must be completed once each */
static int run(void *(*work)(void *), int n_threads, uint32_t expected, unsigned seed)
{
    pthread_t threads[THREADS];
    unsigned seeds[THREADS];
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        free_handles[n_free++] = i;
    for (int i = 0; i < n_threads; i++) {
        seeds[i] = seed * THREADS + (unsigned)i;
        if (pthread_create(&threads[i], NULL, work, &seeds[i]) != 0)
            return 100;
    }
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t number = 1; number <= expected; number++)
        n_wrong += completed[number] != 1;
    return n_wrong > 100 ? 100 : (int)n_wrong;
}

static int check(const char *what, void *(*work)(void *), int n_threads, uint32_t expected)
{
    int wrong = 0;
    for (unsigned i = 0; i < PROCESSES; i++) {
        pid_t pid = fork();
        int status = 0;
        if (pid == 0)
            _exit(run(work, n_threads, expected, i));
        if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
            return 1;
        wrong += WEXITSTATUS(status);
    }
    if (wrong > 0)
        fprintf(stderr, "%s: %d numbers are not completed once\n", what, wrong);
    return wrong > 0;
}

int main(void)
{
    hiera_requests_by_one_thread = true;
    int failed = check("one after another, without locked instructions", queue_up, 1, BATCH);
    failed += check("many at once, without locked instructions", hoard, 1, ROUNDS);
    failed += check("recycled handles, without locked instructions", recycle, 1, ROUNDS);
    failed += check("handles that callbacks use again", call_back, 1, 0);
    failed += check("lists while threads begin to use MPI", change_meanwhile, 1, 0);
    hiera_requests_by_one_thread = false;
    failed += check("handles that callbacks use again, with threads", call_back, 1, 0);
    failed += check("one after another", queue_up, 1, BATCH);
    failed += check("shared handles", share, THREADS, THREADS * HANDLES);
    failed += check("many at once", hoard, THREADS, THREADS * ROUNDS);
    failed += check("recycled handles", recycle, THREADS, THREADS * ROUNDS);
    return failed > 0;
}
