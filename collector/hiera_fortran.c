/* Hiera for Fortran programs that are to run with and without the library: compile this file with the program and its
 * module hiera (cc -c hiera_fortran.c), and do not link the library. Under hiera-run regions are recorded; else each
 * call is a load and a branch. Fortran has no weak references of its own, so they are here. */
#include "hiera.h"

#include <stddef.h>
#include <string.h>

enum { TEXT_MAX = 1023 }; /* as many bytes of a text are kept */

void hiera_fortran_begin_(const char *level, const char *name, const char *arguments, size_t level_length,
                          size_t name_length, size_t arguments_length);
void hiera_fortran_end_(const char *name, size_t name_length);
void hiera_fortran_end_last(void);
void hiera_fortran_pause(void);
void hiera_fortran_resume(void);

/* A text of Fortran, without the blanks at its end, as one of C. */
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
