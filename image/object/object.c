/* Reads an ELF file with libelf. See object.h. */
#include "object.h"
#include "dynamic_table.h"
#include <errno.h>
#include <gelf.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_QUARK(hiera - image - error - quark, hiera_image_error)

#define FAIL(error, ...) (g_set_error(error, HIERA_IMAGE_ERROR, 0, __VA_ARGS__), FALSE)

static gboolean read_header(HieraObject *object, GError **error)
{
    GElf_Ehdr header;
    const char *path = object->path;
    if (elf_kind(object->elf) != ELF_K_ELF)
        return FAIL(error, "%s: is no ELF file; name an executable or a shared library", path);
    if (!gelf_getehdr(object->elf, &header))
        return FAIL(error, "%s: its header is damaged: %s", path, elf_errmsg(-1));
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64))
        return FAIL(error, "%s: is for a machine that is not supported (number %u); x86-64 and aarch64 are", path,
                    header.e_machine);
    if (header.e_type == ET_REL)
        return FAIL(error, "%s: is not linked yet; name the executable or shared library that it becomes part of",
                    path);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return FAIL(error, "%s: is neither an executable nor a shared library", path);
    object->machine = header.e_machine == EM_X86_64 ? HIERA_MACHINE_X86_64 : HIERA_MACHINE_AARCH64;
    object->is_fixed = header.e_type == ET_EXEC;
    object->base = object->is_fixed ? 0 : object->base;
    object->entry = header.e_entry + object->base;
    object->is_linked_alone = TRUE;
    return TRUE;
}

/* Add a segment of the file. @return  false if bytes of the segment are missing in the file */
static gboolean add_segment(HieraObject *object, const GElf_Phdr *header)
{
    guint64 address = header->p_vaddr + object->base;
    if (header->p_type == PT_GNU_RELRO && header->p_vaddr <= G_MAXUINT64 - header->p_memsz) {
        object->fixed_begin = address;
        object->fixed_end = address + header->p_memsz;
    }
    if (header->p_type == PT_INTERP)
        object->is_linked_alone = FALSE;
    if (header->p_type == PT_GNU_EH_FRAME)
        object->frames_header = address;
    if (header->p_type != PT_LOAD || header->p_filesz == 0)
        return TRUE;
    if (header->p_offset > object->n_bytes || header->p_filesz > object->n_bytes - header->p_offset ||
        header->p_vaddr > G_MAXINT64 - object->base || address > G_MAXINT64 - header->p_filesz)
        return FALSE;
    const HieraSegment segment = {
        .address = address,
        .n_bytes = header->p_filesz,
        .n_memory = header->p_memsz <= G_MAXINT64 - address ? MAX(header->p_memsz, header->p_filesz) : header->p_filesz,
        .bytes = object->contents + header->p_offset,
        .executable = (header->p_flags & PF_X) != 0,
        .writable = (header->p_flags & PF_W) != 0};
    g_array_append_val(object->segments, segment);
    return TRUE;
}

/* Add a section of code: the part of a range that is in an executable segment. */
static void add_section(HieraObject *object, guint64 begin, guint64 size, gboolean stubs)
{
    for (guint i = 0; i < object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(object->segments, HieraSegment, i);
        guint64 end = segment->address + segment->n_bytes;
        if (!segment->executable || begin < segment->address || begin >= end)
            continue;
        const HieraCodeSection section = {begin, begin + MIN(size, end - begin), stubs};
        if (section.end > section.begin)
            g_array_append_val(object->sections, section);
        return;
    }
}

static void read_sections(HieraObject *object)
{
    size_t names = 0;
    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return;
    for (Elf_Scn *at = elf_nextscn(object->elf, NULL); at; at = elf_nextscn(object->elf, at)) {
        GElf_Shdr header;
        if (!gelf_getshdr(at, &header) || !(header.sh_flags & SHF_EXECINSTR) || header.sh_type != SHT_PROGBITS)
            continue;
        const char *name = elf_strptr(object->elf, names, header.sh_name);
        add_section(object, header.sh_addr + object->base, header.sh_size, name && g_str_has_prefix(name, ".plt"));
    }
}

static void read_build_id(HieraObject *object, const GElf_Phdr *header)
{
    if (header->p_type != PT_NOTE || header->p_offset >= object->n_bytes)
        return;
    gsize n = MIN(header->p_filesz, object->n_bytes - header->p_offset);
    Elf_Data *data = elf_getdata_rawchunk(object->elf, (gint64)header->p_offset, n, ELF_T_NHDR);
    GElf_Nhdr note;
    size_t at_name, at_text;
    for (size_t at = 0, next;
         data && !object->build_id && (next = gelf_getnote(data, at, &note, &at_name, &at_text)) > 0; at = next) {
        const guint8 *bytes = (const guint8 *)data->d_buf + at_text;
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
            memcmp((char *)data->d_buf + at_name, "GNU", 4) != 0)
            continue;
        GString *text = g_string_new(NULL);
        for (guint i = 0; i < note.n_descsz; i++)
            g_string_append_printf(text, "%02x", bytes[i]);
        object->build_id = g_string_free(text, FALSE);
    }
}

/* Whether the file is a position-independent program, not a shared library. */
static gboolean is_movable_program(const HieraObject *object)
{
    const HieraDynamicTable table = hiera_dynamic_table(object->elf);
    return (hiera_dynamic_value(&table, DT_FLAGS_1) & DF_1_PIE) != 0;
}

static gboolean read_segments(HieraObject *object, GError **error)
{
    size_t n = 0;
    if (elf_getphdrnum(object->elf, &n) != 0)
        return FAIL(error, "%s: is damaged: %s", object->path, elf_errmsg(-1));
    if (n == 0)
        return FAIL(error, "%s: is damaged: it has no program headers", object->path);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(object->elf, (int)i, &header))
            return FAIL(error, "%s: is damaged: %s", object->path, elf_errmsg(-1));
        if (!add_segment(object, &header))
            return FAIL(error, "%s: is damaged: it is shorter than its headers say", object->path);
        if (!object->build_id)
            read_build_id(object, &header);
    }
    object->is_linked_alone = object->is_linked_alone && (object->is_fixed || is_movable_program(object));
    object->has_sections = elf_getshdrnum(object->elf, &n) == 0 && n > 0;
    read_sections(object);
    for (guint i = 0; object->sections->len == 0 && i < object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(object->segments, HieraSegment, i);
        if (segment->executable)
            add_section(object, segment->address, segment->n_bytes, FALSE);
    }
    return object->sections->len > 0 || FAIL(error, "%s: has no code", object->path);
}

HieraObject *hiera_object_open(const char *path, GError **error)
{
    return hiera_object_open_at(path, 0, error);
}

HieraObject *hiera_object_open_at(const char *path, guint64 base, GError **error)
{
    g_autoptr(HieraObject) object = g_new0(HieraObject, 1);
    g_autoptr(GError) reading = NULL;
    object->path = g_strdup(path);
    object->base = base;
    object->segments = g_array_new(FALSE, FALSE, sizeof(HieraSegment));
    object->sections = g_array_new(FALSE, FALSE, sizeof(HieraCodeSection));
    object->symbols = g_array_new(FALSE, FALSE, sizeof(HieraSymbol));
    object->variables = g_array_new(FALSE, FALSE, sizeof(HieraSymbol));
    object->frames = g_array_new(FALSE, FALSE, sizeof(HieraSymbol));
    object->imports = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    object->thread_words = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    object->addends = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    object->copies = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    object->pointers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    object->data_pointers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    elf_version(EV_CURRENT);
    if (g_access(path, R_OK) != 0) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s: cannot be opened: %s", path, g_strerror(errno));
        return NULL;
    }
    if (!g_file_get_contents(path, (char **)&object->contents, &object->n_bytes, &reading)) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s", reading->message);
        return NULL;
    }
    object->elf = elf_memory((char *)object->contents, object->n_bytes);
    if (!object->elf) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s: is no ELF file; name an executable or a shared library", path);
        return NULL;
    }
    if (!read_header(object, error) || !read_segments(object, error))
        return NULL;
    hiera_object_read_symbols(object);
    hiera_frames_read(object);
    object->frame_rules = dwarf_getcfi_elf(object->elf);
    return g_steal_pointer(&object);
}

void hiera_object_free(HieraObject *object)
{
    if (!object)
        return;
    dwarf_cfi_end(object->frame_rules);
    elf_end(object->elf);
    g_array_unref(object->segments);
    g_array_unref(object->sections);
    g_array_unref(object->symbols);
    g_array_unref(object->variables);
    g_array_unref(object->frames);
    g_hash_table_unref(object->imports);
    g_hash_table_unref(object->thread_words);
    g_hash_table_unref(object->addends);
    g_hash_table_unref(object->copies);
    g_hash_table_unref(object->pointers);
    g_hash_table_unref(object->data_pointers);
    g_free(object->build_id);
    g_free(object->contents);
    g_free(object->path);
    g_free(object);
}

const guint8 *hiera_object_bytes(const HieraObject *object, guint64 address, gsize n, gsize *available)
{
    for (guint i = 0; i < object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(object->segments, HieraSegment, i);
        guint64 at = address - segment->address;
        if (address < segment->address || at >= segment->n_bytes || segment->n_bytes - at < n)
            continue;
        if (available)
            *available = segment->n_bytes - at;
        return segment->bytes + at;
    }
    return NULL;
}

gboolean hiera_object_number(const HieraObject *object, guint64 address, guint size, gboolean is_signed, gint64 *number)
{
    const guint8 *bytes = hiera_object_bytes(object, address, size, NULL);
    if (!bytes || size == 0 || size > 8)
        return FALSE;
    guint64 value = 0;
    for (guint i = size; i > 0; i--)
        value = value << 8 | bytes[i - 1];
    guint64 sign = (guint64)1 << (8 * size - 1);
    *number = (gint64)(is_signed && size < 8 ? (value ^ sign) - sign : value);
    return TRUE;
}

guint64 hiera_object_first_page(const HieraObject *object)
{
    const guint64 page = 4096;
    guint64 first = G_MAXUINT64;
    for (guint i = 0; i < object->segments->len; i++)
        first = MIN(first, g_array_index(object->segments, HieraSegment, i).address);
    return first & ~(page - 1);
}

gboolean hiera_object_is_constant(const HieraObject *object, guint64 address, guint64 n)
{
    if (address >= object->fixed_begin && address < object->fixed_end && n <= object->fixed_end - address)
        return TRUE;
    for (guint i = 0; i < object->segments->len; i++) {
        const HieraSegment *segment = &g_array_index(object->segments, HieraSegment, i);
        guint64 at = address - segment->address;
        if (address >= segment->address && at < segment->n_bytes)
            return !segment->writable && n <= segment->n_bytes - at;
    }
    return FALSE;
}

const HieraCodeSection *hiera_object_section(const HieraObject *object, guint64 address)
{
    for (guint i = 0; i < object->sections->len; i++) {
        const HieraCodeSection *section = &g_array_index(object->sections, HieraCodeSection, i);
        if (address >= section->begin && address < section->end)
            return section;
    }
    return NULL;
}
