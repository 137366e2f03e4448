/** Machine code: what is at the places of samples. */
#ifndef HIERA_CODE_PLACE_H
#define HIERA_CODE_PLACE_H

#include "hiera_trace.h"

/** Lines of a source file; if that is not known, addresses of machine code. */
typedef struct {
    const char *file; /* NULL: not known */
    int first, last;
    guint64 begin, end;   /* in the numbering of the program or library */
    gboolean irreducible; /* of a loop: it is entered at several places */
} HieraCodeSpan;

/** A place in machine code. Texts live as long as the process. */
typedef struct {
    const char *function;       /* name in the source; NULL: not known */
    HieraCodeSpan lines;        /* of the function */
    const HieraCodeSpan *loops; /* n_loops of them are around the place, the outermost first */
    guint n_loops;
    const char *file; /* of the instruction; NULL: not known */
    int line;
} HieraCodeAt;

/** Find out what is at the place of samples: the file of the program or library is read, which must have the build id
 * that the trace names; it may lie beside the trace. Any thread may ask; one is answered at a time. The first question
 * about a file decodes all of its code.
 *
 * @param problem  becomes why nothing is known, owned by the process; may be NULL
 * @return NULL if nothing is known of that file */
HIERA_API const HieraCodeAt *hiera_code_find(const HieraSampled *sampled, const char **problem);

#endif
