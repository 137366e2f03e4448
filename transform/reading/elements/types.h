/* Sizes of datatypes, and with them for how many bytes a receive is posted. */
#ifndef HIERA_READING_TYPES_H
#define HIERA_READING_TYPES_H

#include "reading/context/read_context.h"

/* Read the declaration of a datatype. */
void hiera_types_declare(HieraReadContext *context, const HieraAttributes *attributes);
/* Find out for how many bytes a call receives; -1 if it does not, or that is not known. */
gint64 hiera_types_read_posted(HieraReadContext *context, const HieraAttributes *attributes, const HieraSite *site);

#endif
