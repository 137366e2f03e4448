/** Values of counters in tables: stored while traces are read, then written into cells.
 *
 * What a counter counts (bytes, times) is known when the traces are read, so the columns get their types at the end. */
#pragma once

#include "hiera_measure.h"

/** The latest operation of a processor at one depth. A counter value belongs to one of these operations. */
typedef struct {
    guint64 index;
    guint32 place; /* number the measure has for it, of a node or site; HIERA_NONE: ignore its values */
} HieraCountedPlace;

/** Note an operation. @param around  HieraCountedPlace by depth */
void hiera_counted_note(GArray *around, const HieraOperation *operation, guint32 place);
/** Note a summed operation, which stands for several calls. */
void hiera_counted_note_summed(GArray *around, guint32 depth, guint32 place);
/** Return the place that a value belongs to; HIERA_NONE if none. */
guint32 hiera_counted_find(const GArray *around, const HieraCounted *counted);

/** Return the index of this counter in the scope; -1 if the scope does not have it. */
gint hiera_scope_find_counter(const HieraScope *scope, const HieraCounted *counted);

/** Return the type of this counter's cells. @param counter  NULL if no trace has it */
HieraCellType hiera_counter_cell_type(const HieraTraceCounter *counter);
/** Convert a value for a cell of this type: rounded to a whole number, a percentage to hundredths of a percent. */
gint64 hiera_counter_cell(gdouble value, HieraCellType type);

/** Add a note to the table if no trace has some of the scope's counters. */
void hiera_counters_limit(const HieraScopeCounters *counters, const HieraCatalog *catalog, HieraTable *table);
