/* Reads a trace as elements in full encoding, whatever its own encoding is: calls are expanded, requests are numbers,
 * and lines that the collector could not find are looked up. */
#pragma once

#include "base/vocabulary.h"
#include "request_encoding.h"
#include "xml/xml.h"

typedef struct {
    /* Called when an element begins.
     *
     * @param element     HIERA_N_ELEMENTS if it is unknown
     * @param name        as in the trace; for an expanded call the name of its element
     * @param attributes  GArray of HieraXmlAttribute, valid until the next element begins; may be changed */
    void (*start)(gpointer user, HieraElement element, const char *name, GArray *attributes);
    void (*end)(gpointer user);
    /* Whether the next call is wanted. FALSE: it is skipped, which takes far less time: no `start` and `end` are called
     * for it, but they are for elements inside it. NULL: no call is skipped. */
    gboolean (*wants)(gpointer user);
} HieraFullElementsEvents;

typedef struct HieraFullElements HieraFullElements;

/* Open a trace.
 *
 * @param path   must outlive the reader
 * @param error  the message begins with the path
 * @return  NULL with an error if the file cannot be opened; else free with hiera_full_elements_free() */
HieraFullElements *hiera_full_elements_new(const char *path, const HieraFullElementsEvents *events, gpointer user,
                                           GError **error);
void hiera_full_elements_free(HieraFullElements *full);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFullElements, hiera_full_elements_free)
/* Read all elements. A trace that ends too early is read up to its end. Return FALSE with an error if it has no element
 * that can be read. */
gboolean hiera_full_elements_visit(HieraFullElements *full, GError **error);

/* Stop reading; to be called in a callback of HieraFullElementsEvents. */
void hiera_full_elements_stop(HieraFullElements *full);

/* Return the names of attributes (elements) by HieraAttribute (HieraElement): the parser's pointers. */
const char *const *hiera_full_elements_peek_attributes(const HieraFullElements *full);
const char *const *hiera_full_elements_peek_elements(const HieraFullElements *full);
/* Return the parser's pointer for a name: names of elements and attributes are equal if their pointers are. */
const char *hiera_full_elements_intern(HieraFullElements *full, const char *name);
/* Return the state of request numbers at the current call, for hiera_request_encoding_put_distances(). */
HieraRequestEncoding *hiera_full_elements_peek_requests(const HieraFullElements *full);

/* Return TRUE if an element is a call in full encoding. */
static inline gboolean hiera_element_is_call(HieraElement element)
{
    return element == HIERA_ELEMENT_MPI || element == HIERA_ELEMENT_OOPS || element == HIERA_ELEMENT_REGION;
}
