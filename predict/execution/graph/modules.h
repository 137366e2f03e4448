/* The executable and the libraries whose code is walked: functions, decoder and lines of each. */
#ifndef HIERA_EXECUTION_MODULES_H
#define HIERA_EXECUTION_MODULES_H

#include "image/flow/no_return.h"
#include "image/link/program.h"
#include "image/places/places.h"

typedef struct {
    HieraObject *object;
    HieraFunctions *functions;
    HieraDecoder *decoder;
    HieraNoReturn *no_return; /* of a library: only what is called is looked at; NULL: all functions have been */
    HieraPlaces *places;      /* NULL: there are none, or nobody has asked */
    gboolean has_places;      /* somebody has */
} HieraModule;

typedef struct {
    HieraProgram *program;
    GPtrArray *all; /* HieraModule *, as in program->objects; NULL: a library without functions */
} HieraModules;

/* Open an executable and its libraries. @param libraries  see image/link/library_choice.h. @return whether that was
 * good; to be cleared with hiera_modules_clear in any case */
gboolean hiera_modules_open(HieraModules *modules, const char *path, const char *libraries, GError **error);
void hiera_modules_clear(HieraModules *modules);

/* Return the module that an address is in, NULL if it is in none. */
HieraModule *hiera_modules_at(const HieraModules *modules, guint64 address);
/* Return the function that begins at an address, of which it is known whether it returns; NULL if there is none. */
HieraFunction *hiera_modules_function(const HieraModules *modules, guint64 address);
/* Return what a stub or a pointer calls that is at an address of a module: the address of a function, 0 if that is not
 * known or not in the modules. @param name  receives its name; NULL: there is none. @param chosen  becomes whether it
 * is chosen when the program is loaded (IFUNC) */
guint64 hiera_modules_import(const HieraModules *modules, const HieraModule *from, guint64 address, gboolean is_pointer,
                             const char **name, gboolean *chosen);
/* Return the lines of the module that an address is in, NULL if there are none. */
HieraPlaces *hiera_modules_places(const HieraModules *modules, guint64 address);

#endif
