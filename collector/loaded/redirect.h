/* Lead an object's function names elsewhere, whoever looks them up: the dynamic linker for a library that is loaded
 * later (with RTLD_DEEPBIND, too), or dlsym(), which Python's ctypes, Julia and plug-ins use. The addresses in the
 * object's own symbol table are changed in memory; the file stays as it is. */
#pragma once

#include "loaded_symbols.h"

/* Return the address that a name should have; `now`: the address that it has. */
typedef const void *HieraLead(const char *name, const void *now, void *data);

/* A symbol table that is open for changes. */
typedef struct HieraRedirect {
    HieraSymbols symbols;
    void *pages;
    size_t bytes;
    int protection; /* of the pages when it is closed */
} HieraRedirect;

/* Open the symbol table of the object that contains this address. False if it cannot be changed. */
bool hiera_redirect_open(const void *address, HieraRedirect *table);

/* Let the symbol `name`, which the object defines, have this address. Nothing happens if the object does not define it.
 */
void hiera_redirect_symbol(const HieraRedirect *table, const char *name, const void *to);

/* Let each function that the object defines have the address that `lead` returns. */
void hiera_redirect_symbols(const HieraRedirect *table, HieraLead *lead, void *data);

void hiera_redirect_close(const HieraRedirect *table);

/* Change the references of an object: the slots of its dynamic relocations. One that is not bound yet has an address in
 * the object itself. */
void hiera_redirect_references(const struct dl_phdr_info *object, HieraLead *lead, void *data);
