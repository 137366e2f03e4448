#include "reader.h"
#include "text/leb128.h"
#include <dwarf.h>

guint64 hiera_reader_number(HieraReader *reader, guint size)
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

guint64 hiera_reader_leb(HieraReader *reader)
{
    guint64 value;
    gsize n = hiera_leb_get(reader->bytes + reader->at, reader->n - reader->at, &value);
    reader->bad |= n == 0;
    reader->at = n > 0 ? reader->at + n : reader->n;
    return value;
}

gint64 hiera_reader_signed_leb(HieraReader *reader)
{
    gsize first = reader->at;
    guint64 value = hiera_reader_leb(reader);
    gsize bits = 7 * (reader->at - first);
    return (gint64)(bits > 0 && bits < 64 && value >> (bits - 1) & 1 ? value | G_MAXUINT64 << bits : value);
}

void hiera_reader_skip(HieraReader *reader, guint64 n)
{
    reader->bad |= n > reader->n - reader->at;
    reader->at += MIN(n, reader->n - reader->at);
}

static guint64 read_format(HieraReader *reader, guint format)
{
    switch (format) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return hiera_reader_number(reader, 8);
    case DW_EH_PE_uleb128:
        return hiera_reader_leb(reader);
    case DW_EH_PE_udata4:
        return hiera_reader_number(reader, 4);
    case DW_EH_PE_sdata4:
        return (guint64)(gint64)(gint32)hiera_reader_number(reader, 4);
    case DW_EH_PE_udata2:
        return hiera_reader_number(reader, 2);
    case DW_EH_PE_sdata2:
        return (guint64)(gint64)(gint16)hiera_reader_number(reader, 2);
    default:
        reader->bad = TRUE;
        return 0;
    }
}

guint64 hiera_reader_encoded(HieraReader *reader, guint encoding)
{
    guint64 at = reader->address + reader->at, value = read_format(reader, encoding & 0x0f);
    guint relative = encoding & 0xf0;
    reader->bad |= relative != 0 && relative != DW_EH_PE_pcrel;
    return relative == DW_EH_PE_pcrel && value != 0 ? value + at : value;
}
