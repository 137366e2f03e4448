/* What of a table is shown, and how wide its columns are. Hides where the width of a line comes from, and what gives
 * way where there is too little of it. */
#ifndef HIERA_TERMINAL_LAYOUT_H
#define HIERA_TERMINAL_LAYOUT_H

#include "table.h"

typedef struct {
    guint *columns, n; /* those that are shown */
    glong *widths;     /* by column of the table */
    glong line;        /* room for a row, G_MAXLONG: as much as it needs */
    glong needed;      /* room for all columns as they are */
    gboolean brief;    /* times in microseconds, no units in the heads */
} HieraLayout;

/* Text columns lose their middle and columns of detail are left out only on a terminal, or if COLUMNS says how wide a
 * line is. */
HieraLayout hiera_layout_make(const HieraTable *table, FILE *stream);
void hiera_layout_clear(HieraLayout *layout);
/* Say what a brief layout hides, and how to see it. */
void hiera_layout_write_note(const HieraLayout *layout, const HieraTable *table, FILE *stream);

#endif
