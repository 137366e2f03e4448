/* Texts of cells for a terminal: control characters are replaced; a path in a tree shows only its last step,
 * indented. Numbers are exact, or rounded as in quantity.c. Long texts are shortened to a width. */
#pragma once

#include "table.h"

/* Width of a bar of 100 % in characters. */
#define HIERA_BAR_WIDTH 16

/* Write the number of a cell.
 * @param buffer  HIERA_NUMBER_BYTES long
 * @param brief   with a unit and few digits
 * @return        the width of the number in characters */
glong hiera_terminal_number(char *buffer, const HieraColumn *column, const HieraCell *cell, gboolean brief);
/* Draw a share (in hundredths of a percent) of a bar of `width` characters, to an eighth of one. To be freed with
 * g_free. */
char *hiera_terminal_bar(gint64 share, glong width);
/* Return the whole text of a cell, to be freed with g_free. */
char *hiera_terminal_text(const HieraColumn *column, const HieraCell *cell);
/* Return the text of a cell, shortened (shorten.h) if it is wider than `width` characters; the step of a tree keeps its
 * indentation. Frees the given text, which hiera_terminal_text has made. */
char *hiera_terminal_fit(const HieraColumn *column, char *text, glong width);
/* Return the smallest width to which the text of a cell can be shortened if the method's name, the line and the
 * indentation must stay. */
glong hiera_terminal_good_width(const HieraColumn *column, const char *text);
/* Append n blanks to a line; none if n is negative. */
void hiera_blanks_append(GString *line, glong n);
/* Append a text as lines that are no longer than `width`, broken between words.
 * @param first  blanks before the first line
 * @param rest   blanks before the others */
void hiera_terminal_wrap(GString *lines, const char *text, glong first, glong rest, glong width);
/* Return the head of a column: name and unit; to be freed with g_free. @param brief  leave out the unit */
char *hiera_terminal_head(const HieraColumn *column, gboolean brief);
