#include "generations.h"

#include "base/kept.h"
#include "base/life.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "document/session_state.h"
#include "document/trace_document.h"
#include "document/trace_header.h"
#include "folder/claim.h"
#include "job/job.h"
#include "latest/kept_calls.h"
#include "latest/open_begins.h"
#include "latest/prologue.h"
#include "memory/kept_memory.h"
#include "store/own_file.h"
#include "write/call_dictionary.h"
#include "write/element.h"
#include "write/level_ops.h"
#include "write/totals_format.h"
#include "write/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t since_ns, later_since_ns; /* times at which the older and the younger generation of files begin */
static bool is_odd;                       /* in names of files: differs between a generation and the next one */

/* State while a younger generation becomes the trace: if the process is killed in between, the change may be half done.
 */
static struct {
    bool is_on;
    HieraTraceFile *main, *ended;
} turn HIERA_KEPT;

/* --- the files of the younger generation, which begins later than the trace --- */

static HieraTraceFile *make_file(const char *path, unsigned number)
{
    HieraTraceFile *stream = hiera_trace_file_new(number);
    if (!stream)
        return NULL;
    unlink(path); /* a killed job may have left this file */
    int error, fd = hiera_file_open(path, O_RDWR | O_CREAT | O_EXCL, &error);
    if (fd >= 0 && number == 0)
        hiera_claim_lock_again(fd);
    hiera_trace_file_open(stream, fd < 0 ? NULL : hiera_own_file_make(path, fd, &error), error);
    return stream;
}

static HieraTraceFile *make_main(void)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.trace%d.later.part", hiera_session.dir, hiera_job.rank) >= (int)sizeof path)
        return NULL;
    HieraTraceFile *stream = make_file(path, 0);
    if (!stream || stream->error != 0)
        return stream;
    stream->since_ns = later_since_ns;
    hiera_trace_put_header(stream);
    stream->safe = hiera_trace_file_slot_bytes(stream->header_bytes);
    return stream;
}

/* Make a thread's file of the younger generation. Its name differs from that in the older one, as both exist. */
static HieraTraceFile *make_part(unsigned number)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.trace%d.later%d.thread%u.part", hiera_session.dir, hiera_job.rank, is_odd,
                 number) >= (int)sizeof path)
        return NULL;
    return make_file(path, number);
}

static void drop_file(HieraTraceFile **stream)
{
    if (*stream && (*stream)->store)
        hiera_store_remove((*stream)->store);
    hiera_trace_file_free(*stream);
    *stream = NULL;
}

static void drop_later(void)
{
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        if (thread->later != hiera_session.later_main)
            drop_file(&thread->later);
        thread->later = NULL;
    }
    drop_file(&hiera_session.later_ended);
    drop_file(&hiera_session.later_main);
}

/* --- copying records to the files of the younger generation --- */

static HieraTraceFile *later_of(HieraThread *thread)
{
    if (!thread->later)
        thread->later = thread->number == 0 ? hiera_session.later_main : make_part(thread->number);
    return thread->later;
}

/* Write records to the younger generation. Declarations hold for one file: forget them before and after. */
static bool write_records(HieraThread *thread, const char *begin, const char *end, void (*tail)(HieraTraceFile *))
{
    HieraTraceFile *stream = later_of(thread);
    if (!stream)
        return false;
    hiera_declared_invalidate();
    hiera_trace_file_begin(stream);
    hiera_writer_write(stream, begin, end, true);
    bool good = hiera_trace_file_end(stream, tail, HIERA_FLUSH_MORE);
    hiera_declared_invalidate();
    return good;
}

static void note(HieraThread *thread, const HieraRecord *record)
{
    if (record->call < HIERA_RECORD_CALLS)
        hiera_begins_follow(thread, record);
    else if (__atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) != 0)
        hiera_level.count(thread, record);
}

void hiera_generations_follow(HieraThread *thread, const char *begin, const char *end, void (*tail)(HieraTraceFile *))
{
    if (!hiera_settings.mode.is_window || begin >= end)
        return;
    for (const char *at = begin; at < end; at += ((const HieraRecord *)(const void *)at)->bytes)
        note(thread, (const HieraRecord *)(const void *)at);
    if (hiera_session.later_main && !write_records(thread, begin, end, tail))
        drop_later();
}

/* --- replacing the older generation of files by the younger --- */

static uint64_t bytes_of(bool later)
{
    const HieraTraceFile *ended = later ? hiera_session.later_ended : hiera_session.ended,
                         *main = later ? hiera_session.later_main : hiera_session.main;
    uint64_t bytes = (main ? main->safe : 0) + (ended ? ended->safe : 0);
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        const HieraTraceFile *part = later ? thread->later : thread->stream;
        bytes += part && part != main ? part->safe : 0;
    }
    return bytes;
}

/* Whether a generation that began at `from_ns` covers the whole time `last=` of HIERA_MODE=window. */
static bool is_old(uint64_t from_ns)
{
    uint64_t now_ns = hiera_clock_ns(hiera_clock_ticks()), window_ns = hiera_settings.mode.window_ns;
    return window_ns > 0 && now_ns >= from_ns && now_ns - from_ns >= window_ns;
}

static bool has_thirds(unsigned n)
{
    uint64_t most = hiera_settings.mode.window_bytes;
    return most > 0 && bytes_of(false) >= most / 3 * n;
}

static void begin_thread(HieraThread *thread)
{
    HieraTraceFile *stream = thread->stream ? later_of(thread) : NULL;
    if (!stream)
        return;
    hiera_trace_file_begin(stream);
    hiera_prologue_put(stream, thread, later_since_ns);
    hiera_trace_file_end(stream, thread->number == 0 ? hiera_trace_tail : hiera_totals_put, HIERA_FLUSH_MORE);
}

static bool has_begun(void)
{
    bool good = hiera_session.later_main->error == 0;
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        good = good && (!thread->stream || (thread->later && thread->later->error == 0));
    return good;
}

/* Begin a younger generation: first all threads write, since it begins at the same time in all of them. */
static void begin(void (*write)(HieraThread *thread))
{
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        write(thread);
    hiera_kept_settle();
    later_since_ns = hiera_element_time_ns(hiera_clock_ticks());
    hiera_session.later_main = make_main();
    if (!hiera_session.later_main)
        return;
    hiera_declared_invalidate();
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        begin_thread(thread);
    hiera_declared_invalidate();
    if (!has_begun())
        drop_later();
}

static void take_part(HieraThread *thread, const HieraTraceFile *main, HieraTraceFile *later_main)
{
    if (thread->stream != main)
        drop_file(&thread->stream);
    thread->stream = thread->number == 0 ? later_main : thread->later;
    thread->later = NULL;
}

static void begin_turn(void)
{
    HieraKeptHeader *kept = hiera_kept_header();
    turn.main = hiera_session.later_main;
    turn.ended = hiera_session.later_ended;
    if (kept)
        kept->later_inode = hiera_store_place(turn.main->store).inode;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    turn.is_on = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* End the change of generations. The order makes the kept header name the present trace file at each moment. */
static void end_turn(bool good)
{
    HieraKeptHeader *kept = hiera_kept_header();
    if (kept && good)
        kept->inode = kept->later_inode;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    turn.is_on = false;
}

/* Replace the files of the older generation by those of the younger one. */
static void take_over(void)
{
    HieraTraceFile *main = hiera_session.main, *later_main = hiera_session.later_main;
    begin_turn();
    if (hiera_own_file_replace(later_main->store, main->store) != 0) {
        end_turn(false);
        drop_later();
        return;
    }
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        take_part(thread, main, later_main);
    hiera_trace_file_free(main);
    hiera_session.main = later_main;
    hiera_session.later_main = NULL;
    drop_file(&hiera_session.ended);
    hiera_session.ended = hiera_session.later_ended;
    hiera_session.later_ended = NULL;
    since_ns = later_since_ns;
    is_odd = !is_odd;
    hiera_trace_put_header(later_main);
    end_turn(true);
}

bool hiera_generations_make_room(void)
{
    if (!hiera_session.later_main || !hiera_session.main->store)
        return false;
    take_over();
    return true;
}

void hiera_generations_turn(void (*write)(HieraThread *thread))
{
    const HieraTraceFile *main = hiera_session.main;
    if (!hiera_settings.mode.is_window || !hiera_life.joined || !main || !main->store || main->error != 0)
        return;
    if (hiera_session.later_main && (is_old(later_since_ns) || has_thirds(2)))
        take_over();
    if (!hiera_session.later_main && (is_old(since_ns) || has_thirds(1)))
        begin(write);
}

/* --- ends of threads and of the process, for the younger generation --- */

void hiera_generations_end_thread(HieraThread *thread)
{
    hiera_begins_free(thread);
    hiera_kept_end_thread(thread->number);
    HieraTraceFile *part = thread->later;
    if (!part)
        return;
    if (!hiera_session.later_ended)
        hiera_session.later_ended = make_part(0);
    if (hiera_session.later_ended)
        hiera_trace_append_section(hiera_session.later_ended, part, &thread->later);
    thread->later = part;
    drop_file(&thread->later);
}

void hiera_generations_end(void)
{
    drop_later();
}

/* --- completing both generations of a process that was killed --- */

/* Finish a take_over() that the kill interrupted after the file was renamed. */
static void finish_turn(const char *path)
{
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->later)
            thread->stream = thread->number == 0 ? turn.main : thread->later;
    hiera_session.main = turn.main;
    hiera_session.ended = turn.ended;
    hiera_own_file_moved(turn.main->store, path);
}

void hiera_generations_recover(const HieraKeptHeader *kept)
{
    struct stat there;
    bool has_turned = turn.is_on && lstat(kept->trace, &there) == 0 && (uint64_t)there.st_ino == kept->later_inode;
    if (has_turned)
        finish_turn(kept->trace);
    else
        hiera_trace_file_drop_flush(hiera_session.later_main);
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        if (thread->later && thread->later != thread->stream)
            hiera_trace_file_drop_flush(thread->later);
        thread->later = NULL;
    }
    if (hiera_session.later_ended && hiera_session.later_ended != hiera_session.ended)
        hiera_trace_file_drop_flush(hiera_session.later_ended);
    hiera_session.later_main = hiera_session.later_ended = NULL;
}

void hiera_generations_remove(const char *folder)
{
    char begin[64], path[PATH_MAX];
    DIR *list = opendir(folder);
    snprintf(begin, sizeof begin, ".trace%d.later", hiera_job.rank);
    for (const struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list))
        if (strncmp(entry->d_name, begin, strlen(begin)) == 0 &&
            strcmp(entry->d_name + strlen(entry->d_name) - 5, ".part") == 0 &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            unlink(path);
    if (list)
        closedir(list);
}

void hiera_generations_leave_to_parent(void)
{
    hiera_trace_file_leave_to_parent(hiera_session.later_main);
}
