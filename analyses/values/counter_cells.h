/** Values of counters in tables: how they are kept until all is read, and their cells.
 *
 * What a counter counts (bytes, times) is known when the traces are read, so the columns get their types at the end. */
#pragma once

#include "hiera_measure.h"

/** The operations of a processor that were told last, by depth: a value belongs to one of them. */
typedef struct {
    guint64 index;
    guint32 place; /* what the measure keeps of it: a node, a site; HIERA_NONE: its values do not count */
} HieraCountedPlace;

/** Note an operation. @param around  HieraCountedPlace, by depth */
void hiera_counted_note(GArray *around, const HieraOperation *operation, guint32 place);
/** The same for an operation that stands for several calls. */
void hiera_counted_note_summed(GArray *around, guint32 depth, guint32 place);
/** The place to which a value belongs; HIERA_NONE: to none. */
guint32 hiera_counted_find(const GArray *around, const HieraCounted *counted);

/** Which of the scope's counters this is; -1: none of them. */
gint hiera_scope_find_counter(const HieraScope *scope, const HieraCounted *counted);

/** What a cell of this counter holds. @param counter  NULL: no trace has it */
HieraCellType hiera_counter_cell_type(const HieraTraceCounter *counter);
/** A value as such a cell: rounded to a whole number, of a percentage to hundredths. */
gint64 hiera_counter_cell(gdouble value, HieraCellType type);

/** Say that no trace has some of the scope's counters, if that is so. */
void hiera_counters_limit(const HieraScopeCounters *counters, const HieraCatalog *catalog, HieraTable *table);
