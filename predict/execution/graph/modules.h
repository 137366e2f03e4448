/* The files that are analysed (executable and libraries): functions, decoder and source lines of each. */
#pragma once

#include "image/flow/no_return.h"
#include "image/link/program.h"
#include "image/places/places.h"

typedef struct {
    HieraObject *object;
    HieraFunctions *functions;
    HieraDecoder *decoder;
    HieraNoReturn *no_return; /* of a library: finds out on demand which functions return; NULL: it is the executable,
                                 already analysed */
    HieraPlaces *places;      /* source lines of addresses; NULL: the file has none, or they were not needed yet */
    gboolean has_places;      /* whether the file's source lines were searched, successfully or not */
} HieraModule;

typedef struct {
    HieraProgram *program;
    GPtrArray *all; /* HieraModule * of each file, in the order of program->objects; NULL: the file has no functions */
} HieraModules;

/* Open an executable and its libraries. @param libraries  see image/link/library_choice.h. @return whether it
 * succeeded; to be cleared with hiera_modules_clear in any case */
gboolean hiera_modules_open(HieraModules *modules, const char *path, const char *libraries, GError **error);
void hiera_modules_clear(HieraModules *modules);

/* Return the module whose file contains an address; NULL: there is none. */
HieraModule *hiera_modules_at(const HieraModules *modules, guint64 address);
/* Return the function that begins at an address, once it is known whether it returns; NULL: there is none. */
HieraFunction *hiera_modules_function(const HieraModules *modules, guint64 address);
/* Return the name of the function at an address of a library if it is not followed; NULL: it is, or there is none. */
const char *hiera_modules_apart(const HieraModules *modules, guint64 address);
/* Return the address of the function that is called by a stub or through a pointer at an address of a module, 0 if it
 * is not known or not in the modules. @param name  receives its name; NULL: none. @param chosen  receives whether it is
 * chosen at load time (IFUNC) */
guint64 hiera_modules_import(const HieraModules *modules, const HieraModule *from, guint64 address, gboolean is_pointer,
                             const char **name, gboolean *chosen);
/* Return the source lines of the file that contains an address; NULL: it has none. */
HieraPlaces *hiera_modules_places(const HieraModules *modules, guint64 address);
