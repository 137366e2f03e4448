/* Lists of texts, for a process that soon becomes another one: nothing is given back, and no memory is the end. */
#ifndef HIERA_RUN_WORDS_H
#define HIERA_RUN_WORDS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct HieraWords {
    char **at; /* NULL behind the last one; NULL if there are none */
    size_t n;
} HieraWords;

/* Append a text, which is not copied. */
void hiera_words_add(HieraWords *words, const char *text);

/* The same, unless it is there already. */
void hiera_words_add_once(HieraWords *words, const char *text);

/* Append the parts of `text` between separators; empty parts are left out. */
void hiera_words_split(HieraWords *words, const char *text, char separator);

/* All texts with `separator` between them. */
char *hiera_words_join(const HieraWords *words, char separator);

/* As printf, into memory of its own. */
char *hiera_words_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool hiera_words_begins(const char *text, const char *beginning);

/* Say a line on standard error. */
void hiera_run_say(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Say on standard error why nothing is run, and exit with 2. */
void hiera_run_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
