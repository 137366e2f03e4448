/* The analysed files, the executable and libraries: functions, decoder and lines of each. */
#pragma once

#include "image/flow/no_return.h"
#include "image/link/program.h"
#include "image/places/places.h"

typedef struct {
    HieraObject *object;
    HieraFunctions *functions;
    HieraDecoder *decoder;
    HieraNoReturn *no_return; /* for libraries: only called functions are analysed; NULL: all functions are */
    HieraPlaces *places;      /* NULL: there are none, or they were not needed yet */
    gboolean has_places;      /* `places` is set */
} HieraModule;

typedef struct {
    HieraProgram *program;
    GPtrArray *all; /* HieraModule *, in the order of program->objects; NULL: a library without functions */
} HieraModules;

/* Open an executable and its libraries. @param libraries  see image/link/library_choice.h. @return whether it
 * succeeded; to be cleared with hiera_modules_clear in any case */
gboolean hiera_modules_open(HieraModules *modules, const char *path, const char *libraries, GError **error);
void hiera_modules_clear(HieraModules *modules);

/* Return the module that contains an address, NULL if there is none. */
HieraModule *hiera_modules_at(const HieraModules *modules, guint64 address);
/* Return the function that begins at an address, after finding out whether it returns; NULL if there is none. */
HieraFunction *hiera_modules_function(const HieraModules *modules, guint64 address);
/* Return the address of the function that is called by a stub or through a pointer at an address of a module, 0 if it
 * is not known or not in the modules. @param name  receives its name; NULL: none. @param chosen  receives whether it is
 * chosen at load time (IFUNC) */
guint64 hiera_modules_import(const HieraModules *modules, const HieraModule *from, guint64 address, gboolean is_pointer,
                             const char **name, gboolean *chosen);
/* Return the lines of the module that contains an address, NULL if there are none. */
HieraPlaces *hiera_modules_places(const HieraModules *modules, guint64 address);
