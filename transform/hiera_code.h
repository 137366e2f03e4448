/** Machine code: the function, loops and source line at the address of a sample. */
#ifndef HIERA_CODE_PLACE_H
#define HIERA_CODE_PLACE_H

#include "hiera_trace.h"

/** Lines of a source file; if they are not known, addresses of machine code. */
typedef struct {
    const char *file; /* NULL: not known */
    int first, last;
    guint64 begin, end;   /* addresses as in the file of the program or library */
    gboolean irreducible; /* a loop that is entered at several places */
} HieraCodeSpan;

/** A place in machine code. Texts live as long as the process. */
typedef struct {
    const char *function;       /* name in the source; NULL: not known */
    HieraCodeSpan lines;        /* lines of that function */
    const HieraCodeSpan *loops; /* the `n_loops` loops around the place, the outermost first */
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
