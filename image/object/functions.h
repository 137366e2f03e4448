/* The functions of an object: from symbols, and where there are none, from frames. */
#pragma once

#include "object.h"

typedef struct {
    guint64 begin, end;
} HieraCodeRange;

/* Landing pad of an exception that leaves one of the calls in a range. */
typedef struct {
    guint64 begin, end;
    guint64 pad;
} HieraLanding;

typedef struct HieraFunction HieraFunction;
struct HieraFunction {
    const char *name; /* name as in the symbol table; "function_at_401136" if it has none */
    gboolean named;
    guint64 address;
    GArray *ranges;    /* HieraCodeRange: the function, then its moved parts (.cold) */
    gboolean stays;    /* whether the function never returns; see no_return.h */
    gboolean has_lsda; /* whether exceptions run code in the function, or end there (it has language-specific data) */
    gboolean bad_lsda; /* whether not all language-specific data could be read: landing pads may be missing */
    GArray *landings;  /* HieraLanding, by address */
    HieraFunction *whole; /* the function of which this is a part, NULL if it is not a part */
};

typedef struct {
    HieraObject *object;
    GPtrArray *functions; /* HieraFunction *, by address */
    GStringChunk *names;
    GArray *insides;     /* guint64, sorted: addresses of code that are in the data but begin no function */
    GHashTable *by_name; /* const char * → HieraFunction *: functions that other files may call */
} HieraFunctions;

/* List the functions of an object; `object` must outlive the list.
 *
 * @return the list, to be freed with hiera_functions_free; NULL with an error if there are none */
HieraFunctions *hiera_functions_new(HieraObject *object, GError **error);
void hiera_functions_free(HieraFunctions *functions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFunctions, hiera_functions_free)

/* Return the index of the function that begins at an address, or G_MAXUINT; and the function itself, or NULL. */
guint hiera_functions_number(const HieraFunctions *functions, guint64 address);
HieraFunction *hiera_functions_at(const HieraFunctions *functions, guint64 address);

/* Return the function whose first range contains an address, NULL if there is none. */
HieraFunction *hiera_functions_around(const HieraFunctions *functions, guint64 address);

/* Make a function a part of another one: `whole` also gets its ranges and landing pads. The part stays in the list
 * until hiera_functions_drop_parts. */
void hiera_function_join(HieraFunction *whole, HieraFunction *part);
/* Remove functions that are parts of others. */
void hiera_functions_drop_parts(HieraFunctions *functions);

/* Return the function that the dynamic linker finds for a name if no other file defines it, NULL if there is none. */
HieraFunction *hiera_functions_named(const HieraFunctions *functions, const char *name);

/* Return the index of the first element of `insides` that is not below an address. */
guint hiera_functions_first_inside(const HieraFunctions *functions, guint64 address);

/* Whether the data of the file contain an address inside a function, behind its begin. */
gboolean hiera_functions_inside_is_known(const HieraFunctions *functions, const HieraFunction *function);

/* Whether an address is in one of the ranges of a function. */
gboolean hiera_function_has(const HieraFunction *function, guint64 address);

/* Return the landing pad of the call at an address, 0 if it has none. */
guint64 hiera_function_landing(const HieraFunction *function, guint64 call);

/* Fill the landing pads of all functions, from the frames of the object. */
void hiera_landings_read(HieraFunctions *functions);
