/* Numbers and their units: `20`, `0x1f`, `1.5e3`, `5ms`, `1.5MiB`, `20%`. */
#pragma once

#include "expression.h"

typedef struct HieraUnit {
    const char *name;
    HieraValueType type; /* DURATION: the factor is in ns; INTEGER: bytes; NUMBER: a fraction */
    double factor;
} HieraUnit;

/* Return the unit with this name, or NULL. */
const HieraUnit *hiera_unit_find(const char *name, size_t length);
/* Return the name of the most similar unit, or NULL. */
const char *hiera_unit_nearest(const char *name, size_t length);

/* Return the number of bytes of the digits, point and exponent that the text begins with; 0: no number. */
size_t hiera_number_length(const char *text, size_t length);
/* Return the value of a number.
 *
 * @param text  a number of hiera_number_length() bytes
 * @param unit  NULL if it has none
 * @return  a missing value if the number is too large: a duration or number of bytes beyond 63 bits, a number beyond
 * the range of double. Integers beyond 63 bits are returned as numbers */
HieraValue hiera_number_value(const char *text, size_t length, const HieraUnit *unit);
