/* Names in expressions beside those of where_names.h: attributes that the DTD declares, under their own names. */
#pragma once

#include "expressions/expression.h"
#include "where_walk.h"

/* Return the host of an expression: it knows the names of where_names.h and the attributes.
 * @param needs  becomes the needs of the attributes in the expression, bits WHERE_NEEDS_… */
HieraExpressionHost where_attributes_host(unsigned *needs);
