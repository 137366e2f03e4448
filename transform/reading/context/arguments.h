/* Attributes of an element as typed values. Hides how values are written, and what happens to invalid ones. */
#pragma once

#include "base/attribute_columns.h"
#include "base/vocabulary.h"
#include "cache.h"
#include "xml/xml.h"

/* Number of attributes that can be looked up: the known ones, and those that expressions ask for. */
enum { HIERA_ATTRIBUTES_ROOM = HIERA_N_ATTRIBUTES + HIERA_ATTRIBUTE_COLUMNS_MOST };

/* Attributes of an element, by number of the attribute; NULL: absent. One HieraAttributes serves many elements, so
 * clearing it resets only the attributes that were put in. */
typedef struct {
    const HieraXmlAttribute *at[HIERA_ATTRIBUTES_ROOM];
    guint n;                               /* number of attributes that the element has */
    guint8 numbers[HIERA_ATTRIBUTES_ROOM]; /* numbers of the attributes that the element has: indices in `at` */
} HieraAttributes;

G_STATIC_ASSERT(HIERA_ATTRIBUTES_ROOM <= G_MAXUINT8);

static inline void hiera_attributes_put(HieraAttributes *attributes, guint number, const HieraXmlAttribute *attribute)
{
    if (!attributes->at[number])
        attributes->numbers[attributes->n++] = (guint8)number;
    attributes->at[number] = attribute;
}

static inline void hiera_attributes_clear(HieraAttributes *attributes)
{
    while (attributes->n > 0)
        attributes->at[attributes->numbers[--attributes->n]] = NULL;
}

static inline gboolean hiera_attribute_is_empty(const HieraXmlAttribute *attribute)
{
    return !attribute || attribute->value == attribute->end;
}

/* Where in a trace the reader is, for findings. */
typedef struct {
    HieraFindings *findings;
    const char *path;
    guint32 line; /* line of the current element */
} HieraPlace;

/* Add a finding: the value of an attribute is not valid. It is reported once for each file, attribute and
 * consequence.
 *
 * @param consequence  a clause that says how the value is treated: "it is ignored" */
void hiera_argument_complain(const HieraPlace *place, HieraAttribute attribute, const HieraXmlAttribute *found,
                             const char *consequence);
/* Return an integer between `low` and `high`. Return `otherwise` if it is absent, empty or not valid; an invalid one is
 * a finding. */
gint64 hiera_argument_number(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                             gint64 low, gint64 high, gint64 otherwise);
/* Return a time in ns, which the trace has in seconds. Return `otherwise`, with a finding, if it is absent or not
 * valid. */
gint64 hiera_argument_time(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                           gint64 otherwise, const char *consequence);
/* Return a decimal number in units of 1e-9, between `low` and `high` (in these units). Return `otherwise` if it is
 * absent, empty or not valid; an invalid one is a finding. */
gint64 hiera_argument_decimal(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                              gint64 low, gint64 high, gint64 otherwise);
/* Return a rank or tag; HIERA_ABSENT if the attribute is absent or not valid. */
gint32 hiera_argument_peer(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute);
/* Read an MPI call's ranks, tags, bytes and failure into `operation`; its communicator is read by the caller. */
void hiera_arguments_read(const HieraPlace *place, const HieraAttributes *attributes, HieraOperation *operation);
/* Read the requests of a call into `operation`.
 *
 * @param requests  GArray of HieraRequest: is overwritten; `operation` points into it
 * @param pending   GArray of HieraPending: the same
 * @param last      in: number of the request started last in this section of the trace, 0 if there is none; out: the
 *                  request that this call starts, if it starts one */
void hiera_arguments_read_requests(const HieraPlace *place, const HieraAttributes *attributes,
                                   HieraOperation *operation, GArray *requests, GArray *pending, gint64 *last);
