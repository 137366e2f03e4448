/* Reads function ranges from .eh_frame, which stripped files have too. See object.h. */
#include "object.h"
#include "reader.h"
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

/* Settings in a common entry (CIE) for the entries of functions that refer to it. */
typedef struct {
    guint address;       /* encoding of addresses */
    guint lsda;          /* encoding of the address of the table of landing pads; DW_EH_PE_omit: there is none */
    gboolean has_length; /* whether the addresses of an entry are followed by the length of further data */
} Common;

/* Read the common entry at an offset. @return  false if the entry is damaged or not supported */
static gboolean read_common(const HieraReader *all, gsize offset, Common *common)
{
    HieraReader reader = *all;
    reader.at = offset;
    *common = (Common){.address = DW_EH_PE_absptr, .lsda = DW_EH_PE_omit};
    guint64 length = hiera_reader_number(&reader, 4);
    if (reader.bad || length == 0xffffffff || length > reader.n - reader.at)
        return FALSE;
    reader.n = reader.at + length;
    hiera_reader_number(&reader, 4);
    hiera_reader_number(&reader, 1);
    const char *augmentation = (const char *)reader.bytes + reader.at;
    const char *end = memchr(augmentation, 0, reader.n - reader.at);
    if (reader.bad || !end)
        return FALSE;
    reader.at += (gsize)(end - augmentation) + 1;
    for (guint i = 0; i < 3; i++)
        hiera_reader_leb(&reader);
    common->has_length = augmentation[0] == 'z';
    if (!common->has_length)
        return !augmentation[0];
    hiera_reader_leb(&reader);
    for (const char *letter = augmentation + 1; *letter && !reader.bad; letter++) {
        switch (*letter) {
        case 'R':
            common->address = (guint)hiera_reader_number(&reader, 1);
            break;
        case 'L':
            common->lsda = (guint)hiera_reader_number(&reader, 1);
            break;
        case 'P':
            hiera_reader_encoded(&reader, (guint)hiera_reader_number(&reader, 1) & 0x0f);
            break;
        case 'S':
        case 'B':
            break;
        default:
            return FALSE;
        }
    }
    return !reader.bad;
}

static void add_frame(HieraObject *object, const HieraReader *all, gsize at, gsize end, gsize offset)
{
    Common common;
    HieraReader reader = *all;
    reader.at = at;
    reader.n = end;
    if (!read_common(all, offset, &common))
        return;
    HieraSymbol frame = {.name = NULL, .description = at - 8};
    frame.address = hiera_reader_encoded(&reader, common.address);
    frame.size = hiera_reader_encoded(&reader, common.address & 0x0f);
    const HieraCodeSection *section = hiera_object_section(object, frame.address);
    if (reader.bad || !section || section->stubs || frame.size == 0)
        return;
    if (common.has_length && hiera_reader_leb(&reader) > 0 && common.lsda != DW_EH_PE_omit)
        frame.lsda = hiera_reader_encoded(&reader, common.lsda);
    if (reader.bad)
        frame.lsda = HIERA_LSDA_UNREADABLE;
    frame.size = MIN(frame.size, section->end - frame.address);
    g_array_append_val(object->frames, frame);
}

static void read_entries(HieraObject *object, HieraReader *reader)
{
    while (!reader->bad && reader->at < reader->n) {
        guint64 length = hiera_reader_number(reader, 4);
        gsize at = reader->at;
        if (length == 0 || length == 0xffffffff || length > reader->n - at)
            return;
        guint64 back = hiera_reader_number(reader, 4);
        if (length >= 4 && back != 0 && back <= at)
            add_frame(object, reader, at + 4, at + length, at - back);
        reader->at = at + length;
    }
}

static int compare(gconstpointer a, gconstpointer b)
{
    const HieraSymbol *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Find .eh_frame by the header that PT_GNU_EH_FRAME names, without section headers. */
static void read_by_header(HieraObject *object)
{
    HieraReader header = {.address = object->frames_header}, reader = {0};
    header.bytes = object->frames_header ? hiera_object_bytes(object, object->frames_header, 4, &header.n) : NULL;
    if (!header.bytes)
        return;
    hiera_reader_number(&header, 1);
    guint encoding = (guint)hiera_reader_number(&header, 1);
    hiera_reader_number(&header, 2);
    reader.address = hiera_reader_encoded(&header, encoding);
    reader.bytes = header.bad ? NULL : hiera_object_bytes(object, reader.address, 4, &reader.n);
    if (reader.bytes)
        read_entries(object, &reader);
    g_array_sort(object->frames, compare);
}

void hiera_frames_read(HieraObject *object)
{
    size_t names = 0;
    if (!object->has_sections) {
        read_by_header(object);
        return;
    }
    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return;
    for (Elf_Scn *at = elf_nextscn(object->elf, NULL); at; at = elf_nextscn(object->elf, at)) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(at, &header) ? elf_strptr(object->elf, names, header.sh_name) : NULL;
        const guint8 *bytes = name && strcmp(name, ".eh_frame") == 0 && header.sh_size > 0
                                  ? hiera_object_bytes(object, header.sh_addr + object->base, header.sh_size, NULL)
                                  : NULL;
        HieraReader reader = {.bytes = bytes, .n = header.sh_size, .address = header.sh_addr + object->base};
        if (bytes)
            read_entries(object, &reader);
    }
    g_array_sort(object->frames, compare);
}

const HieraSymbol *hiera_object_frame(const HieraObject *object, guint64 address)
{
    guint low = 0, high = object->frames->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(object->frames, HieraSymbol, middle).address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const HieraSymbol *frame = low > 0 ? &g_array_index(object->frames, HieraSymbol, low - 1) : NULL;
    return frame && address - frame->address < frame->size ? frame : NULL;
}
