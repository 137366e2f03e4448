/* The compact spelling of a trace: what calls have in common, declared once (`hieraCall`), and the calls (`c`) that
 * refer to it. Hides how a `c` becomes the element that it stands for. */
#ifndef HIERA_CALL_DICTIONARY_H
#define HIERA_CALL_DICTIONARY_H

#include "base/vocabulary.h"
#include "xml/xml.h"

typedef struct HieraCallDictionary HieraCallDictionary;

/* What a `hieraCall` says, without its id. */
typedef struct {
    HieraElement element; /* which one it stands for */
    HieraXmlAttribute *attributes;
    guint n_attributes;
    char *values;     /* of the attributes */
    gpointer reading; /* the reader's own; freed with g_free */
} HieraDeclaredCall;

/* @param xml  gives names their pointers; must outlive it */
HieraCallDictionary *hiera_call_dictionary_new(HieraXml *xml);
void hiera_call_dictionary_free(HieraCallDictionary *dictionary);
/* Take a `hieraCall`; a later one of the same id replaces it. False if it has no id. */
gboolean hiera_call_dictionary_declare(HieraCallDictionary *dictionary, const HieraXmlAttribute *attributes, guint n);
/* How often a `hieraCall` took the place of another one. */
guint hiera_call_dictionary_count_replaced(const HieraCallDictionary *dictionary);
/* The one that a `c` refers to with its attribute `r` (which may be NULL), or NULL. */
HieraDeclaredCall *hiera_call_dictionary_find(const HieraCallDictionary *dictionary, const HieraXmlAttribute *r);
/* The attributes of the call that a `c` is, its start and end left out: those of @call, with its own in their place or
 * behind them. Valid until the next time. */
const HieraXmlAttribute *hiera_call_dictionary_merge(HieraCallDictionary *dictionary, const HieraDeclaredCall *call,
                                                     const HieraXmlAttribute *attributes, guint n, guint *n_merged);

#endif
