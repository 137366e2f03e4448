/* Arguments of MPI calls that MPI's text forbids: null handles, ranks, roots, tags and counts out of range, and
 * communicators of the wrong sort. */
#pragma once

#include "reading/context/read_context.h"

/* What is said of an object that the program had freed. */
#define HIERA_REFUSED_FREED "was freed"

/* Append a text about each argument of a call that breaks a rule, as "argument 5, tag = -3, is below 0 (MPI 4.1,
 * 3.2.3)".
 *
 * @param attributes  the n attributes of the call, with those of its declaration
 * @param operation   the call: its site and communicator are read
 * @param before      what is written before each text
 * @param between     what is written between two texts */
void hiera_refused_read(HieraReadContext *context, const HieraXmlAttribute *attributes, guint n,
                        const HieraOperation *operation, const char *before, const char *between, GString *text);
