/* Hiera for Fortran programs that are to run with and without the library: compile this file with the program and its
 * module hiera (cc -c hiera_fortran.c), and do not link the library. Under hiera-run regions are recorded; else each
 * call is a load and a branch. Fortran has no weak references of its own, so they are here. */
#include "hiera.h"

#include <stddef.h>
#include <string.h>

enum { TEXT_MAX = 1023 }; /* longest text in bytes; longer ones are cut */

void hiera_fortran_begin_(const char *level, const char *name, const char *arguments, size_t level_length,
                          size_t name_length, size_t arguments_length);
void hiera_fortran_end_(const char *name, size_t name_length);
void hiera_fortran_end_last(void);
int hiera_fortran_assert_begin_(const char *text, const char *file, const int *line, size_t text_length,
                                size_t file_length);
void hiera_fortran_assert_end(const int *id);
void hiera_fortran_pause(void);
void hiera_fortran_resume(void);

/* Copy a Fortran text into `to` as a C string, without the blanks at its end. */
static const char *put(char *to, const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    length = length > TEXT_MAX ? TEXT_MAX : length;
    memcpy(to, text, length);
    to[length] = '\0';
    return to;
}

void hiera_fortran_begin_(const char *level, const char *name, const char *arguments, size_t level_length,
                          size_t name_length, size_t arguments_length)
{
    char texts[3][TEXT_MAX + 1];
    if (!hiera_begin_at)
        return;
    put(texts[0], level, level_length);
    put(texts[1], name, name_length);
    if (arguments && *put(texts[2], arguments, arguments_length))
        hiera_begin_at(HIERA_CALLER(), texts[0], texts[1], "%s", texts[2]);
    else
        hiera_begin_at(HIERA_CALLER(), texts[0], texts[1], NULL);
}

void hiera_fortran_end_(const char *name, size_t name_length)
{
    char text[TEXT_MAX + 1];
    if (hiera_end_of)
        hiera_end_of(put(text, name, name_length));
}

void hiera_fortran_end_last(void)
{
    hiera_end();
}

void hiera_fortran_pause(void)
{
    hiera_pause();
}

void hiera_fortran_resume(void)
{
    hiera_resume();
}

int hiera_fortran_assert_begin_(const char *text, const char *file, const int *line, size_t text_length,
                                size_t file_length)
{
    char texts[2][TEXT_MAX + 1];
    if (!hiera_assert_begin)
        return 0;
    put(texts[0], text, text_length);
    put(texts[1], file ? file : "", file ? file_length : 0);
    return hiera_assert_begin(HIERA_CALLER(), texts[0], file ? texts[1] : NULL,
                              line && *line > 0 ? (unsigned)*line : 0);
}

void hiera_fortran_assert_end(const int *id)
{
    hiera_assert_end(*id, HIERA_TYPE_DOUBLE, NULL, 0);
}

/* Define the functions that end an assertion with one value or several values of a C type. */
#define ENDS(kind, type, code)                                                                                         \
    void hiera_fortran_assert_end_##kind(const int *id, const type *value);                                            \
    void hiera_fortran_assert_end_##kind##s(const int *id, const type *values, const int *n);                          \
    void hiera_fortran_assert_end_##kind(const int *id, const type *value)                                             \
    {                                                                                                                  \
        hiera_assert_end(*id, code, value, 1);                                                                         \
    }                                                                                                                  \
    void hiera_fortran_assert_end_##kind##s(const int *id, const type *values, const int *n)                           \
    {                                                                                                                  \
        hiera_assert_end(*id, code, values, *n > 0 ? (unsigned)*n : 0);                                                \
    }
ENDS(int, int, HIERA_TYPE_FORTRAN_INT)
ENDS(long, long long, HIERA_TYPE_LLONG)
ENDS(float, float, HIERA_TYPE_FLOAT)
ENDS(double, double, HIERA_TYPE_DOUBLE)

#define HIERA_FORTRAN_NAME(name) name##_
#define HIERA_FORTRAN_ALIASES(name)
#include "hiera_fortran_probes.h"
int hiera_fortran_counter_read_(const char *name, double *value, size_t name_length);
void hiera_fortran_counter_sample_(const char *name, const double *value, size_t name_length);

int hiera_fortran_counter_read_(const char *name, double *value, size_t name_length)
{
    char text[TEXT_MAX + 1];
    return hiera_counter_read(put(text, name, name_length), value);
}

void hiera_fortran_counter_sample_(const char *name, const double *value, size_t name_length)
{
    char text[TEXT_MAX + 1];
    hiera_counter_sample(put(text, name, name_length), *value);
}
