/* Each message is one write(2): lines of different ranks do not mix, and the program's stdio is not touched. */
#include "message.h"

#include "printable.h"
#include "safe_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_quiet;

void hiera_message_set_quiet(bool quiet)
{
    is_quiet = quiet;
}

void hiera_message_write(const char *text, size_t length)
{
    int saved_errno = errno;
    hiera_file_write(STDERR_FILENO, text, length);
    errno = saved_errno;
}

void hiera_message(const char *format, ...)
{
    char line[1024] = "hiera: ";
    const size_t head = 7;
    va_list arguments;
    if (is_quiet)
        return;
    va_start(arguments, format);
    int n = vsnprintf(line + head, sizeof line - head - 1, format, arguments);
    va_end(arguments);
    if (n < 0)
        return;
    size_t length = head + ((size_t)n < sizeof line - head - 1 ? (size_t)n : sizeof line - head - 2);
    hiera_printable(line, length);
    line[length++] = '\n';
    hiera_message_write(line, length);
}

void hiera_message_lines(const char *head, const char *lines)
{
    for (const char *line = lines; *line; head = "") {
        size_t length = strcspn(line, "\n");
        hiera_message("%s%.*s", head, (int)length, line);
        line += length + (line[length] != '\0');
    }
}

const char *hiera_message_of(int error)
{
    if (error == HIERA_ERROR_FOREIGN)
        return "a file of that name is not Hiera's";
    if (error == HIERA_ERROR_BUSY)
        return "another job writes there";
#ifdef HIERA_HAVE_STRERRORDESC
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
#else
    return strerror(error);
#endif
}
