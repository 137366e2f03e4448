/* Communicators, groups, windows and files: reads their declarations, and the ones that a call names. */
#pragma once

#include "reading/context/read_context.h"

/* Read a `hieraComm`. */
void hiera_communicators_declare(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraGroup`. */
void hiera_communicators_declare_group(HieraReadContext *context, const HieraAttributes *attributes);
/* Return the index of the communicator that an attribute names; HIERA_NONE if the attribute is absent or empty. */
guint32 hiera_communicators_find(HieraReadContext *context, const HieraXmlAttribute *attribute);
/* Read `comm` and `other` of a call. A call that makes a window or a file declares it. */
void hiera_communicators_read(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation);
/* Return TRUE if a call makes a window or a file: it names a new object and a communicator. */
gboolean hiera_communicators_is_maker(const HieraAttributes *attributes);
