/* What the collector says to the user: rarely, on standard error, never on the call path. */
#ifndef HIERA_MESSAGE_H
#define HIERA_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* From now on print no line, or some again. */
void hiera_message_set_quiet(bool quiet);

/* Print one line, "hiera: …", unless that is off. Keeps errno. */
void hiera_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print text as it is. Keeps errno. */
void hiera_message_write(const char *text, size_t length);

/* What an errno means, in the same words whatever the program's language is. Safe in a signal handler where libc has
 * such a table. */
const char *hiera_message_of(int error);

#endif
