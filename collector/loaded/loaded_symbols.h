/* Symbols of loaded objects: the names that an object defines, the names that it needs from others, and the libraries
 * that it needs. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct HieraSymbols {
    uintptr_t base; /* load address, to be added to the addresses in the object's tables */
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash, *hash; /* GNU and System V hash table of the symbols; one of them may be NULL */
} HieraSymbols;

/* Read the symbol tables of a loaded object. False if it has none, as when it is linked statically. */
bool hiera_symbols_read(const struct dl_phdr_info *object, HieraSymbols *symbols);

/* The same for an object in the dynamic linker's own list. */
bool hiera_symbols_of(const struct link_map *object, HieraSymbols *symbols);

/* Read the symbol tables of the loaded object that contains this address. False if there is none. */
bool hiera_symbols_at(const void *address, HieraSymbols *symbols);

/* The entry of the symbol `name` that the object defines; NULL: it defines none. */
const ElfW(Sym) * hiera_symbols_entry(const HieraSymbols *symbols, const char *name);

/* Number of entries in the symbol table. */
uint32_t hiera_symbols_count(const HieraSymbols *symbols);

/* Call `visit` for each dynamic relocation that refers to a symbol: the name, the place that it fills, and whether it
 * is in the table of calls, of which the dynamic linker may bind each when it is made first. */
typedef void HieraReferenceVisitor(const char *name, void *place, bool is_of_calls, void *data);
void hiera_symbols_each_reference(const HieraSymbols *symbols, HieraReferenceVisitor *visit, void *data);

/* Whether the dynamic linker binds each call of the object when it is made first. */
bool hiera_symbols_are_bound_late(const HieraSymbols *symbols);

/* The address of the symbol `name` that the object defines; NULL: it defines none. */
void *hiera_symbols_find(const HieraSymbols *symbols, const char *name);

/* Whether the object has an undefined symbol whose name `is` accepts. */
bool hiera_symbols_ask(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data);

/* Whether the object defines a symbol whose name `is` accepts. */
bool hiera_symbols_define(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data),
                          const void *data);

/* The first library that the object needs (DT_NEEDED) and whose name `is` accepts; NULL: none. */
const char *hiera_symbols_need(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data),
                               const void *data);

/* The object's own name as a library (DT_SONAME); "": none. */
const char *hiera_symbols_library(const HieraSymbols *symbols);

/* Look up a name for the object at `site`, in the object itself and in the libraries that it needs, as its calls do if
 * no global object defines the name. NULL if there is none. Uses the dynamic linker. */
void *hiera_symbols_find_for(const void *site, const char *name);
