/* Reads what PT_DYNAMIC names. See linked_file.h.
 *
 * Which of several versions of a name is meant is decided as in glibc (elf/dl-lookup.c): the wanted one, else one
 * without a version that is not hidden; if none is wanted, the one that is not hidden. */
#include "linked_file.h"
#include <gelf.h>
#include <string.h>

enum { SYMBOL_SIZE = 24, MOST_VERSIONS = 0x7fff };
#define AMBIGUOUS G_MAXUINT

typedef struct {
    guint64 address, n_bytes, offset;
} Segment;

struct HieraLinkedFile {
    char *path;
    GMappedFile *mapped;
    const guint8 *bytes;
    gsize n_bytes;
    guint machine;
    GArray *segments; /* Segment */
    GPtrArray *needed;
    const char *soname, *rpath, *runpath;
    gboolean is_symbolic;
    guint64 symbols, strings, strings_size, hash, gnu_hash; /* addresses; 0: there is none */
    guint64 versions, defined_versions, wanted_versions;
    GPtrArray *version_names; /* const char *, by number; NULL: it has no name */
    GHashTable *references; /* name → number of a symbol that is not defined, AMBIGUOUS if there are several; NULL: not
                               made yet */
};

static const guint8 *bytes_at(const HieraLinkedFile *file, guint64 address, gsize n, gsize *available)
{
    for (guint i = 0; i < file->segments->len; i++) {
        const Segment *segment = &g_array_index(file->segments, Segment, i);
        guint64 at = address - segment->address;
        if (address < segment->address || at >= segment->n_bytes || segment->n_bytes - at < n)
            continue;
        if (available)
            *available = segment->n_bytes - at;
        return file->bytes + segment->offset + at;
    }
    return NULL;
}

static guint64 number_at(const HieraLinkedFile *file, guint64 address, guint size)
{
    const guint8 *bytes = bytes_at(file, address, size, NULL);
    guint64 number = 0;
    for (guint i = size; bytes && i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

/* @return NULL if there is none, or if it has no end */
static const char *string_at(const HieraLinkedFile *file, guint64 offset)
{
    gsize available = 0;
    const guint8 *bytes = offset < file->strings_size ? bytes_at(file, file->strings + offset, 1, &available) : NULL;
    return bytes && memchr(bytes, 0, available) ? (const char *)bytes : NULL;
}

/* --- the file --- */

static gboolean is_inside(const HieraLinkedFile *file, guint64 offset, guint64 n)
{
    return offset <= file->n_bytes && n <= file->n_bytes - offset;
}

/* @return the address of PT_DYNAMIC; 0: there is none, or the file is damaged */
static guint64 read_segments(HieraLinkedFile *file, const Elf64_Ehdr *header)
{
    guint64 dynamic = 0;
    if (header->e_phentsize != sizeof(Elf64_Phdr) ||
        !is_inside(file, header->e_phoff, (guint64)header->e_phnum * sizeof(Elf64_Phdr)))
        return 0;
    for (guint i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, file->bytes + header->e_phoff + i * sizeof segment, sizeof segment);
        const Segment loaded = {segment.p_vaddr, segment.p_filesz, segment.p_offset};
        if (segment.p_type == PT_DYNAMIC)
            dynamic = segment.p_vaddr;
        if (segment.p_type == PT_LOAD && is_inside(file, segment.p_offset, segment.p_filesz))
            g_array_append_val(file->segments, loaded);
    }
    return dynamic;
}

static void take_entry(HieraLinkedFile *file, gint64 tag, guint64 value)
{
    switch (tag) {
    case DT_SYMTAB:
        file->symbols = value;
        break;
    case DT_STRTAB:
        file->strings = value;
        break;
    case DT_STRSZ:
        file->strings_size = value;
        break;
    case DT_HASH:
        file->hash = value;
        break;
    case DT_GNU_HASH:
        file->gnu_hash = value;
        break;
    case DT_VERSYM:
        file->versions = value;
        break;
    case DT_VERDEF:
        file->defined_versions = value;
        break;
    case DT_VERNEED:
        file->wanted_versions = value;
        break;
    case DT_SYMBOLIC:
        file->is_symbolic = TRUE;
        break;
    case DT_FLAGS:
        file->is_symbolic |= (value & DF_SYMBOLIC) != 0;
        break;
    default:
        break;
    }
}

static void take_string(HieraLinkedFile *file, gint64 tag, const char *text)
{
    if (tag == DT_NEEDED && text)
        g_ptr_array_add(file->needed, (gpointer)text);
    if (tag == DT_SONAME)
        file->soname = text;
    if (tag == DT_RPATH)
        file->rpath = text;
    if (tag == DT_RUNPATH)
        file->runpath = text;
}

static void read_dynamic(HieraLinkedFile *file, guint64 dynamic)
{
    for (guint pass = 0; pass < 2; pass++) {
        for (guint64 at = dynamic; bytes_at(file, at, 16, NULL); at += 16) {
            gint64 tag = (gint64)number_at(file, at, 8);
            guint64 value = number_at(file, at + 8, 8);
            if (tag == DT_NULL)
                break;
            if (pass == 0)
                take_entry(file, tag, value);
            else
                take_string(file, tag, string_at(file, value));
        }
    }
    if (file->runpath)
        file->rpath = NULL;
}

static void name_version(HieraLinkedFile *file, guint64 number, guint64 name)
{
    if (number >= MOST_VERSIONS)
        return;
    if (number >= file->version_names->len)
        g_ptr_array_set_size(file->version_names, (gint)number + 1);
    file->version_names->pdata[number] = (gpointer)string_at(file, name);
}

/* Entries are chained by how far the next one is; a damaged chain ends with the segment, or after MOST_VERSIONS. */
static void read_versions(HieraLinkedFile *file)
{
    guint64 at = file->defined_versions, next;
    guint n = 0;
    for (; at != 0 && bytes_at(file, at, 20, NULL) && n < MOST_VERSIONS; at = next ? at + next : 0, n++) {
        next = number_at(file, at + 16, 4);
        if (!(number_at(file, at + 2, 2) & VER_FLG_BASE))
            name_version(file, number_at(file, at + 4, 2), number_at(file, at + number_at(file, at + 12, 4), 4));
    }
    at = file->wanted_versions;
    for (n = 0; at != 0 && bytes_at(file, at, 16, NULL) && n < MOST_VERSIONS; at = next ? at + next : 0) {
        guint64 name = at + number_at(file, at + 8, 4), behind;
        next = number_at(file, at + 12, 4);
        n++;
        for (; name != 0 && bytes_at(file, name, 16, NULL) && n < MOST_VERSIONS;
             name = behind ? name + behind : 0, n++) {
            behind = number_at(file, name + 12, 4);
            name_version(file, number_at(file, name + 6, 2) & 0x7fff, number_at(file, name + 8, 4));
        }
    }
}

HieraLinkedFile *hiera_linked_file_open(const char *path, guint machine)
{
    g_autoptr(HieraLinkedFile) file = g_new0(HieraLinkedFile, 1);
    Elf64_Ehdr header;
    file->path = g_strdup(path);
    file->segments = g_array_new(FALSE, FALSE, sizeof(Segment));
    file->needed = g_ptr_array_new();
    file->version_names = g_ptr_array_new();
    file->mapped = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? g_mapped_file_new(path, FALSE, NULL) : NULL;
    file->bytes = file->mapped ? (const guint8 *)g_mapped_file_get_contents(file->mapped) : NULL;
    file->n_bytes = file->mapped ? g_mapped_file_get_length(file->mapped) : 0;
    if (file->n_bytes < sizeof header)
        return NULL;
    memcpy(&header, file->bytes, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || (machine != 0 && header.e_machine != machine))
        return NULL;
    file->machine = header.e_machine;
    guint64 dynamic = read_segments(file, &header);
    if (dynamic != 0)
        read_dynamic(file, dynamic);
    read_versions(file);
    return g_steal_pointer(&file);
}

void hiera_linked_file_free(HieraLinkedFile *file)
{
    if (!file)
        return;
    g_array_unref(file->segments);
    g_ptr_array_unref(file->needed);
    g_ptr_array_unref(file->version_names);
    if (file->references)
        g_hash_table_unref(file->references);
    if (file->mapped)
        g_mapped_file_unref(file->mapped);
    g_free(file->path);
    g_free(file);
}

const char *hiera_linked_file_path(const HieraLinkedFile *file)
{
    return file->path;
}

guint hiera_linked_file_machine(const HieraLinkedFile *file)
{
    return file->machine;
}

const char *hiera_linked_file_soname(const HieraLinkedFile *file)
{
    return file->soname;
}

const GPtrArray *hiera_linked_file_needed(const HieraLinkedFile *file)
{
    return file->needed;
}

const char *hiera_linked_file_rpath(const HieraLinkedFile *file)
{
    return file->rpath;
}

const char *hiera_linked_file_runpath(const HieraLinkedFile *file)
{
    return file->runpath;
}

gboolean hiera_linked_file_is_symbolic(const HieraLinkedFile *file)
{
    return file->is_symbolic;
}

/* --- symbols --- */

static gboolean read_symbol(const HieraLinkedFile *file, guint64 i, Elf64_Sym *symbol)
{
    const guint8 *bytes = bytes_at(file, file->symbols + i * SYMBOL_SIZE, SYMBOL_SIZE, NULL);
    if (bytes)
        memcpy(symbol, bytes, sizeof *symbol);
    return bytes != NULL;
}

/* Whether a symbol may stand for a name of a version. */
static gboolean is_version(const HieraLinkedFile *file, guint64 i, const char *version)
{
    if (file->versions == 0)
        return TRUE;
    guint64 number = number_at(file, file->versions + i * 2, 2), plain = number & 0x7fff;
    gboolean hidden = (number & 0x8000) != 0;
    const char *own = plain < file->version_names->len ? file->version_names->pdata[plain] : NULL;
    if (!version)
        return !hidden || plain < 3;
    return own ? strcmp(own, version) == 0 : !hidden;
}

/* @return whether symbol i defines a name */
static gboolean defines(const HieraLinkedFile *file, guint64 i, const char *name, const char *version,
                        HieraDefinition *found)
{
    Elf64_Sym symbol;
    if (!read_symbol(file, i, &symbol) || symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
        return FALSE;
    const char *own = string_at(file, symbol.st_name);
    if (!own || strcmp(own, name) != 0 || !is_version(file, i, version))
        return FALSE;
    *found = (HieraDefinition){symbol.st_value, symbol.st_size, ELF64_ST_TYPE(symbol.st_info)};
    return TRUE;
}

static gboolean find_by_gnu_hash(const HieraLinkedFile *file, const char *name, const char *version,
                                 HieraDefinition *found)
{
    guint32 hash = 5381;
    for (const guchar *at = (const guchar *)name; *at; at++)
        hash = hash * 33 + *at;
    guint64 table = file->gnu_hash, n_buckets = number_at(file, table, 4), first = number_at(file, table + 4, 4),
            n_filters = number_at(file, table + 8, 4), shift = number_at(file, table + 12, 4);
    if (n_buckets == 0 || n_filters == 0 || shift > 31)
        return FALSE;
    guint64 filter = number_at(file, table + 16 + hash / 64 % n_filters * 8, 8), buckets = table + 16 + n_filters * 8,
            chains = buckets + n_buckets * 4;
    if (!(filter >> hash % 64 & filter >> (hash >> shift) % 64 & 1))
        return FALSE;
    guint64 i = number_at(file, buckets + hash % n_buckets * 4, 4);
    for (; i >= first && i != 0 && bytes_at(file, chains + (i - first) * 4, 4, NULL); i++) {
        guint32 other = (guint32)number_at(file, chains + (i - first) * 4, 4);
        if ((other | 1) == (hash | 1) && defines(file, i, name, version, found))
            return TRUE;
        if (other & 1)
            break;
    }
    return FALSE;
}

static guint64 count_by_hash(const HieraLinkedFile *file)
{
    return file->hash != 0 ? number_at(file, file->hash + 4, 4) : 0;
}

static gboolean find_by_hash(const HieraLinkedFile *file, const char *name, const char *version, HieraDefinition *found)
{
    guint32 hash = 0;
    for (const guchar *at = (const guchar *)name; *at; at++) {
        hash = (hash << 4) + *at;
        guint32 high = hash & 0xf0000000;
        hash = (hash ^ high >> 24) & ~high;
    }
    guint64 n_buckets = number_at(file, file->hash, 4), n = count_by_hash(file),
            chains = file->hash + 8 + n_buckets * 4;
    guint64 i = n_buckets > 0 ? number_at(file, file->hash + 8 + hash % n_buckets * 4, 4) : 0;
    for (guint64 turn = 0; i != 0 && turn < n; turn++, i = number_at(file, chains + i * 4, 4))
        if (defines(file, i, name, version, found))
            return TRUE;
    return FALSE;
}

gboolean hiera_linked_file_find(const HieraLinkedFile *file, const char *name, const char *version,
                                HieraDefinition *found)
{
    if (file->gnu_hash != 0)
        return find_by_gnu_hash(file, name, version, found);
    return file->hash != 0 && find_by_hash(file, name, version, found);
}

/* Symbols that are not defined stand before those of the table of hashes. */
static void list_references(HieraLinkedFile *file)
{
    guint64 n = file->gnu_hash != 0 ? number_at(file, file->gnu_hash + 4, 4) : count_by_hash(file);
    Elf64_Sym symbol;
    file->references = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint64 i = 1; i < MIN(n, AMBIGUOUS) && read_symbol(file, i, &symbol); i++) {
        const char *name = symbol.st_shndx == SHN_UNDEF ? string_at(file, symbol.st_name) : NULL;
        guint number = name && g_hash_table_contains(file->references, name) ? AMBIGUOUS : (guint)i;
        if (name)
            g_hash_table_insert(file->references, (gpointer)name, GUINT_TO_POINTER(number));
    }
}

HieraReference hiera_linked_file_reference(HieraLinkedFile *file, const char *name)
{
    Elf64_Sym symbol;
    if (!file->references)
        list_references(file);
    guint64 i = GPOINTER_TO_UINT(g_hash_table_lookup(file->references, name));
    HieraReference reference = {.is_ambiguous = i == AMBIGUOUS};
    if (i == 0 || reference.is_ambiguous || !read_symbol(file, i, &symbol))
        return reference;
    guint64 number = file->versions != 0 ? number_at(file, file->versions + i * 2, 2) & 0x7fff : 0;
    reference.version = number < file->version_names->len ? file->version_names->pdata[number] : NULL;
    reference.is_weak = ELF64_ST_BIND(symbol.st_info) == STB_WEAK;
    return reference;
}
