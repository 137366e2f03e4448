#include "trace_header.h"

#include "base/kept.h"
#include "base/life.h"
#include "dtd/names.h"
#include "job/job.h"
#include "memory/kept_process.h"
#include "profile/fold.h"
#include "session_state.h"
#include "write/companion_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* HEADER_MAX: size of the header. The spare bytes are for values that are not known at first: rank and job before
 * MPI_Init, the clock before the end. */
enum { HEADER_MAX = 4096, EARLY_SPARE = 192, CLOCK_SPARE = 160 };

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

/* The drift of the clock between the two comparisons, in units of 1e-15 (ppm with nine decimals). Returns false if it
 * is unknown or out of range. */
static bool drift_of(const HieraClockFit *fit, int64_t *drift)
{
    int64_t span = fit->last.at_ns - fit->first.at_ns;
    if (fit->last.at_ns == 0 || span <= 0 || fit->first.error_ns < 0 || fit->last.error_ns < 0)
        return false;
    __int128 ratio = (__int128)(fit->last.offset_ns - fit->first.offset_ns) * 1000000000000000 / span;
    *drift = (int64_t)ratio;
    return ratio > -1000000000000000 && ratio < INT64_MAX;
}

/* The correction that a reader must add to the times: an offset, and a drift since `init`. The offset was measured at
 * the first comparison, a little after init, so the drift of that interval is subtracted. */
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

/* Write the process number, and facts that identify the process: another process may have the number later, or in
 * another container. */
static void put_process(HieraText *text)
{
    /* Kept, since hiera-recover needs these facts after the process was killed. */
    static HieraKeptProcess process HIERA_KEPT;
    char name[HIERA_PROCESS_TEXT];
    HIERA_TEXT_LITERAL(text, " pid=\"");
    hiera_text_unsigned(text, (uint64_t)hiera_life.pid);
    HIERA_TEXT_LITERAL(text, "\"");
    if (process.pid != hiera_life.pid && !hiera_life.recovers)
        hiera_kept_process_read(&process);
    hiera_kept_process_name(name, &process);
    if (name[0])
        put_attribute(text, " process=\"", name, sizeof name);
}

/* Write the header up to, and without, the `>` of the tag processor; returns its length in bytes. */
static size_t format_header(char *to, const HieraTraceFile *stream)
{
    const HieraJob *job = &hiera_job;
    HieraText text = hiera_text_into(to, HEADER_MAX);
    static char host[256] HIERA_KEPT; /* a copy of the trace may be completed on another computer (--live) */
    if (!hiera_life.recovers)
        gethostname(host, sizeof host - 1);
    HIERA_TEXT_LITERAL(&text, HIERA_TRACE_PROLOGUE "<processor rank=\"P");
    hiera_text_unsigned(&text, (uint64_t)job->rank);
    HIERA_TEXT_LITERAL(&text, "\" init=\"");
    hiera_text_seconds(&text, hiera_life.joined ? hiera_clock_ns(job->init_ticks) : 0);
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
    put_process(&text);
    HIERA_TEXT_LITERAL(&text, " format=\"" HIERA_TRACE_FORMAT "\"");
    if (hiera_profile_is_on())
        HIERA_TEXT_LITERAL(&text, " mode=\"profile\"");
    if (stream->since_ns != 0) {
        HIERA_TEXT_LITERAL(&text, " mode=\"window\" since=\"");
        hiera_text_seconds(&text, stream->since_ns);
        HIERA_TEXT_LITERAL(&text, "\"");
    }
    put_clock(&text, job);
    return (size_t)(text.next - to);
}

static size_t spare(void)
{
    bool joined = hiera_life.joined, is_reference = hiera_job.clock.first.error_ns == 0;
    return HIERA_SECONDS_MAX + (joined ? 0 : EARLY_SPARE) + (joined && is_reference ? 0 : CLOCK_SPARE);
}

/* The header is written again later, with more values such as `finalize`. So its length is fixed when it is first
 * written, and blanks fill it up. */
void hiera_trace_put_header(HieraTraceFile *stream)
{
    char header[HEADER_MAX + 2 * HIERA_TEXT_MARGIN];
    size_t n = format_header(header, stream);
    if (stream->header_bytes == 0)
        stream->header_bytes = n + 1 + spare();
    if (n + 1 > stream->header_bytes)
        return;
    memset(header + n, ' ', stream->header_bytes - 1 - n);
    header[stream->header_bytes - 1] = '>';
    hiera_trace_file_patch(stream, 0, header, stream->header_bytes);
}
