/* Formats fitted laws as text. */
#pragma once

#include "scaling_fits.h"

/* Format a law with its numbers: "1.2 ms + 340 µs / p". To be freed. */
char *scaling_law_text(const Law *law, PartUnit unit);
/* Format the laws of a part, for the slowest rank: that of its time, or "calls: 10, of 8 B, members: p". To be freed.
 */
char *scaling_part_text(const FittedPart *fitted);
/* Format a value for scripts: in seconds, in bytes, or as a number. To be freed. */
char *scaling_value_text(gdouble value, PartUnit unit);
