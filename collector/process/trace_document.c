/* The trace's file: where it stands, its header, its tail. With the session's lock held throughout. */
#include "session.h"

#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "base/signal_safe_memory.h"
#include "dtd/names.h"
#include "folder/claim.h"
#include "record/pause.h"
#include "record/unbalanced.h"
#include "write/compress.h"
#include "write/writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room in a header for what is not known when it is written first: the rank, the job; the clock at the end. */
enum { HEADER_MAX = 4096, EARLY_SPARE = 192, CLOCK_SPARE = 160 };

/* Other ranks do the same at the same time. */
int hiera_trace_make_dir(const char *dir)
{
    char path[4096];
    if (strlen(dir) >= sizeof path)
        return ENAMETOOLONG;
    strcpy(path, dir);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

/* Processes of other hosts, or other containers, may have the same number. */
unsigned long long hiera_trace_unique(void)
{
    return hiera_clock_birth_ns() ^ ((uint64_t)getpid() << 40);
}

bool hiera_trace_path(char *path, size_t size, int rank)
{
    int n = snprintf(path, size, "%s/trace%d.xml%s", hiera_session.dir, rank, hiera_pack_suffix());
    return n > 0 && (size_t)n < size;
}

static bool path_of_trace(char *path, size_t size)
{
    if (hiera_session.joined)
        return hiera_trace_path(path, size, hiera_session.job.rank);
    int n = snprintf(path, size, "%s/.trace.%llu.part", hiera_session.dir, hiera_trace_unique());
    return n > 0 && (size_t)n < size;
}

static void no_spill(HieraText *text)
{
    text->next = text->base; /* cannot happen: the strings are bounded below */
}

static void put_attribute(HieraText *text, const char *begin, const char *value, size_t n)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_escaped(text, value, strnlen(value, n));
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_decimal(HieraText *text, int64_t billionths)
{
    if (billionths < 0)
        HIERA_TEXT_LITERAL(text, "-");
    hiera_text_seconds(text, billionths < 0 ? 0 - (uint64_t)billionths : (uint64_t)billionths);
}

/* What the clock has gained between the two moments, in 1e-15 of the time: ppm with nine decimals. Returns whether that
 * is known and makes sense. */
static bool drift_of(const HieraClockFit *fit, int64_t *drift)
{
    int64_t span = fit->last.at_ns - fit->first.at_ns;
    if (fit->last.at_ns == 0 || span <= 0 || fit->first.error_ns < 0 || fit->last.error_ns < 0)
        return false;
    __int128 ratio = (__int128)(fit->last.offset_ns - fit->first.offset_ns) * 1000000000000000 / span;
    *drift = (int64_t)ratio;
    return ratio > -1000000000000000 && ratio < INT64_MAX;
}

/* What a reader must add to the times. It counts from init; the first moment, from which the drift is known, came a
 * little later. */
static void put_correction(HieraText *text, const HieraJob *job)
{
    const HieraClockFit *fit = &job->clock;
    int64_t offset = hiera_session.correction_ns, drift;
    bool known = drift_of(fit, &drift);
    if (known) {
        int64_t since_init = fit->first.at_ns - hiera_clock_zero_ns() - (int64_t)hiera_clock_ns(job->init_ticks);
        offset -= (int64_t)((__int128)drift * since_init / 1000000000000000);
    }
    if (offset != 0) {
        HIERA_TEXT_LITERAL(text, " clock_offset=\"");
        put_decimal(text, offset);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    if (known) {
        HIERA_TEXT_LITERAL(text, " clock_drift=\"");
        put_decimal(text, drift);
        HIERA_TEXT_LITERAL(text, "\"");
    }
}

static void put_clock(HieraText *text, const HieraJob *job)
{
    const HieraClockFit *fit = &job->clock;
    int64_t error = fit->last.error_ns > fit->first.error_ns ? fit->last.error_ns : fit->first.error_ns;
    if (fit->clock == 0)
        return;
    HIERA_TEXT_LITERAL(text, " clock=\"");
    hiera_text_hex(text, fit->clock);
    HIERA_TEXT_LITERAL(text, "\"");
    if (fit->first.error_ns >= 0 && fit->scale == 0) {
        HIERA_TEXT_LITERAL(text, " clock_error=\"");
        hiera_text_seconds(text, (uint64_t)error);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    put_correction(text, job);
}

/* The header without the end of its last tag; returns its length. */
static size_t format_header(char *to)
{
    const HieraJob *job = &hiera_session.job;
    HieraText text = {to, to + HEADER_MAX, to, no_spill};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    HIERA_TEXT_LITERAL(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                              "<!DOCTYPE processor SYSTEM \"trace.dtd\">\n"
                              "<?xml-stylesheet type=\"text/xsl\" href=\"visual.xsl\"?>\n<processor rank=\"P");
    hiera_text_unsigned(&text, (uint64_t)job->rank);
    HIERA_TEXT_LITERAL(&text, "\" init=\"");
    hiera_text_seconds(&text, hiera_session.joined ? hiera_clock_ns(job->init_ticks) : 0);
    HIERA_TEXT_LITERAL(&text, "\" finalize=\"");
    if (hiera_session.finalize_ticks != 0)
        hiera_text_seconds(&text, hiera_clock_ns(hiera_session.finalize_ticks));
    HIERA_TEXT_LITERAL(&text, "\" size=\"");
    hiera_text_unsigned(&text, (uint64_t)job->size);
    put_attribute(&text, "\" application=\"", hiera_files_application(), 255);
    if (job->id != 0) {
        HIERA_TEXT_LITERAL(&text, " job=\"");
        hiera_text_hex(&text, job->id);
        HIERA_TEXT_LITERAL(&text, "\"");
    }
    put_attribute(&text, " host=\"", host, 255);
    HIERA_TEXT_LITERAL(&text, " pid=\"");
    hiera_text_unsigned(&text, (uint64_t)getpid());
    HIERA_TEXT_LITERAL(&text, "\" format=\"" HIERA_FORMAT "\"");
    put_clock(&text, job);
    return (size_t)(text.next - to);
}

static size_t spare(void)
{
    bool joined = hiera_session.joined, is_reference = hiera_session.job.clock.first.error_ns == 0;
    return HIERA_SECONDS_MAX + (joined ? 0 : EARLY_SPARE) + (joined && is_reference ? 0 : CLOCK_SPARE);
}

/* The end of the processor is filled in later: its length is fixed when it is written first, blanks fill it up. */
void hiera_trace_put_header(void)
{
    HieraStream *stream = hiera_session.main;
    char header[HEADER_MAX + 2 * HIERA_TEXT_MARGIN];
    size_t n = format_header(header);
    if (stream->header_bytes == 0)
        stream->header_bytes = n + 1 + spare();
    if (n + 1 > stream->header_bytes)
        return;
    memset(header + n, ' ', stream->header_bytes - 1 - n);
    header[stream->header_bytes - 1] = '>';
    hiera_stream_patch(stream, 0, header, stream->header_bytes);
}

static bool create(const char *path)
{
    HieraStream *stream = hiera_session.main = hiera_stream_new(path, 0);
    if (!stream)
        return false;
    int error, no_dir = hiera_trace_make_dir(hiera_session.dir);
    int fd = hiera_claim_make_trace(path, &error);
    if (!hiera_stream_open(stream, fd, no_dir ? no_dir : error))
        return true;
    hiera_trace_put_header();
    stream->safe = hiera_stream_slot_bytes(stream->header_bytes);
    hiera_stream_begin(stream);
    hiera_stream_end(stream, hiera_trace_tail, HIERA_FLUSH_MORE);
    return true;
}

/* The file was begun before the rank was known: give it its name. */
static void rename_to(const char *path)
{
    HieraStream *stream = hiera_session.main;
    char *copy = strcmp(stream->path, path) == 0 ? NULL : hiera_memory_copy(path);
    if (!copy)
        return;
    int error = hiera_claim_rename_trace(stream->path, path);
    if (error != 0) { /* it keeps the name that it has */
        hiera_memory_free(copy, strlen(copy) + 1);
        stream->misplaced = error;
        return;
    }
    hiera_memory_free(stream->path, strlen(stream->path) + 1);
    stream->path = copy;
    hiera_trace_put_header();
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
    else if (hiera_session.joined)
        rename_to(path);
    return good;
}

static void put_lost(HieraStream *stream, uint64_t count, const char *reason)
{
    if (count == 0)
        return;
    HIERA_TEXT_LITERAL(stream->text, "\n  <hieraLost count=\"");
    hiera_text_unsigned(stream->text, count);
    HIERA_TEXT_LITERAL(stream->text, "\" reason=\"");
    hiera_text_escaped(stream->text, reason, strlen(reason));
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

static void put_lost_of_streams(HieraStream *stream)
{
    uint64_t inside = hiera_session.lost_inside, open = hiera_session.lost_open + stream->lost_open,
             unwritten = hiera_session.lost_unwritten;
    const HieraStream *ended = hiera_session.ended;
    put_lost(stream, stream->lost, hiera_message_of(stream->cause));
    if (ended) {
        put_lost(stream, ended->lost, hiera_message_of(ended->cause));
        open += ended->lost_open;
    }
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread) {
        const HieraStream *part = thread->stream;
        if (part && part != stream) {
            put_lost(stream, part->lost, hiera_message_of(part->cause));
            open += part->lost_open;
        }
        inside += thread->lost_inside;
        open += thread->lost_open;
        unwritten += thread->lost_unwritten;
    }
    put_lost(stream, open, "no memory for open regions");
    put_lost(stream, unwritten, "no memory to write them");
    put_lost(stream, inside, "region inside an MPI call");
    put_lost(stream, __atomic_load_n(&hiera_session.lost_threads, __ATOMIC_RELAXED),
             "no memory for a thread's records");
}

static void put_end(HieraStream *stream)
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
    HIERA_TEXT_LITERAL(text, " time=\"");
    hiera_text_seconds(text, hiera_writer_end(end->ticks));
    HIERA_TEXT_LITERAL(text, "\"/>");
}

void hiera_trace_tail(HieraStream *stream)
{
    hiera_writer_put_sums(stream);
    put_lost_of_streams(stream);
    hiera_pause_put(stream);
    hiera_balance_put(stream);
    put_end(stream);
    HIERA_TEXT_LITERAL(stream->text, "\n</processor>\n");
}

/* A part becomes a section; the part's own tail closes what is open in it and has its sums. */
static void put_section(HieraStream *stream, const HieraStream *part)
{
    if (part->file_end == 0 && part->sums.n == 0) /* what is there on trial counts too */
        return;
    HIERA_TEXT_LITERAL(stream->text, "\n  <hieraThread id=\"");
    hiera_text_unsigned(stream->text, part->number);
    HIERA_TEXT_LITERAL(stream->text, "\">");
    hiera_stream_append_file(stream, part);
    HIERA_TEXT_LITERAL(stream->text, "\n  </hieraThread>");
}

void hiera_trace_final_tail(HieraStream *stream)
{
    if (hiera_session.ended)
        hiera_stream_append_file(stream, hiera_session.ended);
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->stream && thread->stream != stream)
            put_section(stream, thread->stream);
    hiera_trace_tail(stream);
}

static HieraStream *ended_stream(void)
{
    if (!hiera_session.ended)
        hiera_session.ended = hiera_threads_new_stream(0);
    return hiera_session.ended;
}

void hiera_trace_end_thread(HieraThread *thread)
{
    HieraStream *part = thread->stream, *ended = part ? ended_stream() : NULL;
    if (ended) {
        hiera_stream_begin(ended);
        put_section(ended, part);
        ended->lost += part->lost;
        ended->operations += part->operations;
        ended->lost_open += part->lost_open;
        ended->cause = ended->cause ? ended->cause : part->cause;
        hiera_stream_end(ended, NULL, HIERA_FLUSH_LAST);
        if (ended->error == 0)
            unlink(part->path);
    }
    hiera_stream_free(part);
    thread->stream = NULL;
}
