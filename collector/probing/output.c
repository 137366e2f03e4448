/* See output.h. Text is written with write(), since the buffer and the lock of stdio belong to the program. */
#include "output.h"

#include "base/message.h"
#include "base/printable.h"
#include "base/safe_file.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PART = 512 }; /* bytes handled at once; small, as stacks of threads may be small */

static char path[PATH_MAX]; /* path of the output file, without the rank; "": standard output */
static int fd = -1;         /* descriptor of the output file; -1: not opened yet, -2: opening has failed */
static bool said;

/* Make the path of the output file absolute, since the program may change its working directory later. */
void hiera_probe_output_load(void)
{
    const char *given = hiera_settings.probe_output;
    char here[PATH_MAX];
    path[0] = '\0';
    if (!given[0])
        return;
    bool absolute = given[0] == '/' || !getcwd(here, sizeof here);
    if (snprintf(path, sizeof path, "%s%s%s", absolute ? "" : here, absolute ? "" : "/", given) >= (int)sizeof path)
        path[0] = '\0';
}

static void complain(const char *what, int error)
{
    if (!said)
        hiera_message("what the probe script prints is lost: %s: %s", what, hiera_message_of(error));
    said = true;
}

static void open_file(int rank)
{
    char name[PATH_MAX];
    int error = ENAMETOOLONG;
    fd = snprintf(name, sizeof name, "%s.%d", path, rank) < (int)sizeof name
             ? hiera_file_open(name, O_WRONLY | O_CREAT | O_TRUNC, &error)
             : -1;
    if (fd >= 0)
        fd = hiera_file_move_up(fd);
    else
        fd = -2;
    if (fd < 0)
        complain(name, error);
}

static void put(const char *text, size_t length)
{
    int to = path[0] ? fd : STDOUT_FILENO;
    int error = to >= 0 && length > 0 ? hiera_file_write(to, text, length) : 0;
    if (error != 0)
        complain(path[0] ? path : "standard output", error);
}

static bool stays(char c)
{
    return c == '\n' || c == '\t';
}

/* Copy text up to a tab or line end (at most PART bytes, whole characters), with invisible characters replaced. Returns
 * the length. */
static size_t take_part(char *part, const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && n < PART && !stays(text[n]))
        n++;
    size_t whole = n;
    while (n == PART && n < length && whole > 0 && (text[whole] & 0xc0) == 0x80)
        whole--; /* do not cut inside a character of several bytes */
    n = whole > 0 ? whole : n;
    memcpy(part, text, n);
    hiera_printable(part, n);
    return n;
}

static bool is_harmless(const char *text, size_t length)
{
    char part[PART];
    for (size_t at = 0, n; at < length; at += n + (at + n < length && stays(text[at + n]))) {
        n = take_part(part, text + at, length - at);
        if (memcmp(part, text + at, n) != 0)
            return false;
    }
    return true;
}

/* Write a text with invisible characters replaced, except tabs and line ends. */
static void put_harmless(const char *text, size_t length)
{
    char part[PART + 1];
    for (size_t at = 0, n; at < length; at += n) {
        n = take_part(part, text + at, length - at);
        if (at + n < length && stays(text[at + n])) {
            part[n] = text[at + n];
            n++;
        }
        put(part, n);
    }
}

void hiera_probe_output_write(int rank, const char *text, size_t length)
{
    if (path[0] && fd == -1)
        open_file(rank);
    if (is_harmless(text, length))
        put(text, length);
    else
        put_harmless(text, length);
}
