/* A program and its shared libraries as loaded together: the libraries that are analysed, their addresses, and the
 * definition that each use of a name refers to. */
#pragma once

#include "image/object/object.h"

typedef struct HieraLinkedProgram HieraLinkedProgram;

typedef struct {
    /* HieraObject *: the executable, then the libraries that are analysed, in load order */
    GPtrArray *objects;
    GPtrArray *missing;         /* char *: libraries that should be analysed but were not found */
    GPtrArray *damaged;         /* char *: libraries that cannot be read, with the reason */
    HieraLinkedProgram *linked; /* all files of the program; NULL: no library is analysed */
} HieraProgram;

/* Open an executable and its libraries.
 *
 * @param libraries  libraries to analyse: see library_choice.h
 * @param error      describes what is wrong with the executable
 * @return to be freed with hiera_program_free */
HieraProgram *hiera_program_open(const char *path, const char *libraries, GError **error);
void hiera_program_free(HieraProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraProgram, hiera_program_free)

/* Whether a function is analysed if its library is: see library_choice.h. @param name  NULL: it has none */
gboolean hiera_program_follows(const char *name);

/* Return the index of the object that contains an address, G_MAXUINT if there is none. */
guint hiera_program_object(const HieraProgram *program, guint64 address);

/* Return the indices (guint) of the objects in the order in which they are initialized: what an object needs comes
 * before it. To be freed with g_array_unref. */
GArray *hiera_program_order(const HieraProgram *program);

typedef enum {
    HIERA_TARGET_OUTSIDE, /* the definition is in a file that is not analysed, or its address is not known */
    HIERA_TARGET_INSIDE,  /* the definition is at an address of one of the objects */
    HIERA_TARGET_CHOSEN,  /* a function at that address chooses the definition at load time (IFUNC) */
    HIERA_TARGET_NOWHERE  /* no file defines the name, and it is weak: its address is 0 */
} HieraTargetKind;

typedef struct {
    HieraTargetKind kind;
    guint64 address;
    guint64 size;
} HieraTarget;

/* Find the definition of a name that an object uses: the first one in load order. */
HieraTarget hiera_program_resolve(const HieraProgram *program, const HieraObject *from, const char *name);
/* Find the original of a variable of which the executable has a copy (copy relocation). */
HieraTarget hiera_program_original(const HieraProgram *program, const char *name);
