#include "loaded_symbols.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
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

bool hiera_symbols_of(const struct link_map *object, HieraSymbols *symbols)
{
    *symbols = (HieraSymbols){.base = object->l_addr, .dynamic = object->l_ld};
    return object->l_ld && read_dynamic(symbols);
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

static const ElfW(Sym) * entry_at(const HieraSymbols *symbols, uint32_t i, const char *name)
{
    const ElfW(Sym) *symbol = &symbols->symbols[i];
    bool is_it = symbol->st_shndx != SHN_UNDEF && strcmp(symbols->names + symbol->st_name, name) == 0;
    return is_it ? symbol : NULL;
}

/* Search the GNU hash table: number of buckets, first symbol in it, words and shift of the Bloom filter; filter,
 * buckets, and for each symbol its hash, whose lowest bit marks the end of a bucket. */
static const ElfW(Sym) * find_by_hash(const HieraSymbols *symbols, const char *name)
{
    const uint32_t *head = symbols->gnu_hash;
    const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof *head), *chains = buckets + head[0];
    uint32_t hash = 5381;
    for (const char *at = name; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    uint32_t i = head[0] ? buckets[hash % head[0]] : 0;
    const ElfW(Sym) *found = NULL;
    for (bool more = i >= head[1] && i > 0; more && !found; i++) {
        uint32_t here = chains[i - head[1]];
        found = (here | 1) == (hash | 1) ? entry_at(symbols, i, name) : NULL;
        more = !(here & 1);
    }
    return found;
}

const ElfW(Sym) * hiera_symbols_entry(const HieraSymbols *symbols, const char *name)
{
    const ElfW(Sym) *found = NULL;
    if (symbols->gnu_hash)
        return find_by_hash(symbols, name);
    for (uint32_t i = 0; i < symbols->hash[1] && !found; i++)
        found = entry_at(symbols, i, name);
    return found;
}

void *hiera_symbols_find(const HieraSymbols *symbols, const char *name)
{
    const ElfW(Sym) *symbol = hiera_symbols_entry(symbols, name);
    return symbol ? (void *)(symbols->base + symbol->st_value) : NULL;
}

/* In the GNU hash table the last symbol is the one that ends the last bucket. */
uint32_t hiera_symbols_count(const HieraSymbols *symbols)
{
    if (symbols->hash)
        return symbols->hash[1];
    const uint32_t *head = symbols->gnu_hash;
    const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof *head), *chains = buckets + head[0];
    uint32_t last = 0;
    for (uint32_t i = 0; i < head[0]; i++)
        last = buckets[i] > last ? buckets[i] : last;
    while (last >= head[1] && !(chains[last - head[1]] & 1))
        last++;
    return last + 1;
}

typedef struct Relocations {
    const char *begin;
    size_t bytes, step;
} Relocations;

/* The three tables of relocations of an object: two of data, one of calls. A table that it lacks is empty. */
enum { OF_CALLS = 2, N_TABLES };

static Relocations relocations_of(const HieraSymbols *symbols, unsigned table)
{
    static const struct {
        ElfW(Sxword) begin, bytes;
        size_t step;
    } tables[N_TABLES] = {{DT_REL, DT_RELSZ, sizeof(ElfW(Rel))},
                          {DT_RELA, DT_RELASZ, sizeof(ElfW(Rela))},
                          {DT_JMPREL, DT_PLTRELSZ, STEP_OF_CALLS}};
    Relocations found = {.step = tables[table].step};
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == tables[table].begin)
            found.begin = (const char *)address_in(symbols, entry->d_un.d_ptr); // NOLINT: an address
        else if (entry->d_tag == tables[table].bytes)
            found.bytes = entry->d_un.d_val;
    }
    found.bytes = found.begin ? found.bytes : 0;
    return found;
}

/* r_offset and r_info have the same place in Rel and Rela. */
static const ElfW(Rel) * relocation_at(const Relocations *relocations, size_t at)
{
    return (const ElfW(Rel) *)(const void *)(relocations->begin + at);
}

/* Return the highest index of a symbol that the relocations refer to, plus one. */
static uint32_t count_relocated(const HieraSymbols *symbols)
{
    size_t n = 0;
    for (unsigned table = 0; table < N_TABLES; table++) {
        Relocations all = relocations_of(symbols, table);
        for (size_t at = 0; at + all.step <= all.bytes; at += all.step) {
            size_t symbol = R_SYM(relocation_at(&all, at)->r_info);
            n = symbol >= n ? symbol + 1 : n;
        }
    }
    return (uint32_t)n;
}

void hiera_symbols_each_reference(const HieraSymbols *symbols, HieraReferenceVisitor *visit, void *data)
{
    for (unsigned table = 0; table < N_TABLES; table++) {
        Relocations all = relocations_of(symbols, table);
        for (size_t at = 0; at + all.step <= all.bytes; at += all.step) {
            const ElfW(Rel) *relocation = relocation_at(&all, at);
            size_t symbol = R_SYM(relocation->r_info);
            if (symbol > 0)
                visit(symbols->names + symbols->symbols[symbol].st_name,
                      (void *)(symbols->base + relocation->r_offset), // NOLINT: an address
                      table == OF_CALLS, data);
        }
    }
}

bool hiera_symbols_are_bound_late(const HieraSymbols *symbols)
{
    const char *at_once = getenv("LD_BIND_NOW");
    bool late = !at_once || !at_once[0];
    for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++)
        late = late && entry->d_tag != DT_BIND_NOW && !(entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_BIND_NOW) &&
               !(entry->d_tag == DT_FLAGS_1 && entry->d_un.d_val & DF_1_NOW);
    return late;
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
    return count_relocated(symbols);
}

bool hiera_symbols_ask(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data)
{
    uint32_t n = count_asked(symbols);
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
        found = symbols->symbols[i].st_shndx == SHN_UNDEF && is(symbols->names + symbols->symbols[i].st_name, data);
    return found;
}

bool hiera_symbols_define(const HieraSymbols *symbols, bool (*is)(const char *name, const void *data), const void *data)
{
    uint32_t n = hiera_symbols_count(symbols);
    bool found = false;
    for (uint32_t i = symbols->hash ? 0 : symbols->gnu_hash[1]; i < n && !found; i++)
        found = symbols->symbols[i].st_shndx != SHN_UNDEF && is(symbols->names + symbols->symbols[i].st_name, data);
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
