/* Layout of a table: the columns that are shown, and their widths. Hides how the width of the terminal is found, and
 * which columns are shortened or left out if it is too small. */
#pragma once

#include "table.h"

typedef struct {
    guint *columns, n; /* indices in the table of the columns that are shown; their number */
    glong *widths;     /* by column of the table: its width in characters */
    glong *good;       /* by column of the table: width to which its texts can be shortened so that names stay whole */
    glong *least;      /* by column of the table: least width of its shortened texts */
    glong bar;         /* width of a bar of 100 % in characters */
    glong gap;         /* number of blanks between two columns */
    glong line;        /* greatest width of a line in characters; G_MAXLONG: no limit */
    glong needed;      /* width that a line needs to show all columns in full */
    gboolean brief;    /* whether lines have a limited length: then numbers have units and few digits */
} HieraLayout;

/* Return the greatest width of a line: the terminal's, or COLUMNS; G_MAXLONG in a pipe or a file. */
glong hiera_line_width(FILE *stream);

/* Choose the layout of a table; to be cleared by hiera_layout_clear. Texts are shortened and columns are left out
 * only if `stream` is a terminal or the environment variable COLUMNS is set. */
HieraLayout hiera_layout_make(const HieraTable *table, FILE *stream);
void hiera_layout_clear(HieraLayout *layout);
/* Write notes below a table on a terminal: the number of rows left out, the columns left out, and how to
 * see them. */
void hiera_layout_write_note(const HieraLayout *layout, const HieraTable *table, FILE *stream);
