/* The compact encoding of a trace: a `hieraCall` declares attributes that calls share, and each call is a `c` that
 * refers to it. Hides how a `c` is expanded to the call. */
#pragma once

#include "base/vocabulary.h"
#include "xml/xml.h"

typedef struct HieraCallDictionary HieraCallDictionary;

/* A declaration (`hieraCall`) of attributes that calls share. */
typedef struct {
    HieraElement element;          /* element that the calls have in full encoding */
    HieraXmlAttribute *attributes; /* attributes of the declaration without its id */
    guint n_attributes;
    char *values;     /* buffer with the texts of the attributes' values */
    gpointer reading; /* data that the user of the dictionary keeps with the declaration; freed with g_free */
} HieraDeclaredCall;

/* @param xml  the parser that reads the trace; must outlive the dictionary */
HieraCallDictionary *hiera_call_dictionary_new(HieraXml *xml);
void hiera_call_dictionary_free(HieraCallDictionary *dictionary);
/* Add a declaration, copying its attributes. It replaces an earlier one with the same id. Return FALSE if there is no
 * id. */
gboolean hiera_call_dictionary_declare(HieraCallDictionary *dictionary, const HieraXmlAttribute *attributes, guint n);
/* Return how many declarations were replaced by later ones with the same id. */
guint hiera_call_dictionary_count_replaced(const HieraCallDictionary *dictionary);
/* Return the declaration that attribute `r` of a `c` refers to; NULL: there is none, or `r` is NULL. */
HieraDeclaredCall *hiera_call_dictionary_find(const HieraCallDictionary *dictionary, const HieraXmlAttribute *r);
/* Return the attributes of a call, without its times: those of its declaration, replaced or followed by those of its
 * `c`. The result is valid until the next call of this function.
 *
 * @param attributes  the n attributes of the `c` */
const HieraXmlAttribute *hiera_call_dictionary_merge(HieraCallDictionary *dictionary, const HieraDeclaredCall *call,
                                                     const HieraXmlAttribute *attributes, guint n, guint *n_merged);
