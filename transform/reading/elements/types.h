/* Sizes and signatures of datatypes, the buffer sizes of receives that follow from them, and the data of calls. */
#pragma once

#include "reading/context/read_context.h"

/* Read the declaration of a datatype with its size. */
void hiera_types_declare(HieraReadContext *context, const HieraAttributes *attributes);
/* Return the size in bytes of the buffer given to a receive; -1: no receive, or the size is not known. */
gint64 hiera_types_read_posted(HieraReadContext *context, const HieraAttributes *attributes, const HieraSite *site);
/* Return what a call says about its data and about arguments that MPI forbids, as checks/call_data.h reads it:
 * interned; NULL: nothing.
 *
 * @param all  the call's n attributes */
const char *hiera_types_read_data(HieraReadContext *context, const HieraAttributes *attributes,
                                  const HieraXmlAttribute *all, guint n, const HieraOperation *operation);
