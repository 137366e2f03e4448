/* What is at an address of a program or library: its function, the loops around it, its line. */
#ifndef HIERA_LOOKUP_H
#define HIERA_LOOKUP_H

#include <glib.h>

/* Lines of a source file; of machine code if `file` is NULL: then `begin` and `end` are all that is known. */
typedef struct {
    const char *file; /* as the compiler was given it; NULL: not known */
    int first, last;
    guint64 begin, end;   /* addresses in the numbering of the file */
    gboolean irreducible; /* of a loop: it is entered at several places */
} HieraCodeLines;

typedef struct {
    const char *function;        /* name in the source; NULL: there is no function that the file tells of */
    HieraCodeLines lines;        /* of the function */
    const HieraCodeLines *loops; /* n_loops of them are around the address, the outermost first */
    guint n_loops;
    const char *file; /* of the instruction, also if it was inlined from elsewhere; NULL: not known */
    int line;
} HieraCodePlace;

typedef struct HieraCode HieraCode;

/* What the library exports under the name HIERA_CODE_LIBRARY_SYMBOL. */
typedef struct {
    /* Open a file. @param build  its build id, in hexadecimal; the file must have it. @return NULL with an error */
    HieraCode *(*open)(const char *path, const char *build, GError **error);
    void (*close)(HieraCode *code);
    /* Find a place. @param offset  from the first page of the file in memory. @return what is there; it belongs to
     * `code` */
    const HieraCodePlace *(*find)(HieraCode *code, guint64 offset);
} HieraCodeLibrary;
#define HIERA_CODE_LIBRARY        "libhiera-code.so"
#define HIERA_CODE_LIBRARY_SYMBOL "hiera_code_library"

#endif
