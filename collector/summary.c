/* The last word of a job: see summary.h. It is said only while standard error is still the one that the program was
 * started with: the program may have closed it, and have given its number to a file of its own. */
#include "summary.h"

#include "message.h"
#include "session.h"
#include "settings.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat at_start;

void hiera_summary_load(void)
{
    if (hiera_settings.summary && fstat(STDERR_FILENO, &at_start) != 0)
        hiera_settings.summary = false;
}

static bool has_same_stderr(void)
{
    struct stat now;
    return fstat(STDERR_FILENO, &now) == 0 && now.st_dev == at_start.st_dev && now.st_ino == at_start.st_ino;
}

/* Operations in the trace, those of all threads. */
static uint64_t count(void)
{
    uint64_t n = hiera_session.main->operations;
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

/* As a word of a shell's command. */
static void format_word(char *to, size_t size, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-:@,%=";
    if (text[strspn(text, plain)] == '\0')
        snprintf(to, size, "%s", text);
    else
        snprintf(to, size, "'%s'", text);
}

void hiera_summary_say(void)
{
    char bytes[32], folder[600];
    const HieraStream *main = hiera_session.main;
    if (!hiera_settings.summary || hiera_session.job.rank != 0 || !main || main->error != 0 || !has_same_stderr())
        return;
    format_bytes(bytes, sizeof bytes, main->file_end);
    format_word(folder, sizeof folder, hiera_session.dir);
    hiera_message("%d rank%s traced; rank 0: %llu operations, %s; next: hiera-transform %s", hiera_session.job.size,
                  hiera_session.job.size == 1 ? "" : "s", (unsigned long long)count(), bytes, folder);
}
