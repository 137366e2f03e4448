#include "loaded_symbols.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#if __ELF_NATIVE_CLASS == 64
#define R_SYM ELF64_R_SYM
#else
#define R_SYM ELF32_R_SYM
#endif
#if defined(__i386__) || defined(__arm__) || defined(__mips__)
#define STEP_OF_CALLS sizeof(ElfW(Rel))
#else
#define STEP_OF_CALLS sizeof(ElfW(Rela))
#endif

/* Return the memory address for an address of the dynamic table, to which glibc may have added the load address. */
static uintptr_t address_in(const HieraSymbols *symbols, uintptr_t address)
{
    return address < symbols->base ? symbols->base + address : address;
}

static bool read_dynamic(HieraSymbols *symbols)
{
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++) {
        uintptr_t at = address_in(symbols, entry->d_un.d_ptr);
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

/* Whether the object is a file: its name is a path, or empty (the program). The kernel's vdso has a plain name. */
static bool is_file(const struct dl_phdr_info *object)
{
    return !object->dlpi_name[0] || strchr(object->dlpi_name, '/');
}

bool hiera_symbols_read(const struct dl_phdr_info *object, HieraSymbols *symbols)
{
    for (unsigned i = 0; i < object->dlpi_phnum && is_file(object); i++) {
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

/* Search the GNU hash table: number of buckets, first symbol in it, words and shift of the Bloom filter; filter,
 * buckets, and for each symbol its hash, whose lowest bit marks the end of a bucket. */
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

/* Return the highest index of a symbol that the relocations in this table refer to, plus one. */
static uint32_t count_relocated(const HieraSymbols *symbols, ElfW(Sxword) table, ElfW(Sxword) bytes, size_t step)
{
    const char *at = NULL;
    size_t size = 0, n = 0;
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == table)
            at = (const char *)address_in(symbols, entry->d_un.d_ptr); // NOLINT: an address
        else if (entry->d_tag == bytes)
            size = entry->d_un.d_val;
    }
    for (size_t i = 0; at && i + step <= size; i += step) {
        /* r_info has the same offset in Rel and Rela. */
        size_t symbol = R_SYM(((const ElfW(Rel) *)(const void *)(at + i))->r_info);
        n = symbol >= n ? symbol + 1 : n;
    }
    return (uint32_t)n;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Number of symbols at the begin of the table that include all undefined ones. The GNU hash table covers only defined
 * symbols, and has the number of its first one. An object that exports nothing has an empty hash table, which tells
 * nothing: then the relocations are searched. */
static uint32_t count_asked(const HieraSymbols *symbols)
{
    if (symbols->hash)
        return symbols->hash[1];
    const uint32_t *head = symbols->gnu_hash, *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof *head);
    for (uint32_t i = 0; i < head[0]; i++)
        if (buckets[i] != 0)
            return head[1];
    uint32_t rel = count_relocated(symbols, DT_REL, DT_RELSZ, sizeof(ElfW(Rel))),
             rela = count_relocated(symbols, DT_RELA, DT_RELASZ, sizeof(ElfW(Rela))),
             calls = count_relocated(symbols, DT_JMPREL, DT_PLTRELSZ, STEP_OF_CALLS);
    return most(most(rel, rela), calls);
}

bool hiera_symbols_ask(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data)
{
    uint32_t n = count_asked(symbols);
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
        found = symbols->symbols[i].st_shndx == SHN_UNDEF && is(symbols->names + symbols->symbols[i].st_name, data);
    return found;
}

const char *hiera_symbols_need(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data),
                               const void *data)
{
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && is(symbols->names + entry->d_un.d_val, data))
            return symbols->names + entry->d_un.d_val;
    return NULL;
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
