/* Cells as a terminal shows them: control characters replaced, thousands apart, of a path the last step. */
#ifndef HIERA_TERMINAL_CELL_H
#define HIERA_TERMINAL_CELL_H

#include "table.h"

/* A number into a buffer of HIERA_NUMBER_BYTES. @param brief  times to the microsecond @return its length */
gsize hiera_terminal_number(char *buffer, const HieraColumn *column, const HieraCell *cell, gboolean brief);
/* A text, to be freed. */
char *hiera_terminal_text(const HieraColumn *column, const HieraCell *cell);
/* The head of a column, to be freed. @param brief  without its unit */
char *hiera_terminal_head(const HieraColumn *column, gboolean brief);

#endif
