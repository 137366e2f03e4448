/* Attributes of calls as written in the trace, also those that are no columns: count, type, args, … For this the trace
 * is read once more. */
#pragma once

#include "hiera_trace.h"

typedef struct {
    const char *name, *text;
} HieraAttributeText;

/* Attributes of the calls of some rows, as texts. */
typedef struct HieraExportAttributes HieraExportAttributes;

/* Read the attributes of wanted rows, files in parallel. Those that cannot be read any more are left out. O(files with
 * wanted rows).
 * @param rows  by row: whether they are wanted */
HieraExportAttributes *hiera_export_attributes_read(const HieraTrace *trace, const guint8 *rows);
/* Read the attributes of one operation. Its trace file is read up to that operation. */
HieraExportAttributes *hiera_export_attributes_read_one(const HieraTrace *trace, guint32 row);
void hiera_export_attributes_free(HieraExportAttributes *attributes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraExportAttributes, hiera_export_attributes_free)

/* Return the `n` attributes of a row, without those of its site and its times; NULL if they could not be read. Call it
 * with rising rows. */
const HieraAttributeText *hiera_export_attributes_peek(HieraExportAttributes *attributes, guint32 row, guint *n);
