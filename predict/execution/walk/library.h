/* Table rows for library functions: their costs and results. */
#pragma once

#include "process.h"

/* The result of a function: in rax, or in xmm0. Registers still hold the arguments. */
typedef struct {
    gboolean has_integer, has_float;
    guint64 integer;
    guint64 bits; /* bits of the float */
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
    void (*work)(HieraProcess *process, HieraReturned *returned); /* simulates the function; or NULL */
    gdouble (*of_one)(gdouble);                                   /* function of a double, or NULL */
    gfloat (*of_float)(gfloat);                                   /* function of a float, or NULL */
    gdouble (*of_two)(gdouble, gdouble);                          /* function of two doubles, or NULL */
} HieraLibraryRow;

/* Rows in bytes.c, texts.c, letters.c, formats.c, words.c, regions.c, c_files.c and fortran_files.c; the last row has
 * no name.
 * __NAME_chk without a row is the same as NAME: its additional arguments are the last ones. */
extern const HieraLibraryRow hiera_byte_rows[], hiera_text_rows[], hiera_letter_rows[], hiera_format_rows[],
    hiera_word_rows[], hiera_region_rows[], hiera_c_file_rows[], hiera_fortran_file_rows[];

/* Read a text that ends with a zero byte; NULL: not known. To be freed. */
char *hiera_process_text(HieraProcess *process, HieraKnown address);
/* Make memory unknown to which arguments from the first one on point. */
void hiera_process_forget_arguments(HieraProcess *process, guint first);
