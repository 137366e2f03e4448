/* Each message, even of several lines, is one write(2): messages of different ranks do not mix, and the program's stdio
 * is not touched. */
#include "message.h"

#include "printable.h"
#include "safe_file.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 1024 };

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

/* Format one line of a message, without control characters. @return  its length; 0 if formatting fails */
__attribute__((format(printf, 2, 0))) static size_t make_line(char line[LINE], const char *format, va_list arguments)
{
    static const char head[] = "hiera: ";
    const size_t n_head = sizeof head - 1;
    memcpy(line, head, n_head);
    int n = vsnprintf(line + n_head, LINE - n_head - 1, format, arguments);
    if (n < 0)
        return 0;
    size_t length = n_head + ((size_t)n < LINE - n_head - 1 ? (size_t)n : LINE - n_head - 2);
    hiera_printable(line, length);
    line[length++] = '\n';
    return length;
}

void hiera_message(const char *format, ...)
{
    char line[LINE];
    va_list arguments;
    if (is_quiet)
        return;
    va_start(arguments, format);
    size_t length = make_line(line, format, arguments);
    va_end(arguments);
    hiera_message_write(line, length);
}

__attribute__((format(printf, 2, 3))) static size_t put_line(char line[LINE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t length = make_line(line, format, arguments);
    va_end(arguments);
    return length;
}

/* Writes several lines at once, up to PIPE_BUF bytes, since a pipe does not mix such a write with others. */
void hiera_message_lines(const char *head, const char *lines)
{
    char text[PIPE_BUF];
    size_t n = 0;
    for (const char *line = lines; *line && !is_quiet; head = "") {
        size_t length = strcspn(line, "\n");
        if (n > sizeof text - LINE) {
            hiera_message_write(text, n);
            n = 0;
        }
        n += put_line(text + n, "%s%.*s", head, (int)length, line);
        line += length + (line[length] != '\0');
    }
    hiera_message_write(text, n);
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
