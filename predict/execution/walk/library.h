/* Rows for functions of libraries: what they cost, and what they return. */
#ifndef HIERA_EXECUTION_LIBRARY_H
#define HIERA_EXECUTION_LIBRARY_H

#include "process.h"

/* What a function returns: in rax, or in xmm0. Registers still have the arguments. */
typedef struct {
    gboolean has_integer, has_float;
    guint64 integer;
    guint64 bits; /* of the float */
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
    void (*work)(HieraProcess *process, HieraReturned *returned); /* or NULL */
    gdouble (*of_one)(gdouble);                                   /* of a double, or NULL */
    gfloat (*of_float)(gfloat);                                   /* of a float, or NULL */
    gdouble (*of_two)(gdouble, gdouble);                          /* of two doubles, or NULL */
} HieraLibraryRow;

/* Of bytes.c, texts.c, letters.c, formats.c, words.c, regions.c, c_files.c and fortran_files.c; the last row has no
 * name.
 * __NAME_chk without a row is the same as NAME: its further arguments are the last ones. */
extern const HieraLibraryRow hiera_byte_rows[], hiera_text_rows[], hiera_letter_rows[], hiera_format_rows[],
    hiera_word_rows[], hiera_region_rows[], hiera_c_file_rows[], hiera_fortran_file_rows[];

/* A text that ends with a zero byte; NULL: it is not known. To be freed. */
char *hiera_process_text(HieraProcess *process, HieraKnown address);
/* Forget what arguments from the first one on point to. */
void hiera_process_forget_arguments(HieraProcess *process, guint first);

#endif
