#include "dynamic_table.h"
#include <string.h>

static Elf_Data *data_at(Elf *elf, guint64 address, Elf_Type type)
{
    GElf_Phdr segment;
    for (int i = 0; gelf_getphdr(elf, i, &segment); i++) {
        guint64 at = address - segment.p_vaddr;
        Elf_Data *data = segment.p_type == PT_LOAD && address >= segment.p_vaddr && at < segment.p_filesz
                             ? elf_getdata_rawchunk(elf, (gint64)(segment.p_offset + at), segment.p_filesz - at, type)
                             : NULL;
        if (data)
            return data;
    }
    return NULL;
}

HieraDynamicTable hiera_dynamic_table(Elf *elf)
{
    HieraDynamicTable table = {.elf = elf};
    GElf_Phdr segment;
    for (int i = 0; gelf_getphdr(elf, i, &segment); i++)
        if (segment.p_type == PT_DYNAMIC)
            table.entries = data_at(elf, segment.p_vaddr, ELF_T_DYN);
    const Elf_Data *strings = hiera_dynamic_data(&table, DT_STRTAB, ELF_T_BYTE);
    if (strings) {
        table.strings = strings->d_buf;
        table.n_strings = MIN(strings->d_size, hiera_dynamic_value(&table, DT_STRSZ));
    }
    return table;
}

gboolean hiera_dynamic_entry(const HieraDynamicTable *table, int i, GElf_Dyn *entry)
{
    return gelf_getdyn(table->entries, i, entry) && entry->d_tag != DT_NULL;
}

guint64 hiera_dynamic_value(const HieraDynamicTable *table, gint64 tag)
{
    GElf_Dyn entry;
    for (int i = 0; hiera_dynamic_entry(table, i, &entry); i++)
        if (entry.d_tag == tag)
            return entry.d_un.d_val;
    return 0;
}

Elf_Data *hiera_dynamic_data(const HieraDynamicTable *table, gint64 tag, Elf_Type type)
{
    guint64 address = hiera_dynamic_value(table, tag);
    return address != 0 ? data_at(table->elf, address, type) : NULL;
}

const char *hiera_dynamic_string(const HieraDynamicTable *table, guint64 offset)
{
    const char *text = offset < table->n_strings ? table->strings + offset : NULL;
    return text && memchr(text, 0, table->n_strings - offset) ? text : NULL;
}

guint64 hiera_dynamic_count(const HieraDynamicTable *table)
{
    const Elf_Data *hash = hiera_dynamic_data(table, DT_HASH, ELF_T_WORD);
    if (hash)
        return hash->d_size >= 8 ? ((const guint32 *)hash->d_buf)[1] : 0;
    hash = hiera_dynamic_data(table, DT_GNU_HASH, ELF_T_WORD);
    const guint32 *words = hash ? hash->d_buf : NULL;
    guint64 n = hash ? hash->d_size / sizeof *words : 0;
    if (n < 4)
        return 0;
    /* The last symbol is at the end of the last chain. */
    guint64 first = words[1], bucket = 4 + 2 * (guint64)words[2], chains = bucket + words[0], last = 0;
    for (; bucket < MIN(chains, n); bucket++)
        last = MAX(last, words[bucket]);
    if (last < first)
        return first;
    while (chains + last - first < n && !(words[chains + last - first] & 1))
        last++;
    return last + 1;
}
