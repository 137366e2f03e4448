/* Formats values for people. */
#pragma once

#include "expressions/expression.h"

enum { HIERA_FORMAT_BYTES = 48 };

/* Write a value other than a text: `17`, `0.25`, `1.36072 s`, `true`, `missing`. Numbers and durations have six digits.
 *
 * @return  number of bytes */
size_t hiera_format_value(const HieraValue *value, char to[HIERA_FORMAT_BYTES]);
