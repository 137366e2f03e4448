/* The compact spelling of a trace: what calls have in common, declared once (`hieraCall`), and the calls (`c`) that
 * refer to it. Hides how a `c` becomes the element that it stands for. */
#ifndef HIERA_CALLS_H
#define HIERA_CALLS_H

#include "base/vocabulary.h"
#include "xml/xml.h"

typedef struct HieraCalls HieraCalls;

/* What a `hieraCall` says, without its id. */
typedef struct {
    HieraElement element; /* which one it stands for */
    HieraXmlAttribute *attributes;
    guint n_attributes;
    char *values;     /* of the attributes */
    gpointer reading; /* the reader's own; freed with g_free */
} HieraCall;

/* @param xml  gives names their pointers; must outlive it */
HieraCalls *hiera_calls_new(HieraXml *xml);
void hiera_calls_free(HieraCalls *calls);
/* Take a `hieraCall`; a later one of the same id replaces it. False if it has no id. */
gboolean hiera_calls_declare(HieraCalls *calls, const HieraXmlAttribute *attributes, guint n);
/* How often a `hieraCall` took the place of another one. */
guint hiera_calls_count_replaced(const HieraCalls *calls);
/* The one that a `c` refers to with its attribute `r` (which may be NULL), or NULL. */
HieraCall *hiera_calls_find(const HieraCalls *calls, const HieraXmlAttribute *r);
/* The attributes of the call that a `c` is, its start and end left out: those of @call, with its own in their place or
 * behind them. Valid until the next time. */
const HieraXmlAttribute *hiera_calls_merge(HieraCalls *calls, const HieraCall *call,
                                           const HieraXmlAttribute *attributes, guint n, guint *n_merged);

#endif
