/* Looks up an address in a program or library: its function, the loops around it, its line. */
#pragma once

#include <glib.h>

/* Lines of a source file. If `file` is NULL, only the addresses `begin` and `end` are known. */
typedef struct {
    const char *file; /* path as given to the compiler; NULL: not known */
    int first, last;
    guint64 begin, end;   /* addresses as written in the file */
    gboolean irreducible; /* for a loop: whether it is entered at several places */
} HieraCodeLines;

typedef struct {
    const char *function; /* name of the function in the source; NULL: the file names no function at the address */
    HieraCodeLines lines; /* lines of the function */
    const HieraCodeLines *loops; /* the `n_loops` loops around the address, outermost first */
    guint n_loops;
    const char *file; /* source file of the instruction, which may be inlined from elsewhere; NULL: not known */
    int line;
} HieraCodePlace;

typedef struct HieraCode HieraCode;

/* The functions that the library exports under the name HIERA_CODE_LIBRARY_SYMBOL. */
typedef struct {
    /* Open a file. @param build  required build id of the file, in hexadecimal. @return NULL with an error */
    HieraCode *(*open)(const char *path, const char *build, GError **error);
    void (*close)(HieraCode *code);
    /* Look up a place. @param offset  offset from the first page of the file in memory. @return the place; it belongs
     * to `code` */
    const HieraCodePlace *(*find)(HieraCode *code, guint64 offset);
} HieraCodeLibrary;
#define HIERA_CODE_LIBRARY        "libhiera-code.so"
#define HIERA_CODE_LIBRARY_SYMBOL "hiera_code_library"
