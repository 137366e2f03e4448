/* Symbols of loaded objects: the names that an object defines, the names that it needs from others, and the libraries
 * that it needs. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct HieraSymbols {
    uintptr_t base; /* load address that is added to its addresses; for a library, where it begins */
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash, *hash; /* hash tables of the symbols; at least one is not NULL */
} HieraSymbols;

/* Read the symbols of an object. False if it has none, as objects that are linked statically. */
bool hiera_symbols_read(const struct dl_phdr_info *object, HieraSymbols *symbols);

/* Read the symbols of the object that contains this address. False if there is none. */
bool hiera_symbols_at(const void *address, HieraSymbols *symbols);

/* The address of the symbol that the object defines by this name; NULL if it defines none. */
void *hiera_symbols_find(const HieraSymbols *symbols, const char *name);

/* Whether the object has an undefined symbol whose name satisfies `is`. */
bool hiera_symbols_ask(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data);

/* The first name of a needed library (DT_NEEDED) that satisfies `is`; NULL if there is none. */
const char *hiera_symbols_need(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data),
                               const void *data);

/* The name of the object as a library (DT_SONAME), or "". */
const char *hiera_symbols_library(const HieraSymbols *symbols);

/* Look up a name for the object at `site`, in the object itself and in the libraries that it needs, as its calls do if
 * no global object defines the name. NULL if there is none. Uses the dynamic linker. */
void *hiera_symbols_find_for(const void *site, const char *name);
