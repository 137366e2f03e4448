/** Values of counters in tables: stored while traces are read, then written into cells.
 *
 * What a counter counts (bytes, times) is known when the traces are read, so the columns get their types at the end. */
#pragma once

#include "hiera_measure.h"

/** The last operation of a processor at one depth, to which a counter value may belong. */
typedef struct {
    guint64 index;
    guint32 place; /* number of the operation in the measure, such as its node; HIERA_NONE: ignored */
} HieraCountedPlace;

/** Note an operation for its counter values, which come later. @param around  HieraCountedPlace by depth */
void hiera_counted_note(GArray *around, const HieraOperation *operation, guint32 place);
/** As hiera_counted_note, for an operation that stands for several calls. */
void hiera_counted_note_summed(GArray *around, guint32 depth, guint32 place);
/** Return the `place` of the operation that a counter value belongs to; HIERA_NONE: it was not noted. */
guint32 hiera_counted_find(const GArray *around, const HieraCounted *counted);

/** Return the index of a value's counter among those of the scope; -1: it is none of them. */
gint hiera_scope_find_counter(const HieraScope *scope, const HieraCounted *counted);

/** Return the cell type of a counter's values. @param counter  NULL: no trace has it */
HieraCellType hiera_counter_cell_type(const HieraTraceCounter *counter);
/** Return a counter's value as number of a cell: rounded; a percentage becomes hundredths of a percent. */
gint64 hiera_counter_cell(gdouble value, HieraCellType type);

/** Add a limit to the table that names the scope's counters which no trace has. */
void hiera_counters_limit(const HieraScopeCounters *counters, const HieraCatalog *catalog, HieraTable *table);
