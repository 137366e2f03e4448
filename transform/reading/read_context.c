/* See read_context.h. */
#include "read_context.h"
#include "base/findings.h"
#include <string.h>

/* Calls have arguments under any name; elements that are no calls have the attributes of the format alone. */
static void note_unknown_attribute(HieraScene *scene, const char *name)
{
    hiera_findings_add(scene->place.findings, HIERA_FINDING_UNKNOWN_ATTRIBUTE, scene->place.path, scene->place.line,
                       name, "attribute '%s' is not known here; it is ignored", name);
}

const char *hiera_scene_name(HieraScene *scene, const char *level, const HieraXmlAttribute *name)
{
    const char *known = hiera_scene_intern(scene, name);
    if (!scene->objects || strcmp(level, HIERA_LEVEL_FUNCTION) != 0)
        return known;
    g_autofree char *found = hiera_objects_find_function(scene->objects, known);
    return found ? hiera_cache_intern(scene->cache, found, strlen(found)) : known;
}

void hiera_scene_sort(HieraScene *scene, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                      HieraAttributes *sorted)
{
    gboolean call = element == HIERA_ELEMENT_MPI || element == HIERA_ELEMENT_OOPS || element == HIERA_ELEMENT_USE;
    for (guint i = 0; i < n; i++) {
        int number = hiera_words_find(&scene->attributes, attributes[i].name);
        if (number >= 0)
            hiera_attributes_put(sorted, (guint)number, &attributes[i]);
        else if (!call && !attributes[i].prefix)
            note_unknown_attribute(scene, attributes[i].name);
    }
}
