/* Messages to the user, on standard error. They are rare, and never come from the call path. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Switch messages off (true) or on. */
void hiera_message_set_quiet(bool quiet);

/* Print one line, "hiera: …", unless messages are off. Keeps errno. */
void hiera_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print several lines, each behind "hiera: ", so that a caret stays under its column; `head` stands before the first
 * line. */
void hiera_message_lines(const char *head, const char *lines);

/* Print text on standard error as it is, even if messages are off. Keeps errno. */
void hiera_message_write(const char *text, size_t length);

/* Text of an errno in English, whatever the program's locale. Safe in a signal handler if libc has
 * strerrordesc_np(). */
const char *hiera_message_of(int error);
