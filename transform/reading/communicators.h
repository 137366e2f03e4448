/* Communicators, groups, windows and files: the elements that declare them, and those that a call names. */
#ifndef HIERA_COMMUNICATORS_H
#define HIERA_COMMUNICATORS_H

#include "read_context.h"

/* Read a `hieraComm`. */
void hiera_communicators_declare(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraGroup`. */
void hiera_communicators_declare_group(HieraReadContext *context, const HieraAttributes *attributes);
/* Number of the communicator that an attribute names, HIERA_NONE if it is not there. */
guint32 hiera_communicators_find(HieraReadContext *context, const HieraXmlAttribute *attribute);
/* `comm` and `other` of a call. One that makes a window or a file declares it. */
void hiera_communicators_read(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation);
/* Whether a call makes a window or a file. */
gboolean hiera_communicators_is_maker(const HieraAttributes *attributes);

#endif
