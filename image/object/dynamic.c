/* Symbols and relocations of files without section headers: what the dynamic linker is told. See object.h. */
#include "object.h"
#include "symbols.h"
#include <gelf.h>
#include <string.h>

enum { SYMBOL_SIZE = 24, RELOCATION_SIZE = 24 };

/* Values of the entries that are of use, by tag; 0: there is none. Addresses are those at which the file is loaded. */
typedef struct {
    guint64 symbols, strings, strings_size, hash, gnu_hash;
    guint64 relocations, relocations_size, stubs, stubs_size, packed, packed_size;
} Dynamic;

static guint64 number_at(const HieraObject *object, guint64 address, guint size)
{
    gint64 number = 0;
    return hiera_object_number(object, address, size, FALSE, &number) ? (guint64)number : 0;
}

static guint64 *find_entry(Dynamic *dynamic, guint64 tag)
{
    switch (tag) {
    case DT_SYMTAB:
        return &dynamic->symbols;
    case DT_STRTAB:
        return &dynamic->strings;
    case DT_STRSZ:
        return &dynamic->strings_size;
    case DT_HASH:
        return &dynamic->hash;
    case DT_GNU_HASH:
        return &dynamic->gnu_hash;
    case DT_RELA:
        return &dynamic->relocations;
    case DT_RELASZ:
        return &dynamic->relocations_size;
    case DT_JMPREL:
        return &dynamic->stubs;
    case DT_PLTRELSZ:
        return &dynamic->stubs_size;
    case DT_RELR:
        return &dynamic->packed;
    case DT_RELRSZ:
        return &dynamic->packed_size;
    default:
        return NULL;
    }
}

static gboolean is_size(guint64 tag)
{
    return tag == DT_STRSZ || tag == DT_RELASZ || tag == DT_PLTRELSZ || tag == DT_RELRSZ;
}

static Dynamic read_dynamic(const HieraObject *object)
{
    Dynamic dynamic = {0};
    for (guint64 at = object->dynamic; hiera_object_bytes(object, at, 16, NULL); at += 16) {
        guint64 tag = number_at(object, at, 8), *entry = find_entry(&dynamic, tag);
        if (tag == DT_NULL)
            break;
        if (entry)
            *entry = number_at(object, at + 8, 8) + (is_size(tag) ? 0 : object->base);
    }
    return dynamic;
}

/* The last symbol is at the end of the last chain of the table that they are looked up in. */
static guint64 count_by_gnu_hash(const HieraObject *object, guint64 table)
{
    guint64 n_buckets = number_at(object, table, 4), first = number_at(object, table + 4, 4), last = 0;
    guint64 buckets = table + 16 + number_at(object, table + 8, 4) * 8, chains = buckets + n_buckets * 4;
    for (guint64 i = 0; i < n_buckets && hiera_object_bytes(object, buckets + i * 4, 4, NULL); i++)
        last = MAX(last, number_at(object, buckets + i * 4, 4));
    if (last < first)
        return first;
    while (hiera_object_bytes(object, chains + (last - first) * 4, 4, NULL) &&
           !(number_at(object, chains + (last - first) * 4, 4) & 1))
        last++;
    return last + 1;
}

/* @return NULL if it has no end */
static const char *string_at(const HieraObject *object, const Dynamic *dynamic, guint64 offset)
{
    gsize available = 0;
    const guint8 *bytes =
        offset < dynamic->strings_size ? hiera_object_bytes(object, dynamic->strings + offset, 1, &available) : NULL;
    return bytes && memchr(bytes, 0, available) ? (const char *)bytes : NULL;
}

static gboolean read_symbol(const HieraObject *object, const Dynamic *dynamic, guint64 i, GElf_Sym *symbol)
{
    guint64 at = dynamic->symbols + i * SYMBOL_SIZE;
    if (dynamic->symbols == 0 || !hiera_object_bytes(object, at, SYMBOL_SIZE, NULL))
        return FALSE;
    *symbol = (GElf_Sym){.st_name = (GElf_Word)number_at(object, at, 4),
                         .st_info = (guint8)number_at(object, at + 4, 1),
                         .st_shndx = (GElf_Section)number_at(object, at + 6, 2),
                         .st_value = number_at(object, at + 8, 8),
                         .st_size = number_at(object, at + 16, 8)};
    return TRUE;
}

static void read_relocations(HieraObject *object, const Dynamic *dynamic, guint64 table, guint64 size)
{
    for (guint64 at = 0; at + RELOCATION_SIZE <= size && hiera_object_bytes(object, table + at, RELOCATION_SIZE, NULL);
         at += RELOCATION_SIZE) {
        const GElf_Rela relocation = {number_at(object, table + at, 8), number_at(object, table + at + 8, 8),
                                      (GElf_Sxword)number_at(object, table + at + 16, 8)};
        GElf_Sym symbol = {0};
        guint64 index = GELF_R_SYM(relocation.r_info);
        const char *name = index > 0 && read_symbol(object, dynamic, index, &symbol)
                               ? string_at(object, dynamic, symbol.st_name)
                               : NULL;
        hiera_relocation_add(object, &relocation, name);
    }
}

void hiera_dynamic_read(HieraObject *object)
{
    const Dynamic dynamic = read_dynamic(object);
    guint64 n = dynamic.hash       ? number_at(object, dynamic.hash + 4, 4)
                : dynamic.gnu_hash ? count_by_gnu_hash(object, dynamic.gnu_hash)
                                   : 0;
    GElf_Sym symbol;
    for (guint64 i = 1; i < n && read_symbol(object, &dynamic, i, &symbol); i++)
        hiera_symbol_add(object, &symbol, string_at(object, &dynamic, symbol.st_name));
    read_relocations(object, &dynamic, dynamic.relocations, dynamic.relocations_size);
    read_relocations(object, &dynamic, dynamic.stubs, dynamic.stubs_size);
    hiera_packed_relocations_read(object, dynamic.packed, dynamic.packed_size);
}
