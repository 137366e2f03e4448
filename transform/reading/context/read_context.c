#include "read_context.h"
#include "base/findings.h"
#include <string.h>

/* Report an unknown attribute of an element that is no call; the arguments of calls may have any name. */
static void note_unknown_attribute(HieraReadContext *context, const char *name)
{
    hiera_findings_add(context->place.findings, HIERA_FINDING_UNKNOWN_ATTRIBUTE, context->place.path,
                       context->place.line, name, "unknown attribute '%s'; it is ignored", name);
}

const char *hiera_read_context_name(HieraReadContext *context, const char *level, const HieraXmlAttribute *name)
{
    const char *known = hiera_read_context_intern(context, name);
    if (!context->objects || strcmp(level, HIERA_LEVEL_FUNCTION) != 0)
        return known;
    g_autofree char *found = hiera_objects_find_function(context->objects, known);
    return found ? hiera_cache_intern(context->cache, found, strlen(found)) : known;
}

void hiera_read_context_sort(HieraReadContext *context, HieraElement element, const HieraXmlAttribute *attributes,
                             guint n, HieraAttributes *sorted)
{
    gboolean call = element == HIERA_ELEMENT_MPI || element == HIERA_ELEMENT_OOPS || element == HIERA_ELEMENT_USE;
    for (guint i = 0; i < n; i++) {
        int number = hiera_name_index_find(&context->attributes, attributes[i].name);
        if (number >= 0)
            hiera_attributes_put(sorted, (guint)number, &attributes[i]);
        else if (!call && !attributes[i].prefix)
            note_unknown_attribute(context, attributes[i].name);
    }
}
