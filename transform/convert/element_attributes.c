#include "element_attributes.h"
#include "text/xml_escape.h"

const HieraXmlAttribute *hiera_attribute_find(const HieraXmlAttribute *attributes, guint n, const char *name)
{
    for (guint i = 0; i < n; i++)
        if (attributes[i].name == name)
            return &attributes[i];
    return NULL;
}

char *hiera_attribute_copy(const HieraXmlAttribute *attributes, guint n, const char *name)
{
    const HieraXmlAttribute *found = hiera_attribute_find(attributes, n, name);
    return found ? g_strndup(found->value, hiera_attribute_length(found)) : g_strdup("");
}

static void append_escaped(GString *out, const HieraXmlAttribute *attribute)
{
    for (const char *at = attribute->value; at < attribute->end; at++) {
        const char *escape = hiera_xml_escape(*at);
        if (escape)
            g_string_append(out, escape);
        else
            g_string_append_c(out, *at);
    }
}

void hiera_attribute_append(GString *out, const HieraXmlAttribute *attribute)
{
    g_string_append_c(out, ' ');
    if (attribute->prefix)
        g_string_append_printf(out, "%s:", attribute->prefix);
    g_string_append_printf(out, "%s=\"", attribute->name);
    append_escaped(out, attribute);
    g_string_append_c(out, '"');
}

void hiera_attributes_append(GString *out, const GArray *attributes)
{
    for (guint i = 0; i < attributes->len; i++)
        hiera_attribute_append(out, &g_array_index(attributes, HieraXmlAttribute, i));
}
