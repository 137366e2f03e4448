/* The tables that a file has for the dynamic linker, found by its program headers; a file without section headers has
 * them too. Addresses are as in the file. */
#pragma once

#include <gelf.h>
#include <glib.h>

typedef struct {
    Elf *elf;
    Elf_Data *entries; /* entries of the dynamic section; NULL: there are none */
    const char *strings;
    gsize n_strings; /* size of `strings` in bytes */
} HieraDynamicTable;

HieraDynamicTable hiera_dynamic_table(Elf *elf);
/* Read entry `i` of the dynamic section. @return  FALSE behind the last entry */
gboolean hiera_dynamic_entry(const HieraDynamicTable *table, int i, GElf_Dyn *entry);
/* Return the value of the entry with a tag (DT_…), 0 if there is none. */
guint64 hiera_dynamic_value(const HieraDynamicTable *table, gint64 tag);
/* Return the bytes of the file from the address in such an entry to the end of the segment, NULL if there are none. The
 * data belong to the Elf. */
Elf_Data *hiera_dynamic_data(const HieraDynamicTable *table, gint64 tag, Elf_Type type);
/* Return the string at an offset; NULL if there is no such string, or if it has no end. */
const char *hiera_dynamic_string(const HieraDynamicTable *table, guint64 offset);
/* Return the number of symbols of DT_SYMTAB, from the hash table in which they are looked up. */
guint64 hiera_dynamic_count(const HieraDynamicTable *table);
