/* A program and its shared libraries, as they are in memory together: which of them are looked into, at which
 * addresses, and which definition of a name each of them uses. */
#ifndef HIERA_IMAGE_PROGRAM_H
#define HIERA_IMAGE_PROGRAM_H

#include "image/object/object.h"

typedef struct HieraLinkedProgram HieraLinkedProgram;

typedef struct {
    /* HieraObject *: the executable; then the libraries that are looked into, in the order in which they are loaded */
    GPtrArray *objects;
    GPtrArray *missing;         /* char *: libraries that would be looked into, but were not found */
    GPtrArray *damaged;         /* char *: those that cannot be read, and why */
    HieraLinkedProgram *linked; /* NULL: no library is looked into */
} HieraProgram;

/* Open an executable and its libraries.
 *
 * @param libraries  which of them: see library_choice.h
 * @param error      what is wrong with the executable
 * @return to be freed with hiera_program_free */
HieraProgram *hiera_program_open(const char *path, const char *libraries, GError **error);
void hiera_program_free(HieraProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraProgram, hiera_program_free)

/* Return the number of the object that has an address, G_MAXUINT if none has. */
guint hiera_program_object(const HieraProgram *program, guint64 address);

typedef enum {
    HIERA_TARGET_OUTSIDE, /* it is in a file that is not looked into, or not known where */
    HIERA_TARGET_INSIDE,  /* at an address of one of the objects */
    HIERA_TARGET_CHOSEN,  /* a function there chooses it when the program is loaded (IFUNC) */
    HIERA_TARGET_NOWHERE  /* no file has it, and it need not be there (weak): address 0 */
} HieraTargetKind;

typedef struct {
    HieraTargetKind kind;
    guint64 address;
    guint64 size;
} HieraTarget;

/* Find what a name means in an object: the first definition in the order in which files are loaded. */
HieraTarget hiera_program_resolve(const HieraProgram *program, const HieraObject *from, const char *name);
/* Find the variable that a copy in the executable was made of. */
HieraTarget hiera_program_original(const HieraProgram *program, const char *name);

#endif
