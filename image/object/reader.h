/* A part of the file that is read byte by byte; for exception tables. */
#pragma once

#include <glib.h>

typedef struct {
    const guint8 *bytes;
    gsize n, at;
    guint64 address; /* address of the first byte */
    gboolean bad;    /* whether an error occurred: not enough bytes, or an unknown encoding */
} HieraReader;

/* Read a number of `size` bytes, little-endian. */
guint64 hiera_reader_number(HieraReader *reader, guint size);
/* Read a number in the variable length of DWARF (LEB128). */
guint64 hiera_reader_leb(HieraReader *reader);
gint64 hiera_reader_signed_leb(HieraReader *reader);
void hiera_reader_skip(HieraReader *reader, guint64 n);
/* Read an address or a number in an encoding of .eh_frame (DW_EH_PE_…). An address 0 stays 0: it means none. */
guint64 hiera_reader_encoded(HieraReader *reader, guint encoding);
