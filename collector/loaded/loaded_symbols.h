/* What objects that are loaded say of themselves: the names that each of them defines, those that it asks others for,
 * and the libraries that it needs. */
#ifndef HIERA_LOADED_SYMBOLS_H
#define HIERA_LOADED_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct HieraSymbols {
    uintptr_t base; /* what is added to its addresses; of a library, where it begins */
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash, *hash; /* one of them is there */
} HieraSymbols;

/* Read them. False if the object has none, as those that are linked statically. */
bool hiera_symbols_read(const struct dl_phdr_info *object, HieraSymbols *symbols);

/* Those of the object that has this address. False if there is none. */
bool hiera_symbols_at(const void *address, HieraSymbols *symbols);

/* The address of what the object defines by this name; NULL: nothing. */
void *hiera_symbols_find(const HieraSymbols *symbols, const char *name);

/* Is there a name for which the object asks others, and for which `is` holds? */
bool hiera_symbols_ask(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data);

/* The first name of a library that the object needs (DT_NEEDED), for which `is` holds; NULL: there is none. */
const char *hiera_symbols_need(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data),
                               const void *data);

/* The name that an object has as a library (DT_SONAME), or "". */
const char *hiera_symbols_library(const HieraSymbols *symbols);

/* What the object at `site` finds by a name in itself and the libraries that it needs, which is what it calls if nobody
 * has the name for all; NULL: nothing. This one asks the dynamic linker. */
void *hiera_symbols_find_for(const void *site, const char *name);

#endif
