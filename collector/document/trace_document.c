#include "trace_document.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/safe_file.h"
#include "callback_records.h"
#include "dtd/lost.h"
#include "dtd/names.h"
#include "folder/claim.h"
#include "job/job.h"
#include "loops/timed_loops_format.h"
#include "probing/results.h"
#include "processor_time.h"
#include "profile/switch_over.h"
#include "profile/tree_format.h"
#include "record/forked_regions.h"
#include "sampling/samples_format.h"
#include "store/container.h"
#include "store/member.h"
#include "store/own_file.h"
#include "trace_header.h"
#include "write/compress.h"
#include "write/element.h"
#include "write/level_ops.h"
#include "write/repeats.h"
#include "write/tail_elements.h"
#include "write/totals_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hiera_trace_path(char *path, size_t size, int rank)
{
    int n = snprintf(path, size, "%s/trace%d.xml%s", hiera_session.dir, rank, hiera_pack_suffix());
    return n > 0 && (size_t)n < size;
}

bool hiera_trace_container_path(char *path, size_t size, int rank)
{
    int n = snprintf(path, size, "%s/" HIERA_CONTAINER_NAME "%d" HIERA_CONTAINER_SUFFIX, hiera_session.dir, rank);
    return n > 0 && (size_t)n < size;
}

static bool path_of_trace(char *path, size_t size)
{
    if (hiera_life.joined)
        return hiera_trace_path(path, size, hiera_job.rank);
    int n = snprintf(path, size, "%s/.trace.%llu.part", hiera_session.dir, (unsigned long long)hiera_life_unique());
    return n > 0 && (size_t)n < size;
}

/* Open the member of this process's container file for the trace (thread 0), or for a thread's part of it. */
static HieraStore *make_member(unsigned thread, int *error)
{
    HieraStore *store = *error == 0 ? hiera_member_make(hiera_job.rank, thread) : NULL;
    if (!store && *error == 0)
        *error = ENOMEM;
    return store;
}

static HieraStore *make_store(const char *path, int *error)
{
    if (hiera_life.joined && hiera_container_is_used(error))
        return make_member(0, error);
    int no_dir = hiera_file_make_dir(hiera_session.dir), fd = hiera_claim_make_trace(path, error);
    HieraStore *store = fd < 0 ? NULL : hiera_own_file_make(path, fd, error);
    if (no_dir)
        *error = no_dir;
    return store;
}

static bool create(const char *path)
{
    int error;
    HieraTraceFile *stream = hiera_session.main = hiera_trace_file_new(0);
    if (!stream)
        return false;
    HieraStore *store = make_store(path, &error);
    if (!hiera_trace_file_open(stream, store, error))
        return true;
    hiera_trace_put_header(hiera_session.main);
    stream->safe = hiera_trace_file_slot_bytes(stream->header_bytes);
    hiera_trace_file_begin(stream);
    hiera_trace_file_end(stream, hiera_trace_tail, HIERA_FLUSH_MORE);
    return true;
}

/* The file was created before the container existed: move its bytes into the container. Returns 0 or the error; then
 * the bytes stay in the file. */
static int move_into_container(HieraTraceFile *stream, int error)
{
    static char piece[4096];
    HieraStore *from = stream->store, *to = make_member(0, &error);
    ssize_t n = 1;
    for (uint64_t at = 0; error == 0 && (n = hiera_store_read_at(from, piece, sizeof piece, at)) > 0; at += (uint64_t)n)
        error = hiera_store_write_at(to, piece, (size_t)n, at);
    if (error == 0)
        error = n < 0 ? EIO : hiera_store_end_at(to, stream->file_end, stream->file_end, false);
    if (error == 0)
        hiera_store_remove(from);
    if (to)
        hiera_store_close(error == 0 ? from : to);
    stream->store = error == 0 ? to : from;
    return error;
}

/* Rename the trace, whose file was created before the rank was known, to `path`; or move it into the container. */
static void rename_to(const char *path)
{
    HieraTraceFile *stream = hiera_session.main;
    int error;
    if (!stream->store || !hiera_own_file_is(stream->store) || hiera_own_file_is_at(stream->store, path))
        return;
    if (!hiera_container_is_used(&error) || (error = move_into_container(stream, error)) != 0)
        error = hiera_own_file_rename(stream->store, path);
    if (error != 0) /* the trace stays in the file that it was created in */
        stream->misplaced = error;
    else
        hiera_trace_put_header(hiera_session.main);
}

bool hiera_trace_open(void)
{
    char path[4096];
    if (!hiera_pack_is_loaded())
        hiera_pack_load(hiera_lock_is_careful());
    if (!path_of_trace(path, sizeof path))
        return false;
    bool good = true;
    if (!hiera_session.main)
        good = create(path);
    else if (hiera_life.joined)
        rename_to(path);
    return good;
}

/* Open the file for a thread's part of the trace; in a container, part `number` + 1, because part 0 is the trace. */
static HieraStore *make_part(const char *path, unsigned number, int *error)
{
    if (hiera_life.joined && hiera_container_is_used(error))
        return make_member(number + 1, error);
    /* Remove a file that a killed job has left; only this process may write the rank's trace and its parts. */
    unlink(path);
    int fd = hiera_file_open(path, O_RDWR | O_CREAT | O_EXCL, error);
    return fd < 0 ? NULL : hiera_own_file_make(path, fd, error);
}

HieraTraceFile *hiera_trace_new_part(unsigned number)
{
    char path[4096];
    /* Before MPI_Init the rank is not known, so the file's name has a number that is unique to the process. */
    bool joined = hiera_life.joined;
    if (!hiera_trace_open() ||
        snprintf(path, sizeof path, "%s/.trace%s%llu.thread%u.part", hiera_session.dir, joined ? "" : ".",
                 joined ? (unsigned long long)hiera_job.rank : (unsigned long long)hiera_life_unique(),
                 number) >= (int)sizeof path)
        return NULL;
    int error;
    HieraTraceFile *stream = hiera_trace_file_new(number);
    if (!stream)
        return NULL;
    HieraStore *store = make_part(path, number, &error);
    hiera_trace_file_open(stream, store, error);
    return stream;
}

static void put_attribute(HieraText *text, const char *begin, const char *value, size_t n)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_escaped(text, value, strnlen(value, n));
    HIERA_TEXT_LITERAL(text, "\"");
}

/* Write an element hieraLost: number of lost operations, 0 if unknown, and the reason. */
static void put_lost_calls(HieraTraceFile *stream, uint64_t count, const char *reason)
{
    HIERA_TEXT_LITERAL(stream->text, "\n  <hieraLost count=\"");
    hiera_text_unsigned(stream->text, count);
    HIERA_TEXT_LITERAL(stream->text, "\" reason=\"");
    hiera_text_escaped(stream->text, reason, strlen(reason));
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

static void put_lost(HieraTraceFile *stream, uint64_t count, const char *reason)
{
    if (count > 0)
        put_lost_calls(stream, count, reason);
}

/* Where calls by other names might not be seen, a trace without any call does not say that there were none. */
static void put_missing(HieraTraceFile *stream)
{
    const char *reason;
    for (unsigned i = 0; (reason = hiera_level.missing(i)); i++)
        if (strcmp(reason, HIERA_LOST_UNSEEN) == 0 && stream->operations == 0 && !hiera_profiles)
            put_lost_calls(stream, 0, "calls of the program by PMPI names may go past Hiera to MPI");
        else
            put_lost_calls(stream, 0, reason);
}

static void put_lost_of_streams(HieraTraceFile *stream)
{
    uint64_t inside = hiera_session.lost_inside, open = hiera_session.lost_open + stream->state.lost_open,
             unwritten = hiera_session.lost_unwritten, in_callbacks = hiera_session.lost_in_callbacks, messages = 0;
    const HieraTraceFile *ended = hiera_session.ended;
    put_lost(stream, stream->lost, hiera_message_of(stream->cause));
    if (ended) {
        put_lost(stream, ended->lost, hiera_message_of(ended->cause));
        open += ended->state.lost_open;
    }
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        const HieraTraceFile *part = thread->stream;
        if (part && part != stream) {
            put_lost(stream, part->lost, hiera_message_of(part->cause));
            open += part->state.lost_open;
        }
        inside += thread->lost_inside;
        in_callbacks += hiera_callbacks_lost(thread);
        open += thread->lost_open;
        unwritten += thread->lost_unwritten;
    }
    for (const HieraProfile *profile = hiera_profiles; profile; profile = profile->next) {
        unwritten += profile->lost;
        messages += profile->lost_messages;
    }
    put_lost(stream, open, "no memory for open regions");
    put_lost(stream, unwritten, "no memory to write them");
    put_lost(stream, messages, "no room for requests that wait");
    put_lost(stream, inside, "region inside an MPI call");
    put_lost(stream, in_callbacks, "call in a callback of MPI");
    put_lost(stream, __atomic_load_n(&hiera_session.lost_threads, __ATOMIC_RELAXED),
             "no memory for a thread's records");
    put_missing(stream);
    put_lost(stream, hiera_forked.missed, "region in a child of fork before MPI_Init");
}

static void put_end(HieraTraceFile *stream)
{
    const HieraEnd *end = &hiera_session.end;
    HieraText *text = stream->text;
    if (!end->cause)
        return;
    put_attribute(text, "\n  <hieraEnd cause=\"", end->cause, 32);
    if (end->value != HIERA_NO_VALUE) {
        HIERA_TEXT_LITERAL(text, " value=\"");
        hiera_text_signed(text, end->value);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    if (end->name)
        put_attribute(text, " name=\"", end->name, 32);
    if (end->stack)
        put_attribute(text, " stack=\"", end->stack, 2048);
    HIERA_TEXT_LITERAL(text, " time=\"");
    hiera_text_seconds(text, hiera_element_end_ns(end->ticks));
    HIERA_TEXT_LITERAL(text, "\"/>");
}

static void put_aggregations(HieraTraceFile *stream)
{
    size_t bytes;
    const char *lines = hiera_results_peek(&bytes);
    hiera_tail_put_aggregations(stream, lines, bytes);
}

void hiera_trace_tail(HieraTraceFile *stream)
{
    hiera_totals_put(stream);
    put_lost_of_streams(stream);
    hiera_tail_put_pauses(stream);
    hiera_tail_put_unbalanced(stream, hiera_session.threads);
    put_aggregations(stream);
    hiera_usage_put(stream);
    put_end(stream);
    HIERA_TEXT_LITERAL(stream->text, "\n</processor>\n");
}

/* Write the attribute and the end of a start tag: what MPI has provided for threads. */
static void put_level(HieraText *text)
{
    static const char levels[][12] = {"", "SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"};
    const char *level = levels[hiera_session.thread_level];
    if (*level) {
        HIERA_TEXT_LITERAL(text, "\" level=\"MPI_THREAD_");
        hiera_text_bytes(text, level, strlen(level));
    }
    HIERA_TEXT_LITERAL(text, "\">");
}

/* Write a thread's part of the trace, with the part's own tail, as an element hieraThread. */
static void put_section(HieraTraceFile *stream, const HieraTraceFile *part)
{
    /* An empty part. `safe` would not tell, since it is 0 for parts written on trial, as by a signal handler. */
    if (part->file_end == 0 && part->sums.n == 0)
        return;
    HIERA_TEXT_LITERAL(stream->text, "\n  <hieraThread id=\"");
    hiera_text_unsigned(stream->text, part->number);
    put_level(stream->text);
    hiera_trace_file_append_file(stream, part);
    HIERA_TEXT_LITERAL(stream->text, "\n  </hieraThread>");
}

/* Write a thread's profile as an element hieraThread, which declares all objects (communicators, …) that it names. */
static void put_tree_of_thread(HieraTraceFile *stream, HieraProfile *profile)
{
    stream->declaring++;
    stream->state.objects = stream->state.counters = 0;
    HIERA_TEXT_LITERAL(stream->text, "\n  <hieraThread id=\"");
    if (profile->thread == HIERA_PROFILE_ENDED)
        HIERA_TEXT_LITERAL(stream->text, "ended");
    else
        hiera_text_unsigned(stream->text, profile->thread);
    put_level(stream->text);
    stream->depth++;
    hiera_tree_put(stream, profile);
    stream->depth--;
    HIERA_TEXT_LITERAL(stream->text, "\n  </hieraThread>");
}

/* Write the profiles of threads that have no single operations; the main thread is first, as in any trace. Declarations
 * made here are undone afterwards: the next tail overwrites this one and must declare the objects again. */
static void put_profiles(HieraTraceFile *stream)
{
    HieraFileState state = stream->state;
    stream->declaring++;
    for (HieraProfile *profile = hiera_profiles; profile; profile = profile->next)
        if (profile->thread == 0 && !profile->stream)
            hiera_tree_put(stream, profile);
    for (HieraProfile *profile = hiera_profiles; profile; profile = profile->next)
        if (profile->thread != 0 && !profile->stream)
            put_tree_of_thread(stream, profile);
    stream->declaring++;
    stream->state.objects = state.objects;
    stream->state.counters = state.counters;
}

void hiera_trace_final_tail(HieraTraceFile *stream)
{
    hiera_switch_over_put(stream);
    if (hiera_profiles)
        put_profiles(stream);
    if (hiera_session.ended)
        hiera_trace_file_append_file(stream, hiera_session.ended);
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->stream && thread->stream != stream)
            put_section(stream, thread->stream);
    hiera_samples_put(stream);
    hiera_timed_put(stream);
    hiera_trace_tail(stream);
}

static HieraTraceFile *ended_stream(void)
{
    if (!hiera_session.ended)
        hiera_session.ended = hiera_trace_new_part(0);
    return hiera_session.ended;
}

void hiera_trace_append_section(HieraTraceFile *ended, const HieraTraceFile *part, HieraTraceFile **of)
{
    hiera_trace_file_begin(ended);
    put_section(ended, part);
    ended->lost += part->lost;
    ended->operations += part->operations + (part->repeats ? part->repeats_ops->count(part) : 0);
    ended->state.lost_open += part->state.lost_open;
    ended->cause = ended->cause ? ended->cause : part->cause;
    hiera_trace_file_notes(of, NULL);
    hiera_trace_file_end(ended, NULL, HIERA_FLUSH_LAST);
}

void hiera_trace_end_thread(HieraThread *thread)
{
    HieraTraceFile *part = thread->stream, *ended = part ? ended_stream() : NULL;
    if (ended) {
        hiera_trace_append_section(ended, part, &thread->stream);
        if (ended->error == 0 && part->store)
            hiera_store_remove(part->store);
    }
    hiera_trace_file_free(part);
    thread->stream = NULL;
}
