/* Drops the facts of communicators, datatypes and groups that the program has freed, as soon as nothing refers to them:
 * no record in a buffer, no sum of filtered calls, and no part of a profile.
 *
 * A number is never used again, so it has one meaning in the whole trace. Freed objects wait in a list. When the list
 * is long enough, the buffers of all threads are searched for their numbers. This thread holds the session's lock, so
 * nothing is written meanwhile, and a buffer can only grow. Later records refer to an object that was freed before only
 * by mistake of the program, and the call that freed it already has its record. A closed session writes nothing, so it
 * drops facts at once. */
#include "base/life.h"
#include "base/lock.h"
#include "comms.h"
#include "document/session_state.h"
#include "handles.h"
#include "latest/kept_calls.h"
#include "memory/kept_heap.h"
#include "mpi/call/call_record.h"
#include "profile/awaited.h"
#include "types.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The buffers are searched when at least LEAST more objects wait, plus one more object per BYTES_EACH bytes of the last
 * search. */
enum { LEAST = 1024, BYTES_EACH = 256 };

/* A freed communicator, datatype or group, or a replaced text, whose facts are to be freed. */
typedef struct Released {
    uint32_t kind; /* a HieraHandleClass; for a text: HIERA_HANDLE_CLASS_COUNT */
    uint32_t number;
    char *text;
    bool is_named;
} Released;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Released *waiting;
static size_t n_waiting, room, due = LEAST;

static const struct {
    void (*forget)(uint32_t number);
    HieraDeclaredKind declared;
} kinds[HIERA_HANDLE_CLASS_COUNT] = {
    [HIERA_HANDLE_COMM] = {hiera_comm_forget, HIERA_DECLARED_COMM},
    [HIERA_HANDLE_TYPE] = {hiera_type_forget, HIERA_DECLARED_TYPE},
    [HIERA_HANDLE_GROUP] = {hiera_group_forget, HIERA_DECLARED_GROUP},
};

static int compare(const void *a, const void *b)
{
    const Released *one = a, *other = b;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

static void mark(HieraHandleClass kind, uint32_t number)
{
    number &= ~HIERA_HANDLE_FREED; /* the program uses it after all */
    Released *found =
        bsearch(&(Released){.kind = kind, .number = number}, waiting, n_waiting, sizeof *waiting, compare);
    if (found)
        found->is_named = true;
}

static bool waits(unsigned kind)
{
    return kind >= HIERA_ARGUMENT_HANDLE && kinds[kind - HIERA_ARGUMENT_HANDLE].forget;
}

/* Mark the numbers in a record's lists. Skip a call in progress: the program still uses the objects in its lists. */
static void mark_lists(const HieraMpiRecord *record, const HieraMpiCall *call)
{
    if (__atomic_load_n(&record->head.finish, __ATOMIC_ACQUIRE) == 0)
        return;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        const HieraTail *contents = hiera_mpi_tail_contents(tail);
        const HieraArgument *argument = hiera_tail_argument(call, tail);
        unsigned kind = argument ? argument->kind : 0;
        for (uint32_t i = 0; waits(kind) && i < contents->stored; i++)
            mark(kind - HIERA_ARGUMENT_HANDLE, ((const uint32_t *)(const void *)(contents + 1))[i]);
    }
}

static void mark_record(const HieraRecord *head)
{
    if (head->call < HIERA_RECORD_CALLS)
        return;
    const HieraMpiRecord *record = (const HieraMpiRecord *)head;
    const HieraMpiCall *call = &hiera_mpi_calls[head->call - HIERA_RECORD_CALLS];
    for (uint32_t set = hiera_call_present(call->sets.declared, record); set;) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        uint32_t number;
        memcpy(&number, (const char *)record + argument->offset, sizeof number);
        mark(argument->kind - HIERA_ARGUMENT_HANDLE, number);
    }
    mark_lists(record, call);
}

static void mark_comm(uint32_t number)
{
    mark(HIERA_HANDLE_COMM, number);
}

static void mark_sums(const HieraTraceFile *stream)
{
    for (size_t i = 0; stream && i < stream->sums.n; i++)
        if (stream->sums.rows[i].comm != HIERA_SUM_NO_COMM)
            mark(HIERA_HANDLE_COMM, stream->sums.rows[i].comm);
}

/* Mark the numbers that stand in the records of a thread's buffer. Returns how many bytes were searched. */
static size_t mark_thread(const HieraThread *thread)
{
    const char *end = __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE);
    for (const char *at = thread->base; at < end; at += ((const HieraRecord *)(const void *)at)->bytes)
        mark_record((const HieraRecord *)(const void *)at);
    if (thread->stream != hiera_session.main)
        mark_sums(thread->stream);
    mark_sums(thread->later);
    return (size_t)(end - thread->base);
}

static void forget(const Released *released)
{
    if (released->kind == HIERA_HANDLE_CLASS_COUNT) {
        hiera_kept_give(released->text);
        return;
    }
    HieraDeclaredKind declared = kinds[released->kind].declared;
    kinds[released->kind].forget(released->number);
    if (hiera_session.main)
        hiera_trace_file_forget_declared(hiera_session.main, declared, released->number);
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        if (thread->stream && thread->stream != hiera_session.main)
            hiera_trace_file_forget_declared(thread->stream, declared, released->number);
        if (thread->later)
            hiera_trace_file_forget_declared(thread->later, declared, released->number);
    }
}

/* Mark the numbers in records that are kept for a part of the trace that begins later. */
static void mark_kept(void)
{
    for (const HieraKeptCall *kept = hiera_kept_next(NULL); kept; kept = hiera_kept_next(kept))
        if (kept->record)
            mark_record(kept->record);
}

static void look_through(void)
{
    size_t bytes = 0, left = 0;
    qsort(waiting, n_waiting, sizeof *waiting, compare);
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        bytes += mark_thread(thread);
    mark_sums(hiera_session.main);
    hiera_awaited_name_comms(mark_comm);
    mark_kept();
    for (size_t i = 0; i < n_waiting; i++)
        if (waiting[i].is_named) {
            waiting[left] = waiting[i];
            waiting[left++].is_named = false;
        } else {
            forget(&waiting[i]);
        }
    n_waiting = left;
    __atomic_store_n(&due, left + LEAST + bytes / BYTES_EACH, __ATOMIC_RELAXED);
}

/* Search records for freed objects if enough wait. Not if closed (forked child): another process may have the lock. */
static void look_through_if_due(void)
{
    if (__atomic_load_n(&n_waiting, __ATOMIC_RELAXED) < __atomic_load_n(&due, __ATOMIC_RELAXED) || hiera_life.closed ||
        !hiera_lock_enter())
        return;
    pthread_mutex_lock(&lock);
    if (n_waiting >= due)
        look_through();
    pthread_mutex_unlock(&lock);
    hiera_lock_leave();
}

/* Note a freed object, whose facts stay until no record has its number. No memory for the note: they stay for ever. */
static void wait_for(Released released)
{
    pthread_mutex_lock(&lock);
    if (n_waiting == room) {
        size_t more = room ? 2 * room : LEAST;
        Released *larger = realloc(waiting, more * sizeof *larger);
        waiting = larger ? larger : waiting;
        room = larger ? more : room;
    }
    if (n_waiting < room) {
        waiting[n_waiting] = released;
        __atomic_store_n(&n_waiting, n_waiting + 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&lock);
    look_through_if_due();
}

void hiera_handle_released(HieraHandleClass kind, uint32_t number)
{
    if (number == 0 || !kinds[kind].forget)
        return;
    if (hiera_life.closed)
        kinds[kind].forget(number);
    else
        wait_for((Released){.kind = kind, .number = number});
}

void hiera_text_released(char *text)
{
    if (text && hiera_life.closed)
        hiera_kept_give(text);
    else if (text)
        wait_for((Released){.kind = HIERA_HANDLE_CLASS_COUNT, .text = text});
}
