/* Cells as a terminal shows them: control characters are replaced, thousands are separated by commas, of a path only
 * the last step is shown. */
#ifndef HIERA_TERMINAL_CELL_H
#define HIERA_TERMINAL_CELL_H

#include "table.h"

/* Write the number of a cell.
 * @param buffer  of HIERA_NUMBER_BYTES
 * @param brief   round times to microseconds
 * @return        the length of the number */
gsize hiera_terminal_number(char *buffer, const HieraColumn *column, const HieraCell *cell, gboolean brief);
/* Return the text of a cell, to be freed with g_free. */
char *hiera_terminal_text(const HieraColumn *column, const HieraCell *cell);
/* Return the head of a column, to be freed with g_free. @param brief  leave out the unit */
char *hiera_terminal_head(const HieraColumn *column, gboolean brief);

#endif
