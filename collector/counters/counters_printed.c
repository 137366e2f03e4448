/* See counters_printed.h. Prints one line for each counter, as fields between commas: rank, name, number of the
 * reading, time in seconds, value, unit. */
#include "counters_printed.h"

#include "base/clock.h"
#include "base/life.h"
#include "base/message.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "base/xml_text.h"
#include "counters.h"
#include "helper/helper.h"
#include "job/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static HieraCounterSet set;
static uint64_t n_readings;
static int id, fd = -1;
static struct stat opened; /* identity of the opened file, since the program may close the descriptor */

/* Pass an unavailable element of the list on to hiera_settings_complain(). */
static void blame(void *data, const char *name, size_t length, const char *reason)
{
    const char *list = data, *at = strstr(list, name);
    hiera_settings_blame("HIERA_COUNTERS_PRINT", at ? at : list, at ? length : strlen(list), reason);
}

static int open_file(void)
{
    char path[4096];
    int error, file;
    if (hiera_settings.counters_file[0] == '\0')
        return STDERR_FILENO;
    snprintf(path, sizeof path, "%s.%d", hiera_settings.counters_file, hiera_job.rank);
    file = hiera_file_open(path, O_WRONLY | O_CREAT | O_TRUNC, &error);
    if (file < 0) {
        hiera_message("HIERA_MORE: counters_file=%s: %s", path, hiera_message_of(error));
        return -2;
    }
    fstat(file, &opened);
    static const char head[] = "rank,counter,n,time,value,unit\n";
    hiera_file_write(file, head, sizeof head - 1);
    return file;
}

static void tell(const double *values)
{
    for (unsigned i = 0; i < set.n && hiera_counters_observer; i++)
        if (!isnan(values[i]))
            hiera_counters_observer(set.counters[i], values[i]);
}

/* Write lines without ever waiting: a reader that is too slow loses lines. A pipe that is ready for writing takes this
 * many bytes. */
static void put(const char *lines, size_t length)
{
    enum { PATIENCE_MS = 100 };
    struct pollfd file = {.fd = fd, .events = POLLOUT};
    struct stat now;
    if (fd != STDERR_FILENO && (fstat(fd, &now) != 0 || now.st_dev != opened.st_dev || now.st_ino != opened.st_ino))
        fd = -2;
    if (fd >= 0 && poll(&file, 1, PATIENCE_MS) > 0)
        hiera_file_write(fd, lines, length);
}

static void put_lines(const double *values)
{
    char lines[4096];
    size_t length = 0;
    double seconds = (double)(hiera_clock_monotonic_ns() - hiera_clock_birth_ns()) / 1e9;
    for (unsigned i = 0; i < set.n; i++) {
        length += hiera_text_print(lines + length, sizeof lines - length, "%d,%s,%llu,%.6f,%.15g,%s\n", hiera_job.rank,
                                   set.counters[i]->name, (unsigned long long)n_readings, seconds, values[i],
                                   set.counters[i]->unit);
        if (length > sizeof lines - 512) {
            put(lines, length);
            length = 0;
        }
    }
    put(lines, length);
}

/* Read and print all counters of HIERA_COUNTERS_PRINT. Does nothing before the rank is known. */
static void print(void *nothing)
{
    double values[HIERA_COUNTER_SET];
    (void)nothing;
    if (!__atomic_load_n(&hiera_life.joined, __ATOMIC_ACQUIRE))
        return;
    if (fd == -1)
        fd = open_file();
    if (fd < 0)
        return;
    n_readings++;
    hiera_counters_set_of_process(true);
    hiera_counters_read(&set, values);
    hiera_counters_set_of_process(false);
    put_lines(values);
    tell(values);
}

/* The setting has the form "INTERVAL:LIST", such as "1s:proc:rss,perf:page-faults". */
void hiera_counters_print_load(void)
{
    const char *text = hiera_settings.counters_print, *colon = strchr(text, ':');
    uint64_t ns = 0;
    char time[32] = "";
    if (text[0] == '\0')
        return;
    if (colon && colon - text < (ptrdiff_t)sizeof time)
        memcpy(time, text, (size_t)(colon - text));
    if (!hiera_setting_parse_time(time, &ns) || ns < 1000000) {
        hiera_settings_blame("HIERA_COUNTERS_PRINT", text, strlen(text),
                             "it must begin with an interval of at least 1ms: 1s:proc:rss");
        return;
    }
    hiera_counters_add(&set, colon + 1, blame, (void *)(uintptr_t)(colon + 1));
    for (unsigned i = 0; i < set.n; i++)
        if (set.counters[i]->is_of_thread_alone)
            blame((void *)(uintptr_t)(colon + 1), set.counters[i]->name, strlen(set.counters[i]->name),
                  "it counts for single threads, and the helper thread is none that matters");
    if (set.n > 0)
        id = hiera_helper_every(ns, print, NULL);
    if (set.n > 0 && id == 0)
        hiera_settings_blame("HIERA_COUNTERS_PRINT", text, strlen(text), "there can be no helper thread");
}

void hiera_counters_print_end(void)
{
    if (id != 0)
        print(NULL);
    id = 0;
}
