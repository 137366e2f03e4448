/* Reads the tables that PT_DYNAMIC names, with libelf. See linked_file.h.
 *
 * If a name has several versions, the choice is that of glibc (elf/dl-lookup.c): the wanted version, else a symbol
 * without version that is not hidden; if no version is wanted, the symbol that is not hidden. */
#include "linked_file.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MOST_VERSIONS = 0x7fff, HIDDEN = 0x8000 };

static void take_entry(HieraLinkedFile *file, const GElf_Dyn *entry)
{
    const char *text = hiera_dynamic_string(&file->table, entry->d_un.d_val);
    switch (entry->d_tag) {
    case DT_NEEDED:
        if (text)
            g_ptr_array_add(file->needed, (gpointer)text);
        break;
    case DT_SONAME:
        file->soname = text;
        break;
    case DT_RPATH:
        file->rpath = text;
        break;
    case DT_RUNPATH:
        file->runpath = text;
        break;
    case DT_SYMBOLIC:
        file->is_symbolic = TRUE;
        break;
    case DT_FLAGS:
        file->is_symbolic |= (entry->d_un.d_val & DF_SYMBOLIC) != 0;
        break;
    default:
        break;
    }
}

static void name_version(HieraLinkedFile *file, guint number, guint64 name)
{
    if (number >= MOST_VERSIONS)
        return;
    if (number >= file->version_names->len)
        g_ptr_array_set_size(file->version_names, (gint)number + 1);
    file->version_names->pdata[number] = (gpointer)hiera_dynamic_string(&file->table, name);
}

/* Read the versions that a file defines. Each entry has the distance to the next one; a damaged chain ends with the
 * data, or after MOST_VERSIONS. */
static void read_defined_versions(HieraLinkedFile *file)
{
    Elf_Data *data = hiera_dynamic_data(&file->table, DT_VERDEF, ELF_T_VDEF);
    GElf_Verdef version = {.vd_next = 1};
    GElf_Verdaux name;
    guint64 at = 0;
    for (guint n = 0; n < MOST_VERSIONS && version.vd_next != 0 && at < G_MAXINT; n++, at += version.vd_next) {
        if (!gelf_getverdef(data, (int)at, &version))
            return;
        guint64 at_name = at + version.vd_aux;
        if (!(version.vd_flags & VER_FLG_BASE) && at_name < G_MAXINT && gelf_getverdaux(data, (int)at_name, &name))
            name_version(file, version.vd_ndx, name.vda_name);
    }
}

static void read_wanted_versions(HieraLinkedFile *file)
{
    Elf_Data *data = hiera_dynamic_data(&file->table, DT_VERNEED, ELF_T_VNEED);
    GElf_Verneed library = {.vn_next = 1};
    guint64 at = 0;
    for (guint n = 0; n < MOST_VERSIONS && library.vn_next != 0 && at < G_MAXINT; n++, at += library.vn_next) {
        if (!gelf_getverneed(data, (int)at, &library))
            return;
        GElf_Vernaux version = {.vna_next = 1};
        for (guint64 of = at + library.vn_aux; n < MOST_VERSIONS && version.vna_next != 0 && of < G_MAXINT;
             n++, of += version.vna_next) {
            if (!gelf_getvernaux(data, (int)of, &version))
                break;
            name_version(file, version.vna_other & ~(guint)HIDDEN, version.vna_name);
        }
    }
}

static Elf *map_elf(const char *path)
{
    int fd = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return NULL;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    elf_cntl(elf, ELF_C_FDDONE);
    close(fd);
    return elf;
}

HieraLinkedFile *hiera_linked_file_open(const char *path, guint machine)
{
    g_autoptr(HieraLinkedFile) file = g_new0(HieraLinkedFile, 1);
    GElf_Ehdr header;
    GElf_Dyn entry;
    Elf *elf = map_elf(path);
    file->path = g_strdup(path);
    file->needed = g_ptr_array_new();
    file->version_names = g_ptr_array_new();
    file->table.elf = elf;
    if (!gelf_getehdr(elf, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || (machine != 0 && header.e_machine != machine))
        return NULL;
    file->machine = header.e_machine;
    file->table = hiera_dynamic_table(elf);
    file->symbols = hiera_dynamic_data(&file->table, DT_SYMTAB, ELF_T_SYM);
    file->versions = hiera_dynamic_data(&file->table, DT_VERSYM, ELF_T_HALF);
    for (int i = 0; hiera_dynamic_entry(&file->table, i, &entry); i++)
        take_entry(file, &entry);
    if (file->runpath)
        file->rpath = NULL;
    read_defined_versions(file);
    read_wanted_versions(file);
    return g_steal_pointer(&file);
}

void hiera_linked_file_free(HieraLinkedFile *file)
{
    if (!file)
        return;
    g_ptr_array_unref(file->needed);
    g_ptr_array_unref(file->version_names);
    g_clear_pointer(&file->by_name, g_hash_table_unref);
    elf_end(file->table.elf);
    g_free(file->next);
    g_free(file->path);
    g_free(file);
}

/* --- symbols and their versions --- */

static void list_names(HieraLinkedFile *file)
{
    guint64 n = file->symbols ? MIN(file->symbols->d_size / sizeof(Elf64_Sym), G_MAXINT) : 0;
    n = MIN(n, hiera_dynamic_count(&file->table));
    file->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    file->next = g_new0(guint, n);
    for (guint i = (guint)n; i > 1;) {
        GElf_Sym symbol;
        const char *name =
            gelf_getsym(file->symbols, (int)--i, &symbol) ? hiera_dynamic_string(&file->table, symbol.st_name) : NULL;
        if (!name)
            continue;
        file->next[i] = GPOINTER_TO_UINT(g_hash_table_lookup(file->by_name, name));
        g_hash_table_insert(file->by_name, (gpointer)name, GUINT_TO_POINTER(i));
    }
}

/* Get the next symbol with a name. @param i  number of the symbol before it; 0: get the first one. @return its number;
 * 0 if there is none */
static guint next_symbol(HieraLinkedFile *file, const char *name, guint i, GElf_Sym *symbol)
{
    if (!file->by_name)
        list_names(file);
    i = i > 0 ? file->next[i] : GPOINTER_TO_UINT(g_hash_table_lookup(file->by_name, name));
    return i > 0 && gelf_getsym(file->symbols, (int)i, symbol) ? i : 0;
}

/* Version of a symbol. @param is_hidden  receives whether the symbol is found only with its version
 * @return number of the version; 0: it has none */
static guint version_of(const HieraLinkedFile *file, guint i, gboolean *is_hidden)
{
    GElf_Versym number = 0;
    gelf_getversym(file->versions, (int)i, &number);
    *is_hidden = (number & HIDDEN) != 0;
    return number & ~(guint)HIDDEN;
}

static const char *name_of_version(const HieraLinkedFile *file, guint number)
{
    return number < file->version_names->len ? file->version_names->pdata[number] : NULL;
}

/* Whether symbol `i` has the wanted version of its name. @param version  NULL: the default version */
static gboolean is_version(const HieraLinkedFile *file, guint i, const char *version)
{
    gboolean is_hidden;
    guint number = version_of(file, i, &is_hidden);
    const char *own = name_of_version(file, number);
    if (!file->versions)
        return TRUE;
    if (!version)
        return !is_hidden || number < 3;
    return own ? strcmp(own, version) == 0 : !is_hidden;
}

gboolean hiera_linked_file_find(HieraLinkedFile *file, const char *name, const char *version, HieraDefinition *found)
{
    GElf_Sym symbol;
    for (guint i = 0; (i = next_symbol(file, name, i, &symbol)) != 0;) {
        if (symbol.st_shndx == SHN_UNDEF || GELF_ST_BIND(symbol.st_info) == STB_LOCAL || !is_version(file, i, version))
            continue;
        *found = (HieraDefinition){symbol.st_value, symbol.st_size, GELF_ST_TYPE(symbol.st_info)};
        return TRUE;
    }
    return FALSE;
}

HieraReference hiera_linked_file_reference(HieraLinkedFile *file, const char *name)
{
    HieraReference reference = {0};
    GElf_Sym symbol;
    gboolean is_hidden;
    guint n = 0;
    for (guint i = 0; (i = next_symbol(file, name, i, &symbol)) != 0;) {
        if (symbol.st_shndx != SHN_UNDEF)
            continue;
        reference = (HieraReference){.version = name_of_version(file, version_of(file, i, &is_hidden)),
                                     .is_weak = GELF_ST_BIND(symbol.st_info) == STB_WEAK,
                                     .is_ambiguous = n++ > 0};
    }
    return reference;
}
