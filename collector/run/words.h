/* Lists of texts, for a process that soon calls exec: nothing is freed, and lack of memory ends the process. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct HieraWords {
    char **at; /* array of `n` texts and a NULL; NULL if the list is empty */
    size_t n;
} HieraWords;

/* Append a text without copying it. */
void hiera_words_add(HieraWords *words, const char *text);

/* Append a text without copying it, unless the list already has an equal text. */
void hiera_words_add_once(HieraWords *words, const char *text);

/* Append the parts of `text` that are between separators; parts of length 0 are left out. */
void hiera_words_split(HieraWords *words, const char *text, char separator);

/* Return all texts of a list as one text, with `separator` between them. */
char *hiera_words_join(const HieraWords *words, char separator);

/* Return a new text, formatted as by printf(). */
char *hiera_words_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool hiera_words_begins(const char *text, const char *beginning);

/* Print a formatted line on standard error. */
void hiera_run_say(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Print the lines of an error message on standard error and exit with 2. The bytes at `lines` may be modified. */
void hiera_run_fail_lines(char *lines) __attribute__((noreturn));

/* Print a formatted error message on standard error and exit with 2. */
void hiera_run_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
