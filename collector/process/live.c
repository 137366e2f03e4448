/* See live.h. All memory is read twice. If nothing has changed from the first to the second time, it is as it was at
 * one moment in between; this is so for a process that waits or computes. */
#include "live.h"

#include "base/lock.h"
#include "base/message.h"
#include "base/safe_file.h"
#include "document/session_state.h"
#include "document/trace_document.h"
#include "job/job.h"
#include "places/call_site.h"
#include "record/record.h"
#include "store/container.h"
#include "store/own_file.h"
#include "write/level_ops.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 400, TRIES_AT_REST = 40, THREADS = 1024 };

/* Ends of the threads' records when their memory was read the first time. */
static struct {
    const HieraThread *thread;
    const char *next;
} ends[THREADS];

static size_t n_ends;

static bool has_thread(const HieraThread *thread)
{
    return hiera_taken_has(thread, sizeof *thread) && thread->next >= thread->base &&
           hiera_taken_has(thread->base, (size_t)(thread->next - thread->base));
}

/* Note the ends of all threads. Returns false if the list is not whole: it has changed while it was read. */
static bool note_ends(void)
{
    n_ends = 0;
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        if (n_ends == THREADS || !has_thread(thread))
            return false;
        ends[n_ends].thread = thread;
        ends[n_ends++].next = thread->next;
    }
    return true;
}

/* Return the last record that begins before `end`; NULL: there is none, or the records are not whole. */
static const HieraRecord *last_before(const HieraThread *thread, const char *end)
{
    const HieraRecord *last = NULL;
    for (const char *at = thread->written; at < end; at += last->bytes) {
        last = (const HieraRecord *)(const void *)at;
        if (last->bytes == 0 || last->bytes % 8 != 0)
            return NULL;
    }
    return last;
}

/* The thread has gone on while its memory was read: end its records before the last one that it had at first. */
static bool cut(HieraThread *thread, const char *end, uint64_t *until)
{
    const HieraRecord *last = last_before(thread, end);
    if (thread->written < end && !last)
        return false;
    thread->next = last ? (char *)(uintptr_t)last : thread->written;
    thread->open = NULL;
    thread->n_open = thread->n_recorded = 0;
    thread->callbacks = NULL;
    thread->inside = 0;
    thread->walked = NULL;
    if (last && last->start < *until)
        *until = last->start;
    return true;
}

static bool cut_all(uint64_t *until)
{
    size_t i = 0;
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread, i++) {
        if (i >= n_ends || ends[i].thread != thread || !has_thread(thread) || ends[i].next < thread->written ||
            ends[i].next > thread->next)
            return false;
        if (ends[i].next != thread->next && !cut(thread, ends[i].next, until))
            return false;
    }
    return i == n_ends;
}

static bool read_header(int file, HieraKeptHeader *header)
{
    return pread(file, header, sizeof *header, 0) == (ssize_t)sizeof *header;
}

/* Read the memory twice. Returns whether *until is a time up to which everything is known. @param busy  also if the
 * process goes on meanwhile */
static bool read_twice(int file, const HieraKeptHeader *header, bool busy, uint64_t *until)
{
    static HieraKeptHeader now;
    bool same, whole = true;
    uint64_t begin = hiera_clock_ticks();
    if (!hiera_taken_read(file, &same) || (busy && !note_ends()))
        return false;
    uint64_t turns = hiera_lock_turns;
    *until = hiera_clock_ticks();
    if (!hiera_taken_read(file, &same) || !read_header(file, &now) ||
        memcmp(now.pieces, header->pieces, sizeof now.pieces) != 0)
        return false;
    if (!same && busy) {
        *until = begin;
        whole = turns % 2 == 0 && hiera_lock_turns == turns && cut_all(until);
    }
    return same || (busy && whole);
}

HieraTakenMemory hiera_live_take(int file, HieraKeptHeader *header, uint64_t *until)
{
    static const struct timespec moment = {0, 300000};
    for (int i = 0; i < TRIES; i++) {
        if (!read_header(file, header))
            return HIERA_TAKEN_DAMAGED;
        HieraTakenMemory taken = hiera_taken_reserve(file, header);
        if (taken != HIERA_TAKEN || read_twice(file, header, i >= TRIES_AT_REST, until))
            return taken;
        hiera_taken_drop();
        nanosleep(&moment, NULL);
    }
    return HIERA_TAKEN_DAMAGED;
}

bool hiera_live_is_whole(const HieraThread *thread)
{
    const HieraRecord *last = last_before(thread, thread->next);
    return thread->written == thread->next || (last && (const char *)last + last->bytes == thread->next);
}

/* --- what a process does, without its files --- */

static const HieraThread *main_thread(void)
{
    const HieraThread *thread = hiera_session.threads;
    while (thread && thread->number != 0)
        thread = thread->next_thread;
    return thread;
}

/* Return the time in nanoseconds of a span in ticks, by the mean speed of the clock since MPI_Init. */
static uint64_t span_ns(uint64_t ticks, uint64_t until)
{
    uint64_t all = until - hiera_job.init_ticks;
    int64_t ns = hiera_clock_difference_ns(hiera_job.init_ticks, until);
    return all > 0 && ns > 0 ? (uint64_t)((double)ticks / (double)all * (double)ns) : 0;
}

void hiera_live_look(uint64_t until, unsigned seconds, HieraLook *look)
{
    uint64_t since = until - hiera_clock_ticks_of(seconds * UINT64_C(1000000000));
    const HieraThread *thread = main_thread();
    const HieraRecord *longest = NULL;
    uint64_t sum = thread ? thread->mpi_ticks : 0, most = 0;
    for (const char *at = thread ? thread->base : NULL; thread && at < thread->next;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        uint64_t end = record->call < HIERA_RECORD_CALLS ? 0 : record->finish != 0 ? record->finish : until;
        uint64_t time = end > record->start ? end - record->start : 0;
        sum += time;
        if (time > most && end >= since) {
            longest = record;
            most = time;
        }
        at += record->bytes;
    }
    *look = (HieraLook){span_ns(sum, until), span_ns(most, until), "", ""};
    if (longest) {
        look->name = hiera_level.name(longest);
        look->site = hiera_site_resolve(longest->site)->attributes;
    }
}

/* --- copies of files --- */

/* Copy what the trace has up to its tail, which is written anew. */
static int copy_bytes(const HieraTraceFile *stream, HieraStore *to)
{
    static char piece[256 << 10];
    for (uint64_t at = 0; at < stream->safe;) {
        size_t most = stream->safe - at < sizeof piece ? (size_t)(stream->safe - at) : sizeof piece;
        ssize_t n = hiera_store_read_at(stream->store, piece, most, at);
        int error = n > 0 ? hiera_store_write_at(to, piece, (size_t)n, at) : n == 0 ? ESTALE : errno;
        if (error != 0)
            return error;
        at += (uint64_t)n;
    }
    return 0;
}

static const char *copy_file(HieraTraceFile *stream, const char *path)
{
    int error, fd = hiera_file_open(path, O_RDWR | O_CREAT | O_TRUNC, &error);
    HieraStore *copy = fd < 0 ? NULL : hiera_own_file_make(path, fd, &error);
    if (copy)
        error = copy_bytes(stream, copy);
    if (error != 0)
        return hiera_message_of(error);
    stream->store = copy;
    stream->file_end = stream->safe;
    return NULL;
}

static const char *copy_part(const char *folder, HieraTraceFile *part, const char *name, unsigned number)
{
    char path[PATH_MAX];
    if (!part || part == hiera_session.main || !part->store)
        return NULL;
    snprintf(path, sizeof path, "%s/.trace%d.%s%u.part", folder, hiera_job.rank, name, number);
    return copy_file(part, path);
}

const char *hiera_live_copy_files(const char *folder)
{
    char path[PATH_MAX];
    hiera_session.dir = (char *)(uintptr_t)folder;
    hiera_container_forget();
    if (!hiera_trace_path(path, sizeof path, hiera_job.rank))
        return hiera_message_of(ENAMETOOLONG);
    const char *problem = copy_file(hiera_session.main, path);
    if (!problem)
        problem = copy_part(folder, hiera_session.ended, "ended", 0);
    for (HieraThread *thread = hiera_session.threads; thread && !problem; thread = thread->next_thread)
        problem = copy_part(folder, thread->stream, "thread", thread->number);
    return problem;
}
