/* Attributes of an operation → its typed values. Hides how each is spelled and what an absurd one becomes. */
#ifndef HIERA_ARGUMENTS_H
#define HIERA_ARGUMENTS_H

#include "base/vocabulary.h"
#include "cache.h"
#include "xml/xml.h"

/* The attributes of one element that have a meaning, by number; NULL where absent. One is used for many elements: it is
 * cleared by what was put into it. */
typedef struct {
    const HieraXmlAttribute *at[HIERA_N_ATTRIBUTES];
    guint n;
    guint8 numbers[HIERA_N_ATTRIBUTES]; /* of those that are there */
} HieraAttributes;

G_STATIC_ASSERT(HIERA_N_ATTRIBUTES <= G_MAXUINT8);

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

static inline gsize hiera_attribute_length(const HieraXmlAttribute *attribute)
{
    return (gsize)(attribute->end - attribute->value);
}

static inline gboolean hiera_attribute_is_empty(const HieraXmlAttribute *attribute)
{
    return !attribute || attribute->value == attribute->end;
}

/* Where complaints go. */
typedef struct {
    HieraFindings *findings;
    const char *path;
    guint32 line; /* of the element */
} HieraPlace;

/* Say that an attribute's value makes no sense, once per file, attribute and consequence. */
void hiera_argument_complain(const HieraPlace *place, HieraAttribute attribute, const HieraXmlAttribute *found,
                             const char *consequence);
/* A number between two, or `otherwise` where it is absent or absurd. */
gint64 hiera_argument_number(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                             gint64 low, gint64 high, gint64 otherwise);
/* Seconds in nanoseconds, or `otherwise` where they are absent or absurd. */
gint64 hiera_argument_time(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                           gint64 otherwise, const char *consequence);
/* A decimal number in units of 1e-9, between two of them, or `otherwise` where it is absent or absurd. */
gint64 hiera_argument_decimal(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                              gint64 low, gint64 high, gint64 otherwise);
/* Ranks, tags and bytes of an MPI call into `operation`. The communicator is the caller's. */
void hiera_arguments_read(const HieraPlace *place, const HieraAttributes *attributes, HieraOperation *operation);
/* Its requests, which take the place of those in `requests`, a GArray of HieraRequest. @param last  the one that was
 * started last in this section of the trace, 0: none was; becomes the one that this operation starts */
void hiera_arguments_read_requests(const HieraPlace *place, const HieraAttributes *attributes,
                                   HieraOperation *operation, GArray *requests, gint64 *last);

#endif
