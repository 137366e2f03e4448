/* Reads functions from symbol tables, and the results of relocations. See object.h. */
#include "symbols.h"
#include <gelf.h>

#ifndef SHT_RELR /* names that glibc before 2.36 lacks */
#define SHT_RELR 19
#endif

static void add_variable(HieraObject *object, const GElf_Sym *symbol, const char *name)
{
    guint64 address = symbol->st_value + object->base;
    const HieraSymbol found = {.address = address,
                               .size = MIN(symbol->st_size, G_MAXUINT64 - address),
                               .name = name,
                               .global = GELF_ST_BIND(symbol->st_info) != STB_LOCAL};
    if (symbol->st_shndx != SHN_UNDEF && symbol->st_size > 0)
        g_array_append_val(object->variables, found);
}

const HieraSymbol *hiera_object_variable(const HieraObject *object, guint64 address)
{
    const HieraSymbol *all = (const HieraSymbol *)(const void *)object->variables->data;
    guint low = 0, high = object->variables->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (all[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address - all[low - 1].address < all[low - 1].size ? &all[low - 1] : NULL;
}

void hiera_symbol_add(HieraObject *object, const GElf_Sym *symbol, const char *name)
{
    guint type = GELF_ST_TYPE(symbol->st_info);
    if (type == STT_OBJECT)
        add_variable(object, symbol, name);
    guint64 address = symbol->st_value + object->base;
    const HieraCodeSection *section = hiera_object_section(object, address);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF || !name || !*name || !section ||
        section->stubs)
        return;
    const HieraSymbol found = {.address = address,
                               .size = MIN(symbol->st_size, section->end - address),
                               .name = name,
                               .global = GELF_ST_BIND(symbol->st_info) != STB_LOCAL};
    g_array_append_val(object->symbols, found);
}

static void read_symbols(HieraObject *object, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
        hiera_symbol_add(object, &symbol, elf_strptr(object->elf, header->sh_link, symbol.st_name));
}

/* Record a pointer. @param target  address that the pointer at `at` points to */
static void add_pointer(HieraObject *object, guint64 at, guint64 target)
{
    gboolean is_code = hiera_object_section(object, target) != NULL;
    g_hash_table_replace(is_code ? object->pointers : object->data_pointers, g_memdup2(&at, sizeof at),
                         g_memdup2(&target, sizeof target));
}

static gboolean is_of_thread(const HieraObject *object, guint64 type)
{
    return object->machine == HIERA_MACHINE_X86_64 &&
           (type == R_X86_64_TPOFF64 || type == R_X86_64_DTPMOD64 || type == R_X86_64_DTPOFF64);
}

void hiera_relocation_add(HieraObject *object, const GElf_Rela *relocation, const char *name)
{
    guint64 relative = object->machine == HIERA_MACHINE_X86_64 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE,
            copy = object->machine == HIERA_MACHINE_X86_64 ? R_X86_64_COPY : R_AARCH64_COPY,
            at = relocation->r_offset + object->base, addend = (guint64)relocation->r_addend;
    if (GELF_R_TYPE(relocation->r_info) == relative) {
        add_pointer(object, at, addend + object->base);
        return;
    }
    if (is_of_thread(object, GELF_R_TYPE(relocation->r_info))) {
        g_hash_table_add(object->thread_words, g_memdup2(&at, sizeof at));
        return;
    }
    if (!name || !*name)
        return;
    if (GELF_R_TYPE(relocation->r_info) == copy)
        g_hash_table_replace(object->copies, (gpointer)name, g_memdup2(&at, sizeof at));
    else if (addend != 0)
        g_hash_table_replace(object->addends, g_memdup2(&at, sizeof at), g_memdup2(&addend, sizeof addend));
    g_hash_table_replace(object->imports, g_memdup2(&at, sizeof at), (gpointer)name);
}

/* Return the name of the symbol of a relocation, NULL if the relocation has none. */
static const char *name_of(const HieraObject *object, const GElf_Rela *relocation, Elf_Data *symbols, size_t names)
{
    GElf_Sym symbol;
    guint64 index = GELF_R_SYM(relocation->r_info);
    if (index == 0 || index > G_MAXINT || !symbols || !gelf_getsym(symbols, (int)index, &symbol))
        return NULL;
    return elf_strptr(object->elf, names, symbol.st_name);
}

static void read_relocations(HieraObject *object, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL), *symbols = NULL;
    Elf_Scn *linked = elf_getscn(object->elf, header->sh_link);
    GElf_Shdr of_symbols = {0};
    GElf_Rela relocation;
    if (header->sh_link != 0 && linked && gelf_getshdr(linked, &of_symbols))
        symbols = elf_getdata(linked, NULL);
    for (int i = 0; data && gelf_getrela(data, i, &relocation); i++)
        hiera_relocation_add(object, &relocation, name_of(object, &relocation, symbols, of_symbols.sh_link));
}

/* Add a pointer whose value in the file is relative to load address 0. */
static void add_packed(HieraObject *object, guint64 at)
{
    gint64 number;
    if (!hiera_object_number(object, at, 8, FALSE, &number))
        return;
    guint64 target = (guint64)number + object->base;
    if (object->base != 0 || hiera_object_section(object, target))
        add_pointer(object, at, target);
}

/* Read a table of packed relocations: an even number is the address of a pointer; an odd one has a bit for each of the
 * 63 pointers that follow. */
void hiera_packed_relocations_read(HieraObject *object, guint64 table, guint64 size)
{
    guint64 at = 0;
    gint64 number;
    for (guint64 i = 0; i + 8 <= size && hiera_object_number(object, table + i, 8, FALSE, &number); i += 8) {
        if (!(number & 1)) {
            at = (guint64)number + object->base + 8;
            add_packed(object, at - 8);
            continue;
        }
        for (guint bit = 1; bit < 64; bit++)
            if ((guint64)number >> bit & 1)
                add_packed(object, at + (bit - 1) * 8);
        at += 63 * 8;
    }
}

/* Order by address; of several names, exported ones first, then in alphabetical order. */
static int compare(gconstpointer a, gconstpointer b)
{
    const HieraSymbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->global != y->global)
        return y->global - x->global;
    return g_strcmp0(x->name, y->name);
}

void hiera_object_read_symbols(HieraObject *object)
{
    for (Elf_Scn *at = elf_nextscn(object->elf, NULL); at; at = elf_nextscn(object->elf, at)) {
        GElf_Shdr header;
        if (!gelf_getshdr(at, &header))
            continue;
        if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
            read_symbols(object, at, &header);
        if (header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC)
            read_relocations(object, at, &header);
        if (header.sh_type == SHT_RELR)
            hiera_packed_relocations_read(object, header.sh_addr + object->base, header.sh_size);
    }
    if (!object->has_sections)
        hiera_dynamic_read(object);
    g_array_sort(object->symbols, compare);
    g_array_sort(object->variables, compare);
}
