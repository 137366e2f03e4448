/* See recover.h.
 *
 * Idea: map the memory of the killed process at its old addresses, give the kept variables their values, and then let
 * the writer do what it does when a process ends. A write that the kill interrupted is undone or finished as after a
 * fault. Pointers to memory that was not kept are cleared here. */
#include "recover.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/proc_maps.h"
#include "base/safe_file.h"
#include "document/processor_time.h"
#include "dtd/kept.h"
#include "generations.h"
#include "job/job.h"
#include "live.h"
#include "loops/kept_times.h"
#include "memory/kept_memory.h"
#include "memory/kept_process.h"
#include "memory/taken_memory.h"
#include "places/objects.h"
#include "profile/fold.h"
#include "record/open_regions.h"
#include "record/region_counters.h"
#include "record/region_names.h"
#include "recovered_maps.h"
#include "sampling/sampling.h"
#include "session.h"
#include "store/store.h"
#include "write/compress.h"
#include "write/element.h"
#include "write/trace_file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static HieraKeptHeader header; /* header in the file with the killed process's memory */
static HieraRecoverOrder order;
static uint64_t until; /* of a process that still runs: the time in ticks up to which its records are known */
static intptr_t moved; /* load address of libhiera here, minus that in the killed process */

static HieraRecoverStatus fail(HieraRecovered *recovered, const char *reason)
{
    snprintf(recovered->report, sizeof recovered->report, "%s", reason);
    return HIERA_RECOVER_FAILED;
}

/* --- memory of the killed process --- */

static const char *check_build(void)
{
    void *statics;
    size_t bytes;
    unsigned number;
    const HieraLoadedObject *own = hiera_object_find(&hiera_session, &number);
    hiera_kept_statics(&statics, &bytes);
    if (memcmp(header.magic, HIERA_KEPT_MAGIC, sizeof header.magic) != 0 || header.header_bytes != sizeof header ||
        !own || own->build_bytes != header.build_bytes || memcmp(own->build, header.build, own->build_bytes) != 0 ||
        header.statics_bytes != bytes)
        return "it was recorded with another build of libhiera";
    moved = (intptr_t)own->begin - (intptr_t)header.library_begin;
    return NULL;
}

static HieraRecoverStatus take_memory(HieraRecovered *recovered)
{
    bool may_change = order.lives || order.is_far;
    HieraTakenMemory taken =
        may_change ? hiera_live_take(order.file, &header, &until) : hiera_taken_map(order.file, &header);
    if (!order.lives)
        until = 0;
    if (taken == HIERA_TAKEN_DAMAGED)
        return fail(recovered, may_change ? "it writes its trace without a pause; try again" : "its file is damaged");
    return taken == HIERA_TAKEN ? HIERA_RECOVER_DONE : HIERA_RECOVER_AGAIN;
}

/* --- pointers into memory that was not kept --- */

/* Return the address here of a text in libhiera; NULL: the text is in another library, which is not loaded. */
static const char *moved_text(const char *text)
{
    bool is_ours = (uintptr_t)text >= header.library_begin && (uintptr_t)text < header.library_end;
    return is_ours ? text + moved : NULL;
}

/* Remove records of counters if the counters here differ from those of the killed process. */
static void check_counters(HieraThread *thread)
{
    size_t expected = sizeof(HieraCountersRecord) + hiera_region_counters.n * sizeof(double);
    for (char *at = thread->written; at < thread->next;) {
        HieraRecord *record = (HieraRecord *)(void *)at;
        size_t bytes = record->bytes;
        if (record->call == HIERA_RECORD_COUNTERS && bytes != expected) {
            memmove(at, at + bytes, (size_t)(thread->next - at) - bytes);
            thread->next -= bytes;
        } else {
            at += bytes;
        }
    }
}

static bool repair_thread(HieraThread *thread)
{
    if (!hiera_taken_has(thread->base, (size_t)(thread->next - thread->base)) ||
        (order.is_far && !hiera_live_is_whole(thread)))
        return false;
    thread->measuring = NULL;
    thread->counting = NULL;
    thread->expecting = NULL;
    thread->probed = NULL;
    thread->is_writing = false;
    hiera_names_recover(thread);
    check_counters(thread);
    if (thread->open && hiera_taken_has(thread->open - 1, (thread->n_open + 1) * sizeof *thread->open))
        hiera_open_put_shorts(thread); /* make records of short function calls, which have been only counted so far */
    return true;
}

static bool repair(void)
{
    HieraEnd *end = &hiera_session.end;
    hiera_life.closed = false;
    hiera_life.joined = hiera_life.recovers = true;
    hiera_life.pid = (pid_t)header.process.pid;
    hiera_session.broken = false;
    hiera_session.said_lost = true;
    hiera_sampling_recover();
    hiera_kept_times_recover(moved_text);
    end->cause = end->cause ? moved_text(end->cause) : NULL;
    end->name = end->name ? moved_text(end->name) : NULL;
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (!hiera_taken_has(thread, sizeof *thread) || !repair_thread(thread))
            return false;
    return true;
}

/* --- files of the killed process --- */

static const char *open_stream(HieraTraceFile *stream)
{
    int error = stream ? hiera_trace_file_open_again(stream, moved, order.copies) : 0;
    if (error == 0)
        return NULL;
    if (error == ESTALE)
        return "its trace was replaced by another one";
    if (error == HIERA_ERROR_BUSY)
        return "it is still running";
    if (error == HIERA_ERROR_FOREIGN)
        return "its trace is no file";
    return hiera_message_of(error);
}

static const char *open_streams(void)
{
    hiera_generations_recover(&header);
    const char *problem =
        !hiera_session.main || !hiera_session.main->store ? "it had no trace yet" : open_stream(hiera_session.main);
    if (!problem)
        problem = open_stream(hiera_session.ended);
    for (HieraThread *thread = hiera_session.threads; thread && !problem; thread = thread->next_thread)
        if (thread->stream != hiera_session.main)
            problem = open_stream(thread->stream);
    if (problem)
        return problem;
    hiera_trace_file_recover();
    if (order.copies)
        return hiera_live_copy_files(order.copies);
    hiera_trace_file_measure(hiera_session.main);
    if (hiera_session.ended)
        hiera_trace_file_measure(hiera_session.ended);
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->stream && thread->stream != hiera_session.main)
            hiera_trace_file_measure(thread->stream);
    return NULL;
}

static uint64_t count_operations(void)
{
    uint64_t n = hiera_session.main->operations + hiera_profile_operations();
    n += hiera_session.ended ? hiera_session.ended->operations : 0;
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        n += thread->stream && thread->stream != hiera_session.main ? thread->stream->operations : 0;
    return n;
}

/* --- faults in hiera-recover itself --- */

static struct {
    HieraStore *store;
    uint64_t begin;
    char *bytes;
    size_t n;
} tail; /* the end of the trace file, as it was before this process overwrites it */

static void on_fault(int number)
{
    static const char words[] = "hiera-recover: a fault; the trace is as before\n";
    hiera_store_write_at(tail.store, tail.bytes, tail.n, tail.begin);
    hiera_store_end_at(tail.store, tail.begin + tail.n, UINT64_MAX, true);
    ssize_t ignored = write(STDERR_FILENO, words, sizeof words - 1);
    (void)ignored;
    signal(number, SIG_DFL);
    raise(number);
}

/* Read the trace from the position `safe` to its end, so that it can be restored after a fault. */
static bool read_tail(void)
{
    enum { PIECE = 256 << 10 };
    for (ssize_t n = 1; n > 0; tail.n += (size_t)n) {
        char *bytes = realloc(tail.bytes, tail.n + PIECE);
        if (!bytes)
            return false;
        tail.bytes = bytes;
        n = hiera_store_read_at(tail.store, bytes + tail.n, PIECE, tail.begin + tail.n);
        if (n < 0)
            return false;
    }
    return true;
}

static bool guard_tail(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    tail.store = hiera_session.main->store;
    tail.begin = hiera_session.main->safe;
    if (!read_tail())
        return false;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], on_fault);
    return true;
}

/* --- end of the killed process in the trace --- */

/* Return the time of the last event that the trace or a record has. */
static uint64_t last_ticks(void)
{
    uint64_t ns = hiera_profile_last_ns();
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        for (const char *at = thread->written; at < thread->next;
             at += ((const HieraRecord *)(const void *)at)->bytes) {
            const HieraRecord *record = (const HieraRecord *)(const void *)at;
            bool has_times = record->call >= HIERA_RECORD_CALLS || record->call <= HIERA_RECORD_FUNCTION;
            uint64_t start = has_times ? hiera_clock_ns(record->start) : 0;
            uint64_t finish = has_times && record->call != HIERA_RECORD_END && record->finish != 0
                                  ? hiera_clock_ns(record->finish)
                                  : 0;
            ns = start > ns ? start : ns;
            ns = finish > ns ? finish : ns;
        }
    uint64_t written = hiera_element_end_ns(hiera_job.init_ticks);
    return ((ns > written ? ns : written) + (uint64_t)hiera_clock_zero_ns()) | HIERA_TICKS_ARE_NS;
}

/* Whether the fault that a handler has noted was the last event. Called before there is another anchor: written times
 * are in nanoseconds, and with each anchor the same tick has slightly different nanoseconds. */
static bool fault_is_last(void)
{
    const HieraEnd *end = &hiera_session.end;
    return end->name && hiera_clock_ns(end->ticks) >= hiera_clock_ns(last_ticks());
}

/* Note how the process ended: by the fault if that was the last event (the program's own handler then ended the
 * process), otherwise by a kill. */
static void note_end(bool by_fault)
{
    if (order.lives)
        hiera_session.end =
            (HieraEnd){HIERA_END_RUNS, HIERA_NO_VALUE,
                       hiera_kept_process_is_stopped(&header.process) ? HIERA_END_STOPPED : NULL, until, order.stack};
    else if (order.is_far)
        hiera_session.end = (HieraEnd){HIERA_END_FAR, HIERA_NO_VALUE, NULL, last_ticks(), NULL};
    else if (by_fault)
        hiera_session.end.cause = "signal";
    else
        hiera_session.end = (HieraEnd){"a kill", HIERA_NO_VALUE, NULL, last_ticks(), NULL};
}

static void end(void)
{
    if (order.is_far || strcmp(header.process.boot, hiera_recovered_boot()) != 0)
        hiera_clock_uses_counter = false; /* the counter here is another one: of another computer, or restarted */
    bool by_fault = fault_is_last();
    hiera_clock_anchor();
    if (!hiera_session.end.cause && hiera_session.finalize_ticks == 0)
        note_end(by_fault);
    hiera_session_write_all(true);
}

static HieraRecoverStatus look(HieraRecovered *recovered)
{
    HieraLook found;
    hiera_clock_anchor();
    hiera_recovered_maps_take(&header);
    if (!hiera_lock_enter_for_a_while())
        return fail(recovered, "its lock is lost");
    hiera_live_look(until, order.looks, &found);
    hiera_lock_leave();
    recovered->until_ns = hiera_clock_ns(until) - hiera_clock_ns(hiera_job.init_ticks);
    recovered->mpi_ns = found.mpi_ns;
    recovered->longest_ns = found.longest_ns;
    recovered->name = found.name;
    recovered->site = found.site;
    recovered->is_partial = hiera_usage_is_partial();
    recovered->size = hiera_job.size;
    return HIERA_RECOVER_DONE;
}

static HieraRecoverStatus complete(HieraRecovered *recovered)
{
    if (header.rank < 0)
        return fail(recovered, "it was killed before MPI_Init");
    hiera_region_counters_load();
    if (!repair())
        return fail(recovered, "its file is damaged");
    if (order.lives)
        hiera_usage_look();
    if (order.looks)
        return look(recovered);
    hiera_pack_load(false);
    const char *problem = open_streams();
    if (problem)
        return fail(recovered, problem);
    hiera_profile_recover();
    if (!guard_tail() || !hiera_recovered_maps_take(&header))
        return fail(recovered, hiera_message_of(errno));
    uint64_t before = count_operations();
    end();
    int error = hiera_session.main->error;
    if (error != 0)
        return fail(recovered, hiera_message_of(error));
    recovered->operations = count_operations() - before;
    recovered->until_ns = order.lives ? hiera_clock_ns(until) : 0; /* one that is far is seen up to its last record */
    hiera_session_remove_parts();
    hiera_generations_remove(order.copies ? order.copies : header.folder);
    return HIERA_RECOVER_DONE;
}

__attribute__((visibility("default"))) HieraRecoverStatus hiera_recover(const HieraRecoverOrder *given,
                                                                        HieraRecovered *recovered)
{
    order = *given;
    *recovered = (HieraRecovered){0};
    if (pread(order.file, &header, sizeof header, 0) != (ssize_t)sizeof header)
        return fail(recovered, "it was recorded with another build of libhiera");
    const char *problem = check_build();
    if (problem)
        return fail(recovered, problem);
    HieraRecoverStatus status = take_memory(recovered);
    return status == HIERA_RECOVER_DONE ? complete(recovered) : status;
}
