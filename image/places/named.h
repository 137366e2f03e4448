/* Finds the functions that a user names: NAME, or FILE:NAME, where FILE is the source or the library. */
#pragma once

#include "image/object/functions.h"
#include "text/nearest.h"

typedef struct {
    char *file;           /* base name of the source or the library; NULL: any */
    char *name;           /* may have * and ? */
    HieraNearest nearest; /* among the names of all files that do not have it, without scopes and arguments */
    char *similar;        /* the name that is most similar, as the source has it; NULL: none is similar */
} HieraNamed;

/* Begin a search. Free it with hiera_named_clear. */
HieraNamed hiera_named_begin(const char *text);
void hiera_named_clear(HieraNamed *named);

/* Return the functions of a file that are meant, in their order: those whose name it is, with what the compiler made of
 * each (hiera_name_means); else those of Fortran whose name it is without the module, or in other letters; else those
 * that fit a pattern. If there are none, `similar` may change. To be freed with g_ptr_array_unref */
GPtrArray *hiera_named_find(HieraNamed *named, const HieraFunctions *functions);

/* Return "; did you mean '…'?", or nothing if no name is similar; to be freed with g_free. */
char *hiera_named_hint(const HieraNamed *named);
