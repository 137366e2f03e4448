/* Library functions that are simulated: their costs, and what they return and write. */
#pragma once

#include "process.h"

/* What a library function returns: an integer in rax, or a float in xmm0. While it runs, registers have the arguments.
 */
typedef struct {
    gboolean has_integer, has_float;
    guint64 integer;
    guint64 bits; /* bits of the returned float */
    gdouble cycles;
} HieraReturned;

static inline void hiera_return_integer(HieraReturned *returned, guint64 integer)
{
    returned->has_integer = TRUE;
    returned->integer = integer;
}

typedef struct {
    const char *name;
    gdouble cycles;
    void (*work)(HieraProcess *process, HieraReturned *returned); /* simulates the function; NULL: its result is not
                                                                     known, or another column has the function */
    gdouble (*of_one)(gdouble);                                   /* C function of a double; NULL: none */
    gfloat (*of_float)(gfloat);                                   /* C function of a float; NULL: none */
    gdouble (*of_two)(gdouble, gdouble);                          /* C function of two doubles; NULL: none */
} HieraLibraryRow;

/* Rows in bytes.c, texts.c, letters.c, formats.c, words.c, regions.c, c_files.c and fortran_files.c; the last row has
 * no name.
 * __NAME_chk without a row is the same as NAME: its additional arguments are the last ones. */
extern const HieraLibraryRow hiera_byte_rows[], hiera_text_rows[], hiera_letter_rows[], hiera_format_rows[],
    hiera_word_rows[], hiera_region_rows[], hiera_c_file_rows[], hiera_fortran_file_rows[];

/* Read a text from memory, up to its zero byte; NULL: not known. To be freed with g_free. */
char *hiera_process_text(HieraProcess *process, HieraKnown address);
/* Make memory unknown to which the call's arguments point. @param first  index of the first argument */
void hiera_process_forget_arguments(HieraProcess *process, guint first);
