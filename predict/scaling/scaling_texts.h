/* Fitted laws in words. */
#ifndef HIERA_PREDICT_SCALING_TEXTS_H
#define HIERA_PREDICT_SCALING_TEXTS_H

#include "scaling_fits.h"

/* The law with its numbers, as a person reads them: "1.2 ms + 340 µs / p". To be freed. */
char *scaling_law_text(const Law *law, PartUnit unit);
/* The laws of a part, of the slowest rank: that of its time, or "calls: 10, of 8 B, members: p". To be freed. */
char *scaling_part_text(const FittedPart *fitted);
/* A value for scripts: in seconds, bytes, or a number. To be freed. */
char *scaling_value_text(gdouble value, PartUnit unit);

#endif
