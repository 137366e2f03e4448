/* The functions of an object: from symbols, and where there are none from frames. */
#ifndef HIERA_IMAGE_FUNCTIONS_H
#define HIERA_IMAGE_FUNCTIONS_H

#include "object.h"

typedef struct {
    guint64 begin, end;
} HieraCodeRange;

typedef struct {
    const char *name; /* as in the table of symbols; "function_at_401136" if it has none */
    gboolean named;
    guint64 address;
    GArray *ranges; /* HieraCodeRange: the function, then its parts elsewhere (.cold) */
    gboolean stays; /* it never returns; see no_return.h */
} HieraFunction;

typedef struct {
    HieraObject *object;
    GPtrArray *functions; /* HieraFunction *, by address */
    GStringChunk *names;
} HieraFunctions;

/* List the functions of an object; `object` must outlive the list.
 *
 * @return the list, to be freed with hiera_functions_free; NULL with an error if there are none */
HieraFunctions *hiera_functions_new(HieraObject *object, GError **error);
void hiera_functions_free(HieraFunctions *functions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFunctions, hiera_functions_free)

/* Return the function that begins at an address, NULL if none does. */
HieraFunction *hiera_functions_at(const HieraFunctions *functions, guint64 address);

/* Whether an address is in one of the ranges of a function. */
gboolean hiera_function_has(const HieraFunction *function, guint64 address);

#endif
