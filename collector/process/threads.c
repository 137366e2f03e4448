#include "threads.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/settings.h"
#include "base/writer_stack.h"
#include "document/callback_records.h"
#include "document/processor_time.h"
#include "document/session_state.h"
#include "document/summary.h"
#include "document/thread_buffer.h"
#include "document/trace_document.h"
#include "expect/expect.h"
#include "generations.h"
#include "latest/open_begins.h"
#include "loops/thread_number.h"
#include "loops/timing.h"
#include "memory/kept_memory.h"
#include "probing/probed.h"
#include "profile/fold.h"
#include "profile/repeats.h"
#include "profile/switch_over.h"
#include "record/assertion.h"
#include "record/instrumented_functions.h"
#include "record/measured.h"
#include "record/open_regions.h"
#include "record/region_counters.h"
#include "record/unbalanced.h"
#include "sampling/sampling.h"
#include "signal_stack.h"
#include "write/call_dictionary.h"
#include "write/level_ops.h"
#include "write/totals_format.h"
#include "write/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Size of the alternate signal stack. Our handler switches to another stack if it needs more; handlers of the program
 * may run on the alternate stack too. It lies directly before the thread's state, where an overflow overwrites
 * no memory of ours. */
enum { SIGNAL_STACK = 64 << 10 };

/* The kernel often maps the state of a thread just below the guard page of its stack. A function with a large frame may
 * step over that page, so behind the state there is a gap that is protected from access. */
enum { GUARD = 64 << 10 };

static pthread_key_t thread_key;
static bool has_key;

static char *map(size_t bytes)
{
    void *memory = mmap(hiera_kept_place(bytes), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void unlist(HieraThread *thread)
{
    HieraThread **link = &hiera_session.threads;
    while (*link && *link != thread)
        link = &(*link)->next_thread;
    if (*link)
        *link = thread->next_thread;
}

/* Free the memory that records in the buffer have outside of it. Only when the records are not needed any more: after a
 * flush that fails or is on trial, they are written again. */
static void drop_records(HieraThread *thread)
{
    for (const char *at = thread->base; thread->has_blocks && at < thread->next;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (record->call >= HIERA_RECORD_CALLS)
            hiera_level.drop(record);
        at += record->bytes;
    }
    thread->has_blocks = false;
}

/* Add the time of the calls in the buffer to the thread's: who asks the running process (live.h) needs it. */
static void sum_calls(HieraThread *thread)
{
    for (const char *at = thread->base; at < thread->next;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (record->call >= HIERA_RECORD_CALLS && record->finish > record->start)
            thread->mpi_ticks += record->finish - record->start;
        at += record->bytes;
    }
}

static void *signal_stack_of(HieraThread *thread)
{
    return (char *)thread - SIGNAL_STACK;
}

/* Return the bytes for the signal stack and the state of a thread, whole pages whatever the page size is. */
static size_t state_bytes(void)
{
    size_t bytes = hiera_settings.trace ? sizeof(HieraThread) : HIERA_UNTRACED_MAX;
    return SIGNAL_STACK + ((bytes + GUARD - 1) & ~(size_t)(GUARD - 1));
}

static void free_state(HieraThread *thread)
{
    hiera_kept_forget(thread);
    munmap(signal_stack_of(thread), state_bytes() + GUARD);
}

static void free_thread(HieraThread *thread)
{
    hiera_open_free(thread);
    hiera_measure_free(thread);
    hiera_region_counters_free(thread);
    hiera_names_free(thread);
    hiera_buffer_free(thread);
    hiera_callbacks_free(thread->callbacks);
    free_state(thread);
}

static void end_thread(void *argument)
{
    HieraThread *thread = argument;
    hiera_open_note_all(thread);
    hiera_open_write_pending(thread);
    hiera_open_put_shorts(thread);
    hiera_clock_anchor();
    hiera_threads_write(thread, true, HIERA_FLUSH_MORE);
    hiera_threads_write_sums(thread, HIERA_FLUSH_LAST);
    hiera_profile_end_thread(thread);
    hiera_generations_end_thread(thread);
    hiera_trace_end_thread(thread);
    hiera_balance_end_thread(thread);
    hiera_session.lost_inside += thread->lost_inside;
    hiera_session.lost_in_callbacks += hiera_callbacks_lost(thread);
    hiera_session.lost_open += thread->lost_open;
    hiera_session.lost_unwritten += thread->lost_unwritten;
    hiera_sampling_end_thread(thread);
    hiera_expect_end_thread(thread);
    hiera_probed_end_thread(thread);
    unlist(thread);
    drop_records(thread);
    int tid = thread->tid;
    free_thread(thread);
    hiera_usage_end_thread(tid);
}

/* Write the records of a thread that ends, as a section of the trace, and free the thread's memory. */
static void on_thread_exit(void *argument)
{
    HieraThread *thread = argument;
    int saved_errno = errno;
    hiera_timing_note();
    if (thread->inside != 0) /* the thread has ended inside an MPI call, or has left the call by longjmp */
        hiera_call_left(thread);
    hiera_callbacks_merge(thread);
    bool is_main = thread->number == 0, entered = hiera_lock_enter();
    if (!is_main)
        hiera_measure_stop(thread); /* stop measuring for assertions also if the rest of the thread's state is kept */
    if (entered && !hiera_life.closed && hiera_life.joined && !is_main) {
        hiera_thread = NULL;
        hiera_signal_stack_take(signal_stack_of(thread));
        hiera_stack_run(end_thread, thread);
    }
    if (entered)
        hiera_lock_leave();
    if (!is_main) /* the main thread's state is still needed: its records are written when the process ends */
        hiera_level.end_thread();
    errno = saved_errno;
}

void hiera_threads_load(void)
{
    hiera_buffer_check();
    has_key = pthread_key_create(&thread_key, on_thread_exit) == 0;
}

void hiera_threads_renew(void)
{
    hiera_thread_numbers = 1;
    hiera_thread_number = 0;
    hiera_thread = NULL;
    if (has_key)
        pthread_setspecific(thread_key, NULL);
}

_Static_assert(sizeof(HieraThread) <= HIERA_KEPT_PAGE, "the state of a thread is kept in a page");

/* Make the state and buffer of this thread. Without malloc, as MPI_Abort in a signal handler may be its first call. */
static HieraThread *new_thread(void)
{
    char *memory = map(state_bytes() + GUARD);
    if (!memory)
        return NULL;
    mprotect(memory + state_bytes(), GUARD, PROT_NONE);
    HieraThread *thread = (HieraThread *)(void *)(memory + SIGNAL_STACK);
    hiera_kept_cover(thread, HIERA_KEPT_PAGE);
    if (!hiera_buffer_make(thread)) {
        free_state(thread);
        return NULL;
    }
    return thread;
}

static bool enlist(HieraThread *thread)
{
    if (!hiera_lock_enter())
        return false;
    thread->tid = (int)syscall(SYS_gettid);
    thread->number = thread->tid == getpid() ? 0 : hiera_thread_number_take();
    if (thread->number != 0)
        hiera_usage_begin_thread();
    thread->next_thread = hiera_session.threads;
    hiera_session.threads = thread;
    hiera_lock_leave();
    return true;
}

HieraThread *hiera_threads_begin(void)
{
    HieraThread *thread = new_thread();
    if (!thread)
        __atomic_add_fetch(&hiera_session.lost_threads, 1, __ATOMIC_RELAXED);
    if (!thread)
        return NULL;
    if (!enlist(thread)) {
        free_thread(thread);
        return NULL;
    }
    thread->unkept = hiera_unattached;
    hiera_unattached = (HieraUnkept){0};
    hiera_thread = thread;
    hiera_functions_attach();
    hiera_signal_stack_give(signal_stack_of(thread), SIGNAL_STACK);
    if (has_key)
        pthread_setspecific(thread_key, thread);
    hiera_sampling_begin_thread(thread);
    return thread;
}

/* Return the file of a thread. The main thread writes to the trace itself; each other thread writes to a separate file,
 * which becomes a section of the trace. */
static HieraTraceFile *stream_of(HieraThread *thread)
{
    if (thread->lost_unwritten > 0 && !thread->stream) /* no file: begins of open regions of the thread are lost */
        return NULL;
    if (!thread->stream && thread->number == 0) {
        if (hiera_trace_open())
            thread->stream = hiera_session.main;
    } else if (!thread->stream) {
        thread->stream = hiera_trace_new_part(thread->number);
    }
    if (thread->stream)
        hiera_repeats_begin(thread->stream);
    return thread->stream;
}

/* Return the function that writes the tail (the rewritable end) of a thread's file. */
static void (*tail_of(const HieraThread *thread))(HieraTraceFile *)
{
    return thread->number == 0 ? hiera_trace_tail : hiera_totals_put;
}

/* Write the records up to `end` in one flush: all of them or none. Returns whether they were written. */
static bool write_part(HieraThread *thread, const char *end, bool all, HieraFlush flush)
{
    HieraTraceFile *stream = thread->stream;
    hiera_trace_file_begin(stream);
    const char *reached = hiera_writer_write(stream, thread->written, end, all);
    hiera_trace_file_notes(&thread->written, (char *)reached);
    bool good = hiera_trace_file_end(stream, tail_of(thread), flush);
    if (hiera_lock_care() == HIERA_CARE_TAKEN)
        /* The declarations were made in a signal handler, with call sites without names: do not use them again. */
        hiera_dictionary_forget(stream->dictionary);
    return good;
}

/* Return the end of the records, about a page of them, that begin at `from`. */
static const char *piece_end(const char *from, const char *end)
{
    enum { PIECE = 4 << 10 };
    const char *at = from;
    do
        at += ((const HieraRecord *)(const void *)at)->bytes;
    while (at < end && at - from < PIECE);
    return at < end ? at : end;
}

/* Write what still fits, after a failure (probably the disk is full), and count the other operations as lost. */
static void write_what_fits(HieraThread *thread, const char *end)
{
    HieraTraceFile *stream = thread->stream;
    while (thread->written < end && write_part(thread, piece_end(thread->written, end), true, HIERA_FLUSH_MORE))
        ;
    int error = stream->error;
    hiera_writer_skip(stream, thread->written, end);
    thread->written = (char *)end;
    hiera_trace_file_begin(stream);
    hiera_trace_file_end(stream, tail_of(thread), HIERA_FLUSH_MORE);
    stream->error = error;
}

/* Count all operations up to `end` as lost, because there is no memory for a file. */
static void lose_records(HieraThread *thread, const char *end)
{
    for (const char *at = thread->written; at < end; at += ((const HieraRecord *)(const void *)at)->bytes) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        if (record->call == HIERA_RECORD_COUNTED)
            thread->lost_unwritten += ((const HieraCountedRecord *)(const void *)record)->count;
        else if (record->call >= HIERA_RECORD_CALLS || record->call == HIERA_RECORD_REGION ||
                 record->call == HIERA_RECORD_FUNCTION)
            thread->lost_unwritten++;
    }
    thread->written = (char *)end;
}

/* Whether the trace has reached the size limit of HIERA_MODE. */
static bool is_limited(void)
{
    uint64_t bytes = 0;
    if (hiera_settings.mode.limit == 0)
        return false;
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        bytes += thread->stream && thread->stream != hiera_session.main ? thread->stream->safe : 0;
    bytes += hiera_session.main ? hiera_session.main->safe : 0;
    bytes += hiera_session.ended ? hiera_session.ended->safe : 0;
    return bytes >= hiera_settings.mode.limit;
}

/* Whether the next records of a thread are added to sums, not written one by one. */
static bool has_sums(const HieraThread *thread)
{
    return hiera_profile_is_on() || thread->profile || (!thread->stream && is_limited());
}

/* Switch the thread from single operations to sums if the limit is reached. A thread without a trace file yet gets sums
 * only. */
static void go_over(HieraThread *thread)
{
    if (thread->stream && !thread->profile && is_limited()) {
        if (thread->stream->repeats)
            hiera_repeats_take_all(thread->stream);
        else
            hiera_switch_over_make(thread, tail_of(thread));
    }
}

static void put_part_tail(HieraTraceFile *stream)
{
    hiera_switch_over_put(stream);
    hiera_totals_put(stream);
}

void hiera_threads_write_sums(HieraThread *thread, HieraFlush flush)
{
    HieraTraceFile *stream = thread->stream;
    if (!thread->profile || !stream || stream == hiera_session.main)
        return;
    hiera_trace_file_begin(stream);
    hiera_trace_file_end(stream, put_part_tail, flush);
}

void hiera_threads_write(HieraThread *thread, bool all, HieraFlush flush)
{
    const char *end = __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE);
    hiera_sampling_tell(thread);
    if (flush != HIERA_FLUSH_TRIAL)
        hiera_expect_pass(thread, all);
    if (!hiera_settings.trace && flush != HIERA_FLUSH_TRIAL)
        thread->written = (char *)end;
    if (thread->written >= end || !hiera_settings.trace)
        return;
    if (has_sums(thread)) {
        if (hiera_trace_open())
            hiera_profile_fold(thread, all && flush != HIERA_FLUSH_TRIAL);
        return;
    }
    if (hiera_settings.mode.limit > 0 && all && flush == HIERA_FLUSH_MORE &&
        !(thread->stream && thread->stream->repeats))
        hiera_profile_follow(thread->written, end);
    if (!stream_of(thread)) {
        if (flush != HIERA_FLUSH_TRIAL)
            lose_records(thread, end);
        return;
    }
    const char *begin = thread->written;
    bool good = write_part(thread, end, all, flush);
    if (!good && flush != HIERA_FLUSH_TRIAL && hiera_generations_make_room() && stream_of(thread))
        good = write_part(thread, end, all, flush);
    if (!good && flush != HIERA_FLUSH_TRIAL)
        write_what_fits(thread, end);
    hiera_generations_follow(thread, begin, thread->written, tail_of(thread));
}

/* Write those calls of another thread that have ended; the thread may still run. */
static void write_ended(HieraThread *thread)
{
    hiera_threads_write(thread, false, HIERA_FLUSH_MORE);
}

static void empty(HieraThread *thread)
{
    for (uint32_t i = 0; i < thread->n_open; i++)
        thread->open[i].record = NULL;
    if (hiera_settings.trace)
        sum_calls(thread);
    drop_records(thread);
    hiera_sampling_rewind(thread);
    hiera_expect_rewind(thread);
    if (thread->stream && thread->stream->repeats)
        hiera_repeats_rewind(thread->stream);
    hiera_buffer_reset(thread);
    if (hiera_open_tidy_names(thread) && thread->stream)
        hiera_dictionary_forget(thread->stream->dictionary);
}

static void record_flush(HieraThread *thread, uint64_t start)
{
    HieraRecord *record = (HieraRecord *)(void *)thread->next;
    record->bytes = HIERA_FLUSH_BYTES;
    record->call = HIERA_RECORD_FLUSH;
    record->start = start;
    record->finish = hiera_clock_ticks();
    hiera_record_take(thread, HIERA_FLUSH_BYTES);
}

typedef struct Flush {
    HieraThread *thread;
    uint64_t start; /* time in ticks, before waiting for the lock */
    bool good;
} Flush;

static void flush(void *argument)
{
    Flush *work = argument;
    HieraThread *thread = work->thread;
    work->good = !hiera_life.closed;
    if (!work->good || (!hiera_life.joined && hiera_buffer_grow(thread)))
        return;
    thread->is_writing = true;
    hiera_clock_anchor();
    hiera_usage_note();
    hiera_threads_write(thread, true, HIERA_FLUSH_MORE);
    empty(thread);
    go_over(thread);
    hiera_begins_settle(thread);
    hiera_generations_turn(write_ended);
    thread->is_writing = false;
    /* The duration of this flush is not recorded now: earlier records follow (see hiera_callbacks_merge()). */
    if (thread->is_merging && !thread->profile)
        return;
    if (thread->stream && !thread->profile) {
        record_flush(thread, work->start);
        hiera_run_summary_say_long(thread->stream);
    } else if (thread->profile) {
        hiera_profile_add_flush(thread, work->start, hiera_clock_ticks());
    }
}

bool hiera_flush(HieraThread *thread, size_t bytes)
{
    if (hiera_callbacks_wait(thread)) {
        hiera_callbacks_merge(thread);
        if ((size_t)(thread->limit - thread->next) >= bytes)
            return true;
    }
    if (thread->around)
        return hiera_callbacks_grow(thread, bytes);
    if (thread->n_recorded < thread->n_open) {
        hiera_open_write_pending(thread);
        if ((size_t)(thread->limit - thread->next) >= bytes)
            return true;
    }
    if (hiera_buffer_wants_wider(thread, bytes) && hiera_buffer_widen(thread, bytes))
        return true;
    int saved_errno = errno;
    uintptr_t saved_inside = thread->inside;
    Flush work = {thread, hiera_clock_ticks(), false};
    thread->inside =
        (uintptr_t)__builtin_frame_address(0); /* counts as a call: a signal handler must not record from here on */
    if (hiera_lock_enter()) {
        /* Without a trace, only rules look at the records: this takes less than two kilobytes of stack. */
        if (hiera_settings.trace || hiera_assertion_is_judged_now)
            hiera_stack_run(flush, &work);
        else
            flush(&work);
        hiera_open_write_pending(thread); /* begins of open regions, for which there was no room before */
        work.good = work.good && ((size_t)(thread->limit - thread->next) >= bytes || hiera_buffer_widen(thread, bytes));
        hiera_lock_leave();
    }
    thread->inside = saved_inside;
    errno = saved_errno;
    /* Signals were blocked here: meanwhile another thread may have received one, and written all records. */
    if (HIERA_UNLIKELY(hiera_may_be_idle()))
        hiera_idle_at_last();
    return work.good;
}
