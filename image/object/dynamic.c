/* Reads the tables of the dynamic linker: symbols and relocations of files without section headers, and the functions
 * that it calls. See object.h. */
#include "dynamic_table.h"
#include "symbols.h"

/* Read relocations. @param tag, tag_size  tags of the entries with their address and their size */
static void read_relocations(HieraObject *object, const HieraDynamicTable *table, Elf_Data *symbols, gint64 tag,
                             gint64 tag_size)
{
    Elf_Data *data = hiera_dynamic_data(table, tag, ELF_T_RELA);
    int n = (int)(MIN(hiera_dynamic_value(table, tag_size), G_MAXINT) / sizeof(Elf64_Rela));
    GElf_Rela relocation;
    for (int i = 0; i < n && gelf_getrela(data, i, &relocation); i++) {
        guint64 index = GELF_R_SYM(relocation.r_info);
        GElf_Sym symbol;
        gboolean has_symbol = index > 0 && index <= G_MAXINT && gelf_getsym(symbols, (int)index, &symbol);
        hiera_relocation_add(object, &relocation, has_symbol ? hiera_dynamic_string(table, symbol.st_name) : NULL);
    }
}

void hiera_dynamic_read(HieraObject *object)
{
    const HieraDynamicTable table = hiera_dynamic_table(object->elf);
    Elf_Data *symbols = hiera_dynamic_data(&table, DT_SYMTAB, ELF_T_SYM);
    guint64 n = MIN(hiera_dynamic_count(&table), G_MAXINT);
    GElf_Sym symbol;
    for (int i = 1; i < (int)n && gelf_getsym(symbols, i, &symbol); i++)
        hiera_symbol_add(object, &symbol, hiera_dynamic_string(&table, symbol.st_name));
    read_relocations(object, &table, symbols, DT_RELA, DT_RELASZ);
    read_relocations(object, &table, symbols, DT_JMPREL, DT_PLTRELSZ);
    hiera_packed_relocations_read(object, hiera_dynamic_value(&table, DT_RELR) + object->base,
                                  hiera_dynamic_value(&table, DT_RELRSZ));
}

/* Find the table DT_INIT_ARRAY of a program that is linked alone: it has a section, but no entry. */
static guint64 find_starts(const HieraObject *object, guint64 *begin)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(object->elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_INIT_ARRAY) {
            *begin = header.sh_addr + object->base;
            return header.sh_size / sizeof(guint64);
        }
    return 0;
}

guint64 hiera_object_calls(const HieraObject *object, gint64 tag, gint64 tag_size, guint64 *begin)
{
    const HieraDynamicTable table = hiera_dynamic_table(object->elf);
    guint64 n = MIN(hiera_dynamic_value(&table, tag_size), object->n_bytes) / sizeof(guint64);
    *begin = hiera_dynamic_value(&table, tag) + object->base;
    if (object->is_linked_alone && tag == DT_INIT_ARRAY)
        n = MIN(find_starts(object, begin), object->n_bytes / sizeof(guint64));
    return hiera_object_bytes(object, *begin, n * sizeof(guint64), NULL) ? n : 0;
}
