/* See alive.h. The kernel gives the start time of a process in clock ticks since boot. */
#include "alive.h"
#include "xml/container.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIELDS_BEFORE_START 20 /* in /proc/PID/stat, from the process state to the start time */
#define TOLERANCE_S         1  /* ticks and file times are coarse */

gboolean hiera_alive_is_here(const char *host)
{
    char name[256] = "";
    return *host && gethostname(name, sizeof name - 1) == 0 && strcmp(name, host) == 0;
}

/* Return the start time of a process in seconds since boot; -1 if there is no such process, or it is a zombie. */
static double find_start(gint64 pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%" G_GINT64_FORMAT "/stat", pid), *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return -1;
    char *at = strrchr(text, ')'); /* end of the name, which may contain spaces and parentheses */
    if (!at || strlen(at) < 4 || at[2] == 'Z')
        return -1;
    for (guint i = 0; at && i < FIELDS_BEFORE_START; i++)
        at = strchr(at + 1, ' ');
    return at ? (double)g_ascii_strtoull(at, NULL, 10) / (double)sysconf(_SC_CLK_TCK) : -1;
}

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + (double)time->tv_nsec / 1e9;
}

gboolean hiera_alive_check(const char *host, gint64 pid, const char *path)
{
    struct stat status;
    struct timespec now, up;
    guint32 rank;
    if (pid <= 0 || !hiera_alive_is_here(host))
        return FALSE;
    g_autofree char *container = hiera_container_find(path, &rank);
    if (stat(container ? container : path, &status) != 0)
        return FALSE;
    double start = find_start(pid);
    if (start < 0 || clock_gettime(CLOCK_REALTIME, &now) != 0 || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
        return FALSE;
    return seconds_of(&now) - seconds_of(&up) + start <= seconds_of(&status.st_mtim) + TOLERANCE_S;
}
