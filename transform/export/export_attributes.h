/* Attributes of calls as the trace has them, also those that are no columns: count, type, args, … For them the trace is
 * read once more. */
#ifndef HIERA_EXPORT_ATTRIBUTES_H
#define HIERA_EXPORT_ATTRIBUTES_H

#include "hiera_trace.h"

typedef struct {
    const char *name, *text;
} HieraAttributeText;

/* Attributes of some operations. */
typedef struct HieraExportAttributes HieraExportAttributes;

/* Read them, files side by side. What cannot be read any more is left out. O(the files that have such operations).
 * @param rows  by row: whether they are wanted */
HieraExportAttributes *hiera_export_attributes_read(const HieraTrace *trace, const guint8 *rows);
/* Read those of one operation: its file is read up to it. */
HieraExportAttributes *hiera_export_attributes_read_one(const HieraTrace *trace, guint32 row);
void hiera_export_attributes_free(HieraExportAttributes *attributes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraExportAttributes, hiera_export_attributes_free)

/* The attributes of a row, n of them, without those of its site and its times; NULL if they could not be read. Rows are
 * asked for in rising order. */
const HieraAttributeText *hiera_export_attributes_peek(HieraExportAttributes *attributes, guint32 row, guint *n);

#endif
