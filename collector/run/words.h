/* Lists of texts, for a process that soon calls exec: nothing is freed, and lack of memory ends the process. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct HieraWords {
    char **at; /* ends with NULL; NULL if the list is empty */
    size_t n;
} HieraWords;

/* Append a text without copying it. */
void hiera_words_add(HieraWords *words, const char *text);

/* The same, unless the list has the text already. */
void hiera_words_add_once(HieraWords *words, const char *text);

/* Append the parts of `text` between separators, without empty parts. */
void hiera_words_split(HieraWords *words, const char *text, char separator);

/* Join all texts with `separator` between them. */
char *hiera_words_join(const HieraWords *words, char separator);

/* Format as printf into new memory. */
char *hiera_words_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool hiera_words_begins(const char *text, const char *beginning);

/* Print a line on standard error. */
void hiera_run_say(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Print the lines of an error on standard error and exit with 2. `lines` may be modified. */
void hiera_run_fail_lines(char *lines) __attribute__((noreturn));

/* Print an error on standard error and exit with 2. */
void hiera_run_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
