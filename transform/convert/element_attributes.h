/* Attributes of an element that is converted: find one, measure it, write it. */
#pragma once

#include "xml/xml_events.h"

/* Find an attribute by the parser's pointer for its name; NULL if there is none. */
const HieraXmlAttribute *hiera_attribute_find(const HieraXmlAttribute *attributes, guint n, const char *name);
/* Return a copy of an attribute's value, "" if the element has no such attribute. Free the copy with g_free. */
char *hiera_attribute_copy(const HieraXmlAttribute *attributes, guint n, const char *name);

/* Append an attribute as ` name="value"`, escaped for XML. */
void hiera_attribute_append(GString *out, const HieraXmlAttribute *attribute);
/* Append all attributes of a GArray of HieraXmlAttribute as ` name="value"`. */
void hiera_attributes_append(GString *out, const GArray *attributes);
