/* Values as people read them. */
#ifndef HIERA_PROBES_FORMAT_H
#define HIERA_PROBES_FORMAT_H

#include "expressions/expression.h"

enum { HIERA_FORMAT_BYTES = 48 };

/* Write a value that is no text: `17`, `0.25`, `1.36072 s`, `true`, `missing`. Numbers and durations have six digits.
 *
 * @return the number of bytes */
size_t hiera_format_value(const HieraValue *value, char to[HIERA_FORMAT_BYTES]);

#endif
