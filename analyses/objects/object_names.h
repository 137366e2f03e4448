/** One name for a communicator, window or file that has different names on different ranks: that of the first rank that
 * made it. The result depends neither on the order in which files are read, nor on what one of several processes knows.
 */
#pragma once

#include "hiera_match.h"

typedef struct HieraObjectNames HieraObjectNames;

/** Find one name for each communicator, window and file. O(rows). To be freed by hiera_object_names_free. */
HieraObjectNames *hiera_object_names_new(const HieraMatch *match);
void hiera_object_names_free(HieraObjectNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraObjectNames, hiera_object_names_free)

/** Return the index whose name is used for all indices of the same object.
 *
 * @param comm  as in the columns of the trace
 * @return HIERA_NONE for HIERA_NONE */
guint32 hiera_object_names_find(const HieraObjectNames *names, guint32 comm);

/** Return the index of the communicator, window or file that an operation uses or makes; HIERA_NONE: there is none. */
guint32 hiera_object_names_of_row(const HieraObjectNames *names, guint32 row);

/** Return the name of the object with an index that hiera_object_names_find returned; "" for HIERA_NONE. */
const char *hiera_object_names_peek(const HieraObjectNames *names, guint32 comm);
