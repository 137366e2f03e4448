/* The functions that the Fortran module (hiera.f90) calls for assertions. */
#include "hiera.h"
#include "region_steps.h"

#include <string.h>

/* Type of Fortran's variant of hiera_assert_begin(): after the arguments come the hidden lengths of both texts. */
typedef int FortranAssertBegin(const char *text, const char *file, const int *line, size_t text_length,
                               size_t file_length);

HIERA_PUBLIC FortranAssertBegin hiera_fortran_assert_begin;

/* Copy a Fortran text into `to` and append a NUL. */
static void put(char *to, HieraBytes text)
{
    memcpy(to, text.bytes, text.length);
    to[text.length] = '\0';
}

int hiera_fortran_assert_begin(const char *text, const char *file, const int *line, size_t text_length,
                               size_t file_length)
{
    char texts[2][HIERA_REGION_TEXT_MAX + 1];
    put(texts[0], hiera_region_bytes_of_padded(text, text_length));
    put(texts[1], hiera_region_bytes_of_padded(file ? file : "", file ? file_length : 0));
    return hiera_assert_begin(HIERA_SITE, texts[0], file ? texts[1] : NULL, line && *line > 0 ? (unsigned)*line : 0);
}

#define SPELLED(function) __attribute__((alias(#function)))
HIERA_PUBLIC FortranAssertBegin hiera_fortran_assert_begin_ SPELLED(hiera_fortran_assert_begin),
    hiera_fortran_assert_begin__ SPELLED(hiera_fortran_assert_begin),
    HIERA_FORTRAN_ASSERT_BEGIN SPELLED(hiera_fortran_assert_begin);

/* Define Fortran's variants of hiera_assert_end() for one type of values: for one value, and for an array. */
#define ENDS(kind, type, code)                                                                                         \
    HIERA_PUBLIC void hiera_fortran_assert_end_##kind(const int *id, const type *value);                               \
    HIERA_PUBLIC void hiera_fortran_assert_end_##kind##s(const int *id, const type *values, const int *n);             \
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

HIERA_PUBLIC void hiera_fortran_assert_end(const int *id);
void hiera_fortran_assert_end(const int *id)
{
    hiera_assert_end(*id, HIERA_TYPE_DOUBLE, NULL, 0);
}
