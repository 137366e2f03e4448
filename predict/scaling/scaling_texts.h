/* Laws of quantities, and their values, as text. */
#pragma once

#include "scaling_fits.h"

/* Format a law with its parameters: "1.2 ms + 340 µs / p". To be freed with g_free. */
char *scaling_law_text(const Law *law, PartUnit unit);
/* Format the laws of a part, for the slowest rank: that of its time, or "calls: 10, of 8 B, members: p". To be freed.
 */
char *scaling_part_text(const FittedPart *fitted);
/* Format a value for scripts, without its unit: in seconds, in bytes, or as a number. To be freed with g_free. */
char *scaling_value_text(gdouble value, PartUnit unit);
