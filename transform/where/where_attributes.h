/* Names that expressions have beside those of where_names.h: each attribute of the grammar, under its own name. */
#pragma once

#include "expressions/expression.h"
#include "where_walk.h"

/* The host of an expression: the names of where_names.h, and attributes.
 * @param needs  becomes what attributes of the expression need, as WHERE_NEEDS_… */
HieraExpressionHost where_attributes_host(unsigned *needs);
