#include "session.h"

#include "attach/attach.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "base/writer_stack.h"
#include "counters/counters_printed.h"
#include "document/callback_records.h"
#include "document/processor_time.h"
#include "document/rules_report.h"
#include "document/summary.h"
#include "document/trace_document.h"
#include "document/trace_header.h"
#include "expect/expect.h"
#include "folder/claim.h"
#include "generations.h"
#include "helper/helper.h"
#include "hiera.h"
#include "loaded/openmp_library.h"
#include "memory/kept_memory.h"
#include "memory/signal_safe_memory.h"
#include "places/careful_site.h"
#include "probing/results.h"
#include "profile/fold.h"
#include "profile/tree_format.h"
#include "record/instrumented_functions.h"
#include "record/levels_seen.h"
#include "record/open_regions.h"
#include "sampling/sampling.h"
#include "survive.h"
#include "threads.h"
#include "write/call_dictionary.h"
#include "write/companion_files.h"
#include "write/compress.h"
#include "write/level_ops.h"
#include "write/writer.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void hiera_session_use_subfolder(const char *name)
{
    char path[PATH_MAX], *dir = NULL;
    if (hiera_life.closed)
        return;
    bool entered = hiera_lock_enter(); /* false if the caller holds the lock already */
    if (snprintf(path, sizeof path, "%s/%s", hiera_session.dir, name) < (int)sizeof path)
        dir = hiera_memory_copy(path);
    if (dir) {
        hiera_session.dir =
            dir; /* the old text is not freed: this may be a signal handler that has interrupted malloc */
        if (hiera_settings.trace)
            hiera_file_make_dir(dir); /* if this fails, opening the trace reports the reason */
    } else {
        hiera_life.closed = true;
    }
    if (entered)
        hiera_lock_leave();
}

static int open_trace(void)
{
    hiera_trace_open();
    hiera_careful_note();
    int error = !hiera_session.main ? ENOMEM : hiera_session.main->error;
    return error != 0 ? error : hiera_session.main->misplaced;
}

int hiera_session_join(const HieraJob *job)
{
    hiera_pack_load(false); /* before the collector's lock is taken, as the dynamic linker takes a lock of its own */
    if (!hiera_lock_enter())
        return EDEADLK;
    hiera_job = *job;
    hiera_declared_invalidate(); /* cached names of handles have the rank in them */
    if (!hiera_session.main)
        hiera_clock_set_zero(job->zero_ns);
    else /* times in the file cannot be changed any more, so the header gets a correction of them */
        hiera_session.correction_ns = hiera_clock_zero_ns() - job->zero_ns;
    __atomic_store_n(&hiera_life.joined, true, __ATOMIC_RELEASE); /* release: from now on the helper thread may print */
    hiera_clock_anchor();
    int error = hiera_settings.trace ? open_trace() : 0;
    hiera_rules_report_begin();
    hiera_lock_leave();
    return error;
}

/* The status of exit(), or of a return from main(). What libc is told before main() comes to its turn behind the
 * destructors. */
static int exit_status = HIERA_NO_VALUE;

#ifdef __GLIBC__
static void note_status(int status, void *unused)
{
    (void)unused;
    exit_status = status;
}

static void watch_exit(void)
{
    static bool watched;
    if (!watched)
        on_exit(note_status, NULL);
    watched = true;
}
#else
static void watch_exit(void)
{
}
#endif

void hiera_session_put_init(void)
{
    watch_exit();
    if (hiera_life.closed || !hiera_lock_enter())
        return;
    hiera_usage_begin();
    hiera_job.init_ticks = hiera_clock_ticks();
    hiera_clock_anchor();
    if (hiera_session.main)
        hiera_trace_put_header(hiera_session.main);
    hiera_lock_leave();
}

/* Take the lock, but wait only for a limited time. If this thread already has it, this is the handler of a fault in
 * Hiera's writer: undo that flush, and close the session after the next one. Returns false if the lock is not
 * available. */
static bool enter_for_a_while(void)
{
    if (!hiera_lock_is_own())
        return hiera_lock_enter_for_a_while();
    bool first = !hiera_session.broken;
    hiera_session.broken = true;
    hiera_lock_set_care(HIERA_CARE_TAKEN);
    if (first)
        hiera_trace_file_recover();
    return first;
}

static void leave_for_good(void)
{
    if (hiera_session.broken)
        hiera_life.closed = true;
    hiera_lock_leave();
}

/* Write the end of the trace, with the sums of the profile: if it does not fit on the disk, they count as lost. */
static void write_end(void)
{
    HieraTraceFile *stream = hiera_session.main;
    stream->lost -= hiera_session.lost_profile; /* undo what an earlier, failed attempt has counted */
    hiera_session.lost_profile = 0;
    hiera_trace_file_begin(stream);
    if (hiera_trace_file_end(stream, hiera_trace_final_tail, HIERA_FLUSH_LAST) || !hiera_profiles)
        return;
    int error = stream->error;
    stream->lost += hiera_session.lost_profile = hiera_profile_operations();
    hiera_trace_file_begin(stream);
    hiera_trace_file_end(stream, hiera_trace_tail, HIERA_FLUSH_MORE);
    stream->error = error;
}

/* Write all records and the end of the trace. @param argument  points to a bool: also MPI calls in progress */
static void write_all_locked(void *argument)
{
    bool all = *(const bool *)argument;
    if (hiera_life.closed)
        return;
    hiera_clock_anchor();
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        hiera_threads_write(thread, all, HIERA_FLUSH_MORE);
    hiera_profile_show(hiera_session.threads);
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        hiera_threads_write_sums(thread, HIERA_FLUSH_LAST);
    if (hiera_session.main) {
        write_end();
        hiera_trace_put_header(hiera_session.main);
    }
    hiera_profile_hide();
}

/* Write the main thread's records and the tail of the trace in one flush that can be repeated: a second such flush
 * would overwrite the first. */
static void try_main(void (*tail)(HieraTraceFile *))
{
    HieraThread *main_thread = hiera_session.threads;
    while (main_thread && main_thread->number != 0)
        main_thread = main_thread->next_thread;
    hiera_trace_file_begin(hiera_session.main);
    if (main_thread && !main_thread->profile)
        hiera_writer_write(hiera_session.main, main_thread->written,
                           __atomic_load_n(&main_thread->next, __ATOMIC_ACQUIRE), true);
    hiera_trace_file_end(hiera_session.main, tail, HIERA_FLUSH_TRIAL);
}

/* Look up all call sites before writing: this may take longer than the writing, and while a file is being written it is
 * not complete. */
static void name_sites(void)
{
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        hiera_writer_name_sites(thread->written, __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE));
    for (const HieraProfile *profile = hiera_profiles; profile; profile = profile->next)
        hiera_tree_name_sites(profile);
}

/* Write the records of all threads so that they can be written again later. SIGKILL may come at any moment, so the main
 * thread is first: then the trace is complete, but for the other threads. */
static void try_all(void *nothing)
{
    bool others = false;
    (void)nothing;
    hiera_clock_anchor();
    hiera_usage_note();
    if (!hiera_lock_is_careful())
        name_sites();
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        hiera_sampling_tell(thread);
        others = others || thread->number != 0;
    }
    if (others && !hiera_profiles)
        try_main(hiera_trace_tail);
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->number != 0 || hiera_profile_is_on() || thread->profile)
            hiera_threads_write(thread, true, HIERA_FLUSH_TRIAL);
    hiera_profile_show(hiera_session.threads);
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        hiera_threads_write_sums(thread, HIERA_FLUSH_TRIAL);
    try_main(hiera_trace_final_tail);
    hiera_profile_hide();
}

/* Put into the buffer what is still pending. Functions come behind the calls of callbacks: if there is no room for
 * these calls, both are lost. */
static void write_rest(HieraThread *thread)
{
    hiera_callbacks_settle(thread);
    if (!hiera_callbacks_wait(thread))
        hiera_open_write_pending(thread);
}

/* Write all records so that they can be written again later. Returns whether writing was possible now. */
static bool write_on_trial(HieraCare care)
{
    if (hiera_life.closed || !(hiera_session.main || hiera_expect_any()) || !enter_for_a_while())
        return false;
    hiera_lock_set_care(hiera_session.broken ? HIERA_CARE_TAKEN : care);
    if (!hiera_life.closed && hiera_thread && !hiera_thread->inside)
        write_rest(hiera_thread);
    if (!hiera_life.closed && hiera_session.main)
        hiera_stack_run_apart(try_all, NULL);
    hiera_rules_report();
    leave_for_good();
    return true;
}

bool hiera_session_write_carefully(void)
{
    return write_on_trial(HIERA_CARE_TAKEN);
}

void hiera_session_give_up(void)
{
    hiera_life.closed = true;
    if (hiera_lock_is_own())
        hiera_lock_leave();
}

void hiera_session_write_all(bool all)
{
    int saved_errno = errno;
    if (!enter_for_a_while())
        return;
    hiera_stack_run(write_all_locked, &all);
    leave_for_good();
    errno = saved_errno;
}

void hiera_session_settle(uint64_t finalize_ticks)
{
    hiera_openmp_find();
    if (hiera_lock_enter()) {
        hiera_usage_end();
        hiera_lock_leave();
    }
    hiera_session.finalize_ticks = finalize_ticks;
    hiera_expect_set_finalize(finalize_ticks);
    hiera_session_write_all(false);
    hiera_claim_leave_companions();
}

void hiera_session_set_clock(const HieraClockFit *fit)
{
    if (hiera_life.closed || !hiera_session.main || !hiera_lock_enter())
        return;
    hiera_session.correction_ns += fit->first.offset_ns - hiera_job.clock.first.offset_ns;
    hiera_job.clock = *fit;
    hiera_trace_put_header(hiera_session.main);
    hiera_lock_leave();
}

static void add_lost(uint64_t *lost, int *error, const HieraTraceFile *stream)
{
    if (!stream)
        return;
    *lost += stream->lost + stream->state.lost_open;
    if (*error == 0)
        *error = stream->cause;
    if (*error == 0 && stream->state.lost_open)
        *error = ENOMEM;
}

uint64_t hiera_session_lost(int *error)
{
    uint64_t lost = 0;
    *error = 0;
    if (!hiera_lock_enter())
        return 0;
    add_lost(&lost, error, hiera_session.main);
    add_lost(&lost, error, hiera_session.ended);
    uint64_t no_memory = hiera_profile_lost() + hiera_session.lost_open + hiera_session.lost_unwritten +
                         __atomic_load_n(&hiera_session.lost_threads, __ATOMIC_RELAXED);
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        no_memory += thread->lost_open + thread->lost_unwritten;
        if (thread->stream != hiera_session.main)
            add_lost(&lost, error, thread->stream);
    }
    lost += no_memory;
    if (no_memory > 0 && *error == 0)
        *error = ENOMEM;
    hiera_lock_leave();
    return lost;
}

static void say_lost(void)
{
    int error;
    uint64_t lost = hiera_session_lost(&error);
    if (error != 0 && !hiera_session.said_lost)
        hiera_message("the trace of rank %d lacks %llu operations: %s: %s; the program is not affected", hiera_job.rank,
                      (unsigned long long)lost, hiera_session.dir, hiera_message_of(error));
}

bool hiera_session_note_end(const char *cause, int value, const char *name)
{
    if (hiera_session.end.cause)
        return false;
    hiera_session.end = (HieraEnd){cause, value, name, hiera_clock_ticks(), NULL};
    return true;
}

bool hiera_session_write_before_end(const char *cause, int value, const char *name)
{
    int saved_errno = errno;
    bool noted = hiera_session_note_end(cause, value, name);
    if (noted && write_on_trial(HIERA_CARE_TAKEN))
        write_on_trial(HIERA_CARE_UNKNOWN);
    errno = saved_errno;
    return noted;
}

void hiera_session_live_on(void)
{
    hiera_session.end.cause = NULL;
}

/* Make a job for a process that has joined none: of this process alone, unless the launcher has set rank and size.
 * @return whether MPI calls have gone past Hiera */
static bool join_alone(void)
{
    hiera_job.id = hiera_life_unique();
    bool is_past = hiera_level.find_job(&hiera_job);
    hiera_life.joined = true;
    return is_past;
}

/* Whether there is anything to write. */
static bool has_records(void)
{
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->next > thread->written)
            return true;
    return hiera_session.main != NULL;
}

static void write_files_alone(void)
{
    int n = hiera_job.size > 1 ? hiera_job.size : 1;
    if (hiera_job.rank == 0 || !hiera_files_are_there(hiera_session.dir))
        hiera_files_write(hiera_session.dir, hiera_files_application(), n, &(HieraFileList){.n = n});
}

static void remove_part(const HieraTraceFile *part)
{
    if (part && part != hiera_session.main && part->store)
        hiera_store_remove(part->store);
}

void hiera_session_remove_parts(void)
{
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        remove_part(thread->stream);
    remove_part(hiera_session.ended);
}

/* In the thread that ends the process: note open regions as never ended, and write records that are not in the buffer
 * yet. */
static void settle_own_thread(HieraThread *thread)
{
    if (!thread || thread->inside)
        return;
    hiera_open_note_all(thread);
    write_rest(thread);
    hiera_open_put_shorts(thread);
}

/* Return the time at which the program's own work ended, before the work that Hiera does at the end. If another thread
 * than the main one ends the process, it is the present time: calls of the main thread may have ended since `called`.
 */
static uint64_t end_of_work(uint64_t called)
{
    return hiera_thread && hiera_thread->number != 0 ? hiera_clock_ticks() : called;
}

/* Write the whole trace. Other threads may still run; records that they make later are not written. */
void hiera_session_end(const char *cause, int value, const char *name, bool careful)
{
    if (!hiera_life.loaded || hiera_life.closed)
        return;
    int saved_errno = errno;
    hiera_call_check_left((uintptr_t)__builtin_frame_address(0));
    uint64_t called = hiera_clock_ticks();
    if (!careful)
        hiera_openmp_find();
    if (!careful && hiera_thread && !hiera_thread->inside)
        hiera_callbacks_merge(hiera_thread);
    hiera_results_end_alone();
    hiera_helper_stop(!careful);
    hiera_attach_end();
    __atomic_add_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
    if (!enter_for_a_while())
        return;
    if (careful)
        hiera_lock_set_care(HIERA_CARE_TAKEN);
    bool without_mpi = !hiera_life.joined;
    if (careful)
        hiera_usage_note();
    else
        hiera_usage_end();
    if (hiera_session.finalize_ticks == 0) {
        hiera_session.finalize_ticks = end_of_work(called);
        if (!without_mpi && hiera_session_note_end(cause, value, name))
            hiera_session.end.ticks = hiera_session.finalize_ticks;
    }
    bool is_past = without_mpi && join_alone();
    settle_own_thread(hiera_thread);
    if (without_mpi && hiera_settings.trace && (is_past || has_records()))
        hiera_level.choose_folder(&hiera_job, !hiera_lock_is_careful());
    if (without_mpi && hiera_settings.trace && (is_past || hiera_session.main))
        open_trace(); /* it says which calls it lacks; one that is there already gets its name */
    hiera_generations_end();
    hiera_stack_run(write_all_locked, &(bool){true});
    if (without_mpi && hiera_session.main)
        write_files_alone();
    hiera_rules_report();
    hiera_life.closed = true;
    hiera_kept_end();
    hiera_session_remove_parts();
    bool is_careful = careful || hiera_lock_care() == HIERA_CARE_TAKEN;
    hiera_lock_leave();
    say_lost();
    hiera_survive_complain();
    hiera_rules_report_complain();
    if (!is_careful) {
        hiera_counters_print_end();
        if (hiera_session.main && hiera_job.rank == hiera_job.first)
            hiera_levels_complain(hiera_job.rank);
        hiera_run_summary_say();
    }
    errno = saved_errno;
}

__attribute__((destructor(101))) static void on_exit_of_process(void)
{
    if (getpid() == hiera_life.pid)
        hiera_session_end("exit", exit_status, NULL, false);
}
