/* See summary.h. The line is printed only if standard error is still the file that it was at the start: the program may
 * have closed it, and use its number for a file of its own. */
#include "summary.h"

#include "base/message.h"
#include "base/settings.h"
#include "job/job.h"
#include "profile/fold.h"
#include "session_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Size of a rank's trace, in bytes, from which the user is told that the trace is long. */
#define LONG_BYTES UINT64_C(1000000000)

static struct stat at_start;
static bool has_stderr;

void hiera_run_summary_load(void)
{
    has_stderr = fstat(STDERR_FILENO, &at_start) == 0;
}

static bool has_same_stderr(void)
{
    struct stat now;
    return has_stderr && fstat(STDERR_FILENO, &now) == 0 && now.st_dev == at_start.st_dev &&
           now.st_ino == at_start.st_ino;
}

/* Number of operations in this process's trace, of all threads. */
static uint64_t count(void)
{
    uint64_t n = hiera_session.main->operations + hiera_profile_operations();
    if (hiera_session.ended)
        n += hiera_session.ended->operations;
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread->stream && thread->stream != hiera_session.main)
            n += thread->stream->operations;
    return n;
}

static void format_bytes(char *to, size_t size, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    snprintf(to, size, unit > 0 && value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* Write a text as one word of a shell command, in quotes if needed; a text that is too long is cut. */
static void format_word(char *to, size_t size, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-:@,%=";
    static const char quote[] = "'\\''";
    const char *end = to + size - sizeof quote - 1; /* keep room for one more escaped quote and the closing quote */
    if (text[strspn(text, plain)] == '\0') {
        snprintf(to, size, "%s", text);
        return;
    }
    *to++ = '\'';
    for (; *text && to < end; text++)
        to = *text == '\'' ? stpcpy(to, quote) : mempcpy(to, text, 1);
    strcpy(to, "'");
}

/* Write how many ranks of the job have traces, and which rank this is. */
static void format_ranks(char *to, size_t size, const HieraJob *job)
{
    const char *plural = job->size == 1 ? "" : "s";
    if (job->traced == 0)
        snprintf(to, size, "rank %d of %d", job->rank, job->size);
    else if (job->traced < job->size)
        snprintf(to, size, "%d of %d ranks traced; rank %d", job->traced, job->size, job->rank);
    else
        snprintf(to, size, "%d rank%s traced; rank %d", job->size, plural, job->rank);
}

void hiera_run_summary_say(void)
{
    char bytes[32], ranks[64], folder[800];
    const HieraTraceFile *main = hiera_session.main;
    const HieraJob *job = &hiera_job;
    if (!hiera_settings.summary || job->rank != job->first || !main || main->error != 0 || !has_same_stderr())
        return;
    format_bytes(bytes, sizeof bytes, main->file_end);
    format_ranks(ranks, sizeof ranks, job);
    format_word(folder, sizeof folder, hiera_session.dir);
    unsigned long long n = count();
    hiera_message("%s: %llu operation%s, %s; next: hiera-transform %s (for a browser: --html page.html)", ranks, n,
                  n == 1 ? "" : "s", bytes, folder);
}

void hiera_run_summary_say_long(const HieraTraceFile *file)
{
    static bool said;
    const bool packed = file->is_packed, full = !file->dictionary;
    if (file->safe < LONG_BYTES || said || hiera_job.rank != hiera_job.first)
        return;
    said = true;
    if (has_same_stderr())
        hiera_message("the trace of rank %d has reached 1 GB, and grows; %s%sHIERA_MODE=profile, HIERA_FILTER and "
                      "hiera_pause() would shorten "
                      "it (docs/settings.md)",
                      hiera_job.rank, packed ? "" : "HIERA_COMPRESS=zstd, ", full ? "HIERA_FORMAT=compact, " : "");
}
