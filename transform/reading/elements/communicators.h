/* Reads declarations of communicators, groups, windows and files, and which of them a call names. */
#pragma once

#include "reading/context/read_context.h"

/* Read a `hieraComm`: the declaration of a communicator. */
void hiera_communicators_declare(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraGroup`: the declaration of a group. */
void hiera_communicators_declare_group(HieraReadContext *context, const HieraAttributes *attributes);
/* Return the index of the communicator that an attribute names; HIERA_NONE if the attribute is absent or empty. */
guint32 hiera_communicators_find(HieraReadContext *context, const HieraXmlAttribute *attribute);
/* Read `comm` and `other` of a call. The window or file that a call makes is declared here. */
void hiera_communicators_read(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation);
/* Whether a call makes a window or a file: it then names both the new object and a communicator. */
gboolean hiera_communicators_is_maker(const HieraAttributes *attributes);
