/* Reads the values of the attributes that expressions ask for by name (base/attribute_columns.h) from an element. */
#pragma once

#include "base/attribute_columns.h"
#include "reading/context/read_context.h"

/* An element's values of requested attributes, by index of the attribute (HieraAttributeValue.column). */
typedef struct {
    guint32 present; /* bit i: the element has requested attribute i */
    union {
        gint64 number;
        const char *text; /* interned text */
    } of[HIERA_ATTRIBUTE_COLUMNS_MOST];
} HieraAttributeValues;

/* @param all        the element's n attributes, which are also in `attributes`, by number
 * @param operation  what was read of the call; NULL: the element is the root element */
void hiera_attribute_values_read(HieraReadContext *context, const HieraAttributes *attributes,
                                 const HieraXmlAttribute *all, guint n, const HieraOperation *operation,
                                 HieraAttributeValues *values);
/* Make HieraAttributeValue records of the values of an operation.
 * @param list   gets the records; has space for one of each requested attribute
 * @return  number of records */
guint hiera_attribute_values_list(const HieraAttributeValues *values, guint64 index, HieraAttributeValue *list);
