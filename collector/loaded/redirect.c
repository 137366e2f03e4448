#include "redirect.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_of(uintptr_t address)
{
    return address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
}

/* --- the names that an object defines --- */

typedef struct Range {
    uintptr_t begin, end;
    int protection; /* of the loaded part that all of it is in; 0: there is none */
} Range;

static int find_part(struct dl_phdr_info *object, size_t size, void *data)
{
    Range *range = data;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || range->begin < begin || range->begin >= begin + part->p_memsz)
            continue;
        if (range->end <= begin + part->p_memsz)
            range->protection =
                PROT_READ | (part->p_flags & PF_W ? PROT_WRITE : 0) | (part->p_flags & PF_X ? PROT_EXEC : 0);
        return 1;
    }
    return 0;
}

/* A table may be in a part with code, as older linkers place it, which keeps its permission to run. */
bool hiera_redirect_open(const void *address, HieraRedirect *table)
{
    if (!hiera_symbols_at(address, &table->symbols))
        return false;
    const ElfW(Sym) *symbols = table->symbols.symbols;
    Range range = {.begin = (uintptr_t)symbols, .end = (uintptr_t)(symbols + hiera_symbols_count(&table->symbols))};
    if (!dl_iterate_phdr(find_part, &range) || !range.protection)
        return false;
    uintptr_t begin = page_of(range.begin);
    table->pages = (void *)begin; // NOLINT: an address
    table->bytes = range.end - begin;
    table->protection = range.protection;
    return mprotect(table->pages, table->bytes, range.protection | PROT_WRITE) == 0;
}

static void set(const HieraRedirect *table, const ElfW(Sym) * symbol, const void *to)
{
    __atomic_store_n(&((ElfW(Sym) *)(uintptr_t)symbol)->st_value, (uintptr_t)to - table->symbols.base,
                     __ATOMIC_RELEASE);
}

void hiera_redirect_symbol(const HieraRedirect *table, const char *name, const void *to)
{
    const ElfW(Sym) *symbol = hiera_symbols_entry(&table->symbols, name);
    if (symbol && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
        set(table, symbol, to);
}

void hiera_redirect_symbols(const HieraRedirect *table, HieraLead *lead, void *data)
{
    uint32_t n = hiera_symbols_count(&table->symbols);
    for (const ElfW(Sym) *symbol = table->symbols.symbols; symbol < table->symbols.symbols + n; symbol++) {
        if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC)
            continue;
        const void *now = (const void *)(table->symbols.base + symbol->st_value);
        const void *to = lead(table->symbols.names + symbol->st_name, now, data);
        if (to != now)
            set(table, symbol, to);
    }
}

void hiera_redirect_close(const HieraRedirect *table)
{
    mprotect(table->pages, table->bytes, table->protection);
}

/* --- the names that an object asks for --- */

typedef struct Slots {
    HieraLead *lead;
    void *data;
    const struct dl_phdr_info *object;
    uintptr_t sealed, sealed_end; /* sealed: read-only since the object was bound (PT_GNU_RELRO) */
    bool is_open;                 /* whether the sealed part may be written now */
} Slots;

/* Whether the place is data that can be written, and no instruction in a library that was not compiled for sharing. */
static bool is_data(const struct dl_phdr_info *object, uintptr_t address)
{
    bool is = false;
    for (unsigned i = 0; i < object->dlpi_phnum && !is; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        is = part->p_type == PT_LOAD && (part->p_flags & (PF_W | PF_X)) == PF_W &&
             address - object->dlpi_addr - part->p_vaddr < part->p_memsz;
    }
    return is && address % sizeof(void *) == 0;
}

static void lead_slot(const char *name, void *at, bool is_of_calls, void *data)
{
    Slots *slots = data;
    (void)is_of_calls;
    if (!is_data(slots->object, (uintptr_t)at))
        return;
    const void **slot = at, *to = slots->lead(name, *slot, slots->data);
    uintptr_t address = (uintptr_t)at;
    if (to == *slot)
        return;
    if (address >= slots->sealed && address < slots->sealed_end && !slots->is_open) {
        slots->is_open = mprotect((void *)slots->sealed, slots->sealed_end - slots->sealed, // NOLINT: an address
                                  PROT_READ | PROT_WRITE) == 0;
        if (!slots->is_open)
            return;
    }
    __atomic_store_n(slot, to, __ATOMIC_RELEASE);
}

void hiera_redirect_references(const struct dl_phdr_info *object, HieraLead *lead, void *data)
{
    HieraSymbols symbols;
    Slots slots = {.lead = lead, .data = data, .object = object};
    if (!hiera_symbols_read(object, &symbols))
        return;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_GNU_RELRO)
            continue;
        slots.sealed = page_of(object->dlpi_addr + part->p_vaddr);
        slots.sealed_end = page_of(object->dlpi_addr + part->p_vaddr + part->p_memsz);
    }
    hiera_symbols_each_reference(&symbols, lead_slot, &slots);
    if (slots.is_open)
        mprotect((void *)slots.sealed, slots.sealed_end - slots.sealed, PROT_READ); // NOLINT: an address
}
