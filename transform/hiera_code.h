/** Machine code: the function, loops and source line at the address of a sample. */
#ifndef HIERA_CODE_PLACE_H
#define HIERA_CODE_PLACE_H

#include "hiera_trace.h"

/** Range of lines of a function or loop; if they are not known, its range of addresses in machine code. */
typedef struct {
    const char *file; /* path of the source file; NULL: not known */
    int first, last;
    guint64 begin, end;   /* addresses as in the file of the program or library */
    gboolean irreducible; /* whether the range is a loop that is entered at several points */
} HieraCodeSpan;

/** What is at an address of machine code. Texts live as long as the process. */
typedef struct {
    const char *function;       /* name of the function in the source; NULL: not known */
    HieraCodeSpan lines;        /* source lines of the function */
    const HieraCodeSpan *loops; /* the `n_loops` loops around the address, the outermost first */
    guint n_loops;
    const char *file; /* source file of the instruction; NULL: not known */
    int line;
} HieraCodeAt;

/** Find the function, loops and line at the address of a sample. The file of the program or library is read; it must
 * have the build id that the trace names, and may lie beside the trace. Any thread may call this; calls run one at a
 * time. The first call for a file decodes all of its code.
 *
 * @param problem  becomes the reason why nothing is known, owned by the process; may be NULL
 * @return NULL if nothing is known of that file */
HIERA_API const HieraCodeAt *hiera_code_find(const HieraSampled *sampled, const char **problem);

#endif
