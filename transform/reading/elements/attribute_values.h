/* The values of attributes that somebody asks for (base/attribute_columns.h), as an element has them. */
#pragma once

#include "base/attribute_columns.h"
#include "reading/context/read_context.h"

/* By column. */
typedef struct {
    guint32 present; /* bit i: the element has attribute i */
    union {
        gint64 number;
        const char *text; /* interned */
    } of[HIERA_ATTRIBUTE_COLUMNS_MOST];
} HieraAttributeValues;

/* @param of_processor  of the root element, else of an operation */
void hiera_attribute_values_read(HieraReadContext *context, const HieraAttributes *attributes, gboolean of_processor,
                                 HieraAttributeValues *values);
/* Make records of the values, which are those of an operation.
 * @param list  room for all columns
 * @return  how many there are */
guint hiera_attribute_values_list(const HieraAttributeValues *values, guint64 index, HieraAttributeValue *list);
