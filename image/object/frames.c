/* Functions that .eh_frame has a description for: also those of stripped files. See object.h. */
#include "object.h"
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

/* A part of the file that is read byte by byte. */
typedef struct {
    const guint8 *bytes;
    gsize n, at;
    guint64 address; /* of the first byte */
    gboolean bad;
} Reader;

static guint64 take(Reader *reader, guint size)
{
    guint64 value = 0;
    if (reader->n - reader->at < size) {
        reader->bad = TRUE;
        reader->at = reader->n;
        return 0;
    }
    for (guint i = 0; i < size; i++)
        value |= (guint64)reader->bytes[reader->at + i] << (8 * i);
    reader->at += size;
    return value;
}

static guint64 take_leb(Reader *reader)
{
    guint64 value = 0;
    for (guint shift = 0; shift < 63 && !reader->bad; shift += 7) {
        guint64 byte = take(reader, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

/* An address in one of the encodings of .eh_frame. */
static guint64 take_encoded(Reader *reader, guint encoding, gboolean relative)
{
    guint64 at = reader->address + reader->at, value = 0;
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        value = take(reader, 8);
        break;
    case DW_EH_PE_udata4:
        value = take(reader, 4);
        break;
    case DW_EH_PE_sdata4:
        value = (guint64)(gint64)(gint32)take(reader, 4);
        break;
    case DW_EH_PE_udata2:
        value = take(reader, 2);
        break;
    case DW_EH_PE_sdata2:
        value = (guint64)(gint64)(gint16)take(reader, 2);
        break;
    default:
        reader->bad = TRUE;
    }
    switch (relative ? encoding & 0x70 : 0) {
    case 0:
        return value;
    case DW_EH_PE_pcrel:
        return value + at;
    default:
        reader->bad = TRUE;
        return 0;
    }
}

/* The encoding of addresses, from the common entry at an offset; -1 if it cannot be read. */
static int encoding_of(const Reader *all, gsize offset)
{
    Reader reader = *all;
    reader.at = offset;
    guint64 length = take(&reader, 4);
    if (reader.bad || length == 0xffffffff || length > reader.n - reader.at)
        return -1;
    reader.n = reader.at + length;
    take(&reader, 4);
    take(&reader, 1);
    const char *augmentation = (const char *)reader.bytes + reader.at;
    const char *end = memchr(augmentation, 0, reader.n - reader.at);
    if (reader.bad || !end)
        return -1;
    reader.at += (gsize)(end - augmentation) + 1;
    take_leb(&reader);
    take_leb(&reader);
    take_leb(&reader);
    if (augmentation[0] != 'z')
        return augmentation[0] ? -1 : DW_EH_PE_absptr;
    take_leb(&reader);
    for (const char *letter = augmentation + 1; *letter && !reader.bad; letter++) {
        guint encoding;
        switch (*letter) {
        case 'R':
            return (int)take(&reader, 1);
        case 'L':
            take(&reader, 1);
            break;
        case 'P':
            encoding = (guint)take(&reader, 1);
            take_encoded(&reader, encoding, FALSE);
            break;
        case 'S':
        case 'B':
            break;
        default:
            return -1;
        }
    }
    return reader.bad ? -1 : DW_EH_PE_absptr;
}

static void add_frame(HieraObject *object, const Reader *all, gsize at, gsize end, gsize common)
{
    int encoding = encoding_of(all, common);
    Reader reader = *all;
    reader.at = at;
    reader.n = end;
    if (encoding < 0)
        return;
    HieraSymbol frame = {.name = NULL};
    frame.address = take_encoded(&reader, (guint)encoding, TRUE);
    frame.size = take_encoded(&reader, (guint)encoding, FALSE);
    const HieraCodeSection *section = hiera_object_section(object, frame.address);
    if (reader.bad || !section || section->stubs || frame.size == 0)
        return;
    frame.size = MIN(frame.size, section->end - frame.address);
    g_array_append_val(object->frames, frame);
}

static void read_entries(HieraObject *object, Reader *reader)
{
    while (!reader->bad && reader->at < reader->n) {
        guint64 length = take(reader, 4);
        gsize at = reader->at;
        if (length == 0 || length == 0xffffffff || length > reader->n - at)
            return;
        guint64 back = take(reader, 4);
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

void hiera_frames_read(HieraObject *object)
{
    size_t names = 0;
    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return;
    for (Elf_Scn *at = elf_nextscn(object->elf, NULL); at; at = elf_nextscn(object->elf, at)) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(at, &header) ? elf_strptr(object->elf, names, header.sh_name) : NULL;
        const guint8 *bytes = name && strcmp(name, ".eh_frame") == 0 && header.sh_size > 0
                                  ? hiera_object_bytes(object, header.sh_addr, header.sh_size, NULL)
                                  : NULL;
        Reader reader = {.bytes = bytes, .n = header.sh_size, .address = header.sh_addr};
        if (bytes)
            read_entries(object, &reader);
    }
    g_array_sort(object->frames, compare);
}
