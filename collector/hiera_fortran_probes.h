/* Probes of the Fortran module hiera (hiera.f90): its subroutines call hiera_probe_named(). Included by the files that
 * define them: the library, and hiera_fortran.c for programs that run with and without it. Both define
 * HIERA_FORTRAN_NAME(name), the compiler's name for a subroutine, and HIERA_FORTRAN_ALIASES(name). The lengths of texts
 * are passed as hidden arguments at the end. */
#ifndef HIERA_FORTRAN_PROBES_H
#define HIERA_FORTRAN_PROBES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { HIERA_FORTRAN_TEXT = 256, HIERA_FORTRAN_VALUES = 16 };

/* Copy a Fortran text into `to` as a C string, without the blanks at its end. */
static const char *hiera_fortran_text(char *to, size_t room, const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    length = length < room ? length : room - 1;
    memcpy(to, text, length);
    to[length] = '\0';
    return to;
}

static void hiera_fortran_reach(const void *site, const char *name, size_t name_length, const char *names,
                                size_t names_length, const struct hiera_probe_value *values, unsigned n)
{
    char texts[2][HIERA_FORTRAN_TEXT];
    hiera_fortran_text(texts[0], sizeof texts[0], name, name_length);
    hiera_fortran_text(texts[1], sizeof texts[1], names, names_length);
    hiera_probe_named(site, texts[0], texts[1], values, n);
}

void HIERA_FORTRAN_NAME(hiera_fortran_probe)(const char *name, size_t name_length);
void HIERA_FORTRAN_NAME(hiera_fortran_probe)(const char *name, size_t name_length)
{
    hiera_fortran_reach(HIERA_CALLER(), name, name_length, "", 0, NULL, 0);
}
HIERA_FORTRAN_ALIASES(hiera_fortran_probe)

typedef void HieraFortranProbeText(const char *name, const char *names, const char *text, size_t name_length,
                                   size_t names_length, size_t text_length);
HieraFortranProbeText HIERA_FORTRAN_NAME(hiera_fortran_probe_text);
void HIERA_FORTRAN_NAME(hiera_fortran_probe_text)(const char *name, const char *names, const char *text,
                                                  size_t name_length, size_t names_length, size_t text_length)
{
    char room[1024];
    const struct hiera_probe_value value = {HIERA_VALUE_OF_TEXT, 0, 0,
                                            hiera_fortran_text(room, sizeof room, text, text_length)};
    hiera_fortran_reach(HIERA_CALLER(), name, name_length, names, names_length, &value, 1);
}
HIERA_FORTRAN_ALIASES(hiera_fortran_probe_text)

/* Define the functions for probes with values of type T. */
#define HIERA_FORTRAN_PROBES(kind, T, code, member)                                                                    \
    static unsigned hiera_fortran_put_##kind(struct hiera_probe_value *to, unsigned at, const T *values, int n)        \
    {                                                                                                                  \
        for (int i = 0; i < n && at < HIERA_FORTRAN_VALUES; i++, at++) {                                               \
            to[at].type = code;                                                                                        \
            to[at].member = values[i];                                                                                 \
        }                                                                                                              \
        return at;                                                                                                     \
    }                                                                                                                  \
    typedef void HieraFortranProbe_##kind(const char *name, const char *names, const T *values, const int *n,          \
                                          size_t name_length, size_t names_length);                                    \
    HieraFortranProbe_##kind HIERA_FORTRAN_NAME(hiera_fortran_probe_##kind);                                           \
    void HIERA_FORTRAN_NAME(hiera_fortran_probe_##kind)(const char *name, const char *names, const T *values,          \
                                                        const int *n, size_t name_length, size_t names_length)         \
    {                                                                                                                  \
        struct hiera_probe_value to[HIERA_FORTRAN_VALUES] = {{0, 0, 0, 0}};                                            \
        unsigned count = hiera_fortran_put_##kind(to, 0, values, *n);                                                  \
        hiera_fortran_reach(HIERA_CALLER(), name, name_length, names, names_length, to, count);                        \
    }                                                                                                                  \
    HIERA_FORTRAN_ALIASES(hiera_fortran_probe_##kind)
HIERA_FORTRAN_PROBES(ints, int, HIERA_VALUE_OF_INTEGER, integer)
HIERA_FORTRAN_PROBES(longs, long long, HIERA_VALUE_OF_INTEGER, integer)
HIERA_FORTRAN_PROBES(floats, float, HIERA_VALUE_OF_NUMBER, number)
HIERA_FORTRAN_PROBES(doubles, double, HIERA_VALUE_OF_NUMBER, number)

typedef void HieraFortranProbeBoth(const char *name, const char *names, const int *values, const int *n,
                                   const double *reals, const int *n_reals, size_t name_length, size_t names_length);
HieraFortranProbeBoth HIERA_FORTRAN_NAME(hiera_fortran_probe_both);
void HIERA_FORTRAN_NAME(hiera_fortran_probe_both)(const char *name, const char *names, const int *values, const int *n,
                                                  const double *reals, const int *n_reals, size_t name_length,
                                                  size_t names_length)
{
    struct hiera_probe_value to[HIERA_FORTRAN_VALUES] = {{0, 0, 0, 0}};
    unsigned count = hiera_fortran_put_ints(to, 0, values, *n);
    count = hiera_fortran_put_doubles(to, count, reals, *n_reals);
    hiera_fortran_reach(HIERA_CALLER(), name, name_length, names, names_length, to, count);
}
HIERA_FORTRAN_ALIASES(hiera_fortran_probe_both)

/* Allocates memory, since a script may be long. Both arguments are optional in Fortran: NULL if absent. */
void HIERA_FORTRAN_NAME(hiera_fortran_probes_start)(const char *script, int *started, size_t script_length);
void HIERA_FORTRAN_NAME(hiera_fortran_probes_start)(const char *script, int *started, size_t script_length)
{
    char *text = script ? (char *)malloc(script_length + 1) : NULL;
    int good = 0;
    if (text || !script)
        good = hiera_probes_start(text ? hiera_fortran_text(text, script_length + 1, script, script_length) : NULL);
    free(text);
    if (started)
        *started = good;
}
HIERA_FORTRAN_ALIASES(hiera_fortran_probes_start)

void hiera_fortran_probes_stop(void);
void hiera_fortran_probes_stop(void)
{
    hiera_probes_stop();
}

#endif
