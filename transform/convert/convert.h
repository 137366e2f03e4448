/* Converts traces between the full and the compact encoding (docs/format.md), without loss. */
#pragma once

#include "base/vocabulary.h"
#include "hiera_trace.h"
#include <stdio.h>

typedef enum { HIERA_ENCODING_FULL, HIERA_ENCODING_COMPACT } HieraEncoding;

/* Callbacks that change elements of traces while they are converted. */
typedef struct {
    /* Called when a trace begins. @param attributes  names by number: pointers as in HieraXmlAttribute, valid until the
     * next trace begins */
    void (*begin)(gpointer user, guint index, const char *const *attributes);
    /* Called when an element begins, in full encoding. @param attributes  GArray of HieraXmlAttribute, to be changed;
     * new values must be valid until the next element begins */
    void (*element)(gpointer user, HieraElement element, GArray *attributes);
    gpointer user;
} HieraConvertChanges;

/* Write a trace in an encoding; the input may have either. Comments are not copied. A trace that ends too early is
 * written up to its end.
 *
 * @param path     of the trace
 * @param changes  NULL: none
 * @param index    passed to changes->begin
 * @param out      is written to, not closed; check it for write errors
 * @param error    the message begins with the path
 * @return  FALSE with an error if the trace has no element that can be read */
gboolean hiera_convert(const char *path, HieraEncoding encoding, const HieraConvertChanges *changes, guint index,
                       FILE *out, GError **error);

/* Write traces into a folder, with their configuration file, DTDs and stylesheet.
 *
 * @param processors  n_processors of them, at least one: their traces are converted
 * @param changes     NULL: none; then several processes share the work. Their indices are those of the processors
 * @param folder      is made if necessary; must not be the folder of one of the traces
 * @return  FALSE with an error if a trace cannot be read or written, or would be overwritten */
gboolean hiera_convert_all(const HieraProcessor *processors, guint n_processors, HieraEncoding encoding,
                           const HieraConvertChanges *changes, const char *folder, GError **error);
