/* Maps an address to file and line, with the functions that the compiler inlined there; and finds the lines of loops.
 * libdw reads the debug information of the file itself or of the file that its build id or debug link names. */
#pragma once

#include "image/flow/flow.h"

typedef struct HieraPlaces HieraPlaces;

/* Open the debug information of a file. @return NULL if there is none. To be freed with hiera_places_free */
HieraPlaces *hiera_places_new(const char *path);
/* Open the debug information of a file that is loaded at the address `base`: see HieraObject.base. */
HieraPlaces *hiera_places_new_at(const char *path, guint64 base);
void hiera_places_free(HieraPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraPlaces, hiera_places_free)

/* A line in a function; with inlined functions, the line that is executed in each. Texts belong to the HieraPlaces. */
typedef struct {
    guint64 scope;        /* identifies the function, and the place where it was inlined; 0: not known */
    const char *function; /* name of the function; NULL: not known */
    const char *file;
    int line;
} HieraFrame;

/* Find the line of an address.
 *
 * @param frames  receives HieraFrame, the innermost first; empty if nothing is known */
void hiera_places_find(HieraPlaces *places, guint64 address, GArray *frames);

/* Return the symbol of the function in whose source a part of it begins, also if it was inlined everywhere; NULL: not
 * known. A part in a lambda is one of the function around.
 *
 * @param address  where the machine code of the part begins, which the compiler named with a dot first
 * @param likely   symbol to choose if several begin in the same line, as those of a template do; NULL: any */
const char *hiera_places_whole(HieraPlaces *places, guint64 address, const char *likely);

typedef struct {
    const char *file; /* source file; NULL: not known */
    int first, last;
} HieraLines;

/* Return the lines of a function: of all its instructions from its own source or from code inlined into it. */
HieraLines hiera_places_function(HieraPlaces *places, const HieraFlow *flow);
/* Return the lines of a loop: of all its instructions, as seen from the function in whose source the loop is. That is
 * the function of its last jump back. */
HieraLines hiera_places_loop(HieraPlaces *places, const HieraFlow *flow, const HieraLoop *loop);
