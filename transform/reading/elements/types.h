/* Sizes of datatypes, and from them the bytes for which a receive is posted. */
#pragma once

#include "reading/context/read_context.h"

/* Read the declaration of a datatype. */
void hiera_types_declare(HieraReadContext *context, const HieraAttributes *attributes);
/* Return the bytes that a call is ready to receive; -1 if it is no receive, or they are not known. */
gint64 hiera_types_read_posted(HieraReadContext *context, const HieraAttributes *attributes, const HieraSite *site);
