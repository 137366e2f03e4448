/* See loaded_symbols.h. */
#include "loaded_symbols.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static bool read_dynamic(HieraSymbols *symbols)
{
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++) {
        /* Addresses in it are relocated already, but in objects of the kernel. */
        uintptr_t at = entry->d_un.d_ptr >= symbols->base ? entry->d_un.d_ptr : 0;
        if (entry->d_tag == DT_SYMTAB)
            symbols->symbols = (const ElfW(Sym) *)at;
        else if (entry->d_tag == DT_STRTAB)
            symbols->names = (const char *)at;
        else if (entry->d_tag == DT_GNU_HASH)
            symbols->gnu_hash = (const uint32_t *)at;
        else if (entry->d_tag == DT_HASH)
            symbols->hash = (const uint32_t *)at;
    }
    return symbols->symbols && symbols->names && (symbols->gnu_hash || symbols->hash);
}

bool hiera_symbols_read(const struct dl_phdr_info *object, HieraSymbols *symbols)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_DYNAMIC) {
            *symbols = (HieraSymbols){.base = object->dlpi_addr,
                                      .dynamic = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr)};
            return read_dynamic(symbols);
        }
    }
    return false;
}

typedef struct Search {
    uintptr_t address;
    HieraSymbols *symbols;
} Search;

static int look_for(struct dl_phdr_info *object, size_t size, void *data)
{
    const Search *search = data;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && search->address - object->dlpi_addr - part->p_vaddr < part->p_memsz)
            return hiera_symbols_read(object, search->symbols) ? 1 : -1;
    }
    return 0;
}

bool hiera_symbols_at(const void *address, HieraSymbols *symbols)
{
    Search search = {(uintptr_t)address, symbols};
    return address && dl_iterate_phdr(look_for, &search) == 1;
}

static void *address_of(const HieraSymbols *symbols, uint32_t i, const char *name)
{
    const ElfW(Sym) *symbol = &symbols->symbols[i];
    bool is_it = symbol->st_shndx != SHN_UNDEF && strcmp(symbols->names + symbol->st_name, name) == 0;
    return is_it ? (void *)(symbols->base + symbol->st_value) : NULL;
}

/* GNU's table of hashes: number of buckets, first symbol in it, words and shift of the Bloom filter; filter, buckets,
 * and for each symbol its hash, whose lowest bit ends a bucket. */
static void *find_by_hash(const HieraSymbols *symbols, const char *name)
{
    const uint32_t *head = symbols->gnu_hash;
    const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof *head), *chains = buckets + head[0];
    uint32_t hash = 5381;
    for (const char *at = name; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    uint32_t i = head[0] ? buckets[hash % head[0]] : 0;
    void *found = NULL;
    for (bool more = i >= head[1] && i > 0; more && !found; i++) {
        uint32_t here = chains[i - head[1]];
        found = (here | 1) == (hash | 1) ? address_of(symbols, i, name) : NULL;
        more = !(here & 1);
    }
    return found;
}

void *hiera_symbols_find(const HieraSymbols *symbols, const char *name)
{
    void *found = NULL;
    if (symbols->gnu_hash)
        return find_by_hash(symbols, name);
    for (uint32_t i = 0; i < symbols->hash[1] && !found; i++)
        found = address_of(symbols, i, name);
    return found;
}

/* In GNU's table, symbols that others define come first. */
bool hiera_symbols_ask(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data)
{
    uint32_t n = symbols->gnu_hash ? symbols->gnu_hash[1] : symbols->hash[1];
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
        found = symbols->symbols[i].st_shndx == SHN_UNDEF && is(symbols->names + symbols->symbols[i].st_name, data);
    return found;
}

bool hiera_symbols_need(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data)
{
    bool found = false;
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL && !found; entry++)
        found = entry->d_tag == DT_NEEDED && is(symbols->names + entry->d_un.d_val, data);
    return found;
}

const char *hiera_symbols_library(const HieraSymbols *symbols)
{
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_SONAME)
            return symbols->names + entry->d_un.d_val;
    return "";
}

void *hiera_symbols_find_for(const void *site, const char *name)
{
    Dl_info caller;
    void *scope = dladdr(site, &caller) ? dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *found = scope ? dlsym(scope, name) : NULL;
    if (scope)
        dlclose(scope);
    return found;
}
