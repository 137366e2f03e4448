/* The functions of an object: from symbols, and where there are none from frames. */
#ifndef HIERA_IMAGE_FUNCTIONS_H
#define HIERA_IMAGE_FUNCTIONS_H

#include "object.h"

typedef struct {
    guint64 begin, end;
} HieraCodeRange;

/* Where an exception goes on that leaves one of the calls in a range. */
typedef struct {
    guint64 begin, end;
    guint64 pad;
} HieraLanding;

typedef struct HieraFunction HieraFunction;
struct HieraFunction {
    const char *name; /* as in the table of symbols; "function_at_401136" if it has none */
    gboolean named;
    guint64 address;
    GArray *ranges;       /* HieraCodeRange: the function, then its parts elsewhere (.cold) */
    gboolean stays;       /* it never returns; see no_return.h */
    gboolean has_lsda;    /* exceptions that pass through it run code in it, or end there (language-specific data) */
    gboolean bad_lsda;    /* not all of that could be read: there may be more landing pads */
    GArray *landings;     /* HieraLanding, by address */
    HieraFunction *whole; /* the function that it turned out to be a part of, NULL if it is none */
};

typedef struct {
    HieraObject *object;
    GPtrArray *functions; /* HieraFunction *, by address */
    GStringChunk *names;
    GArray *insides;     /* guint64, sorted: addresses of code that are in the data and begin no function */
    GHashTable *by_name; /* const char * → HieraFunction *, of those that other files may call */
} HieraFunctions;

/* List the functions of an object; `object` must outlive the list.
 *
 * @return the list, to be freed with hiera_functions_free; NULL with an error if there are none */
HieraFunctions *hiera_functions_new(HieraObject *object, GError **error);
void hiera_functions_free(HieraFunctions *functions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFunctions, hiera_functions_free)

/* Return the number of the function that begins at an address, G_MAXUINT if none does; and the function, or NULL. */
guint hiera_functions_number(const HieraFunctions *functions, guint64 address);
HieraFunction *hiera_functions_at(const HieraFunctions *functions, guint64 address);

/* Return the function whose first range has an address, NULL if there is none. */
HieraFunction *hiera_functions_around(const HieraFunctions *functions, guint64 address);

/* Make a function a part of another one: the ranges and landing pads are those of `whole`, too. The part stays in the
 * list until hiera_functions_drop_parts. */
void hiera_function_join(HieraFunction *whole, HieraFunction *part);
/* Remove those that are parts of others. */
void hiera_functions_drop_parts(HieraFunctions *functions);

/* Return the function that the dynamic linker finds for a name if no other file has one, NULL if there is none. */
HieraFunction *hiera_functions_named(const HieraFunctions *functions, const char *name);

/* Return the number of the first of `insides` from an address on. */
guint hiera_functions_first_inside(const HieraFunctions *functions, guint64 address);

/* Whether the data of the file have an address inside of a function, behind its begin. */
gboolean hiera_functions_inside_is_known(const HieraFunctions *functions, const HieraFunction *function);

/* Whether an address is in one of the ranges of a function. */
gboolean hiera_function_has(const HieraFunction *function, guint64 address);

/* Return the landing pad of the call at an address, 0 if it has none. */
guint64 hiera_function_landing(const HieraFunction *function, guint64 call);

/* Fill the landing pads of all functions, from the frames of the object. */
void hiera_landings_read(HieraFunctions *functions);

#endif
