#include "call_places.h"
#include "element_attributes.h"
#include "reading/context/objects.h"
#include <string.h>

struct HieraCallPlaces {
    const char *const *attributes; /* names of attributes, by HieraAttribute */
    const char *path;              /* path of the trace file */
    HieraObjects *objects;
    char line[16];  /* text of the line number that was found for the current call */
    char *function; /* name of the function that was found for the current call */
};

HieraCallPlaces *hiera_call_places_new(const char *const attributes[HIERA_N_ATTRIBUTES], const char *path)
{
    HieraCallPlaces *places = g_new0(HieraCallPlaces, 1);
    places->attributes = attributes;
    places->path = path;
    places->objects = hiera_objects_new();
    return places;
}

void hiera_call_places_free(HieraCallPlaces *places)
{
    hiera_objects_free(places->objects);
    g_free(places->function);
    g_free(places);
}

void hiera_call_places_declare_object(HieraCallPlaces *places, const HieraXmlAttribute *attributes, guint n)
{
    g_autofree char *name = hiera_attribute_copy(attributes, n, places->attributes[HIERA_ATTRIBUTE_NAME]);
    g_autofree char *build = hiera_attribute_copy(attributes, n, places->attributes[HIERA_ATTRIBUTE_BUILD]);
    g_autofree char *path = hiera_attribute_copy(attributes, n, places->attributes[HIERA_ATTRIBUTE_PATH]);
    hiera_objects_declare(places->objects, name, build, path, places->path);
}

static HieraXmlAttribute *find(const HieraCallPlaces *places, GArray *call, HieraAttribute which)
{
    for (guint i = 0; i < call->len; i++) {
        HieraXmlAttribute *attribute = &g_array_index(call, HieraXmlAttribute, i);
        if (attribute->name == places->attributes[which])
            return attribute;
    }
    return NULL;
}

static gboolean is_text(const HieraXmlAttribute *attribute, const char *text)
{
    return attribute && hiera_attribute_length(attribute) == strlen(text) &&
           memcmp(attribute->value, text, strlen(text)) == 0;
}

static void set_text(HieraXmlAttribute *attribute, const char *text)
{
    attribute->value = text;
    attribute->end = text + strlen(text);
}

/* Set a call's file and line, if the trace has only object and offset, and the object's debug information the line. */
static void find_line(HieraCallPlaces *places, GArray *call)
{
    HieraXmlAttribute *file = find(places, call, HIERA_ATTRIBUTE_FILE);
    HieraXmlAttribute *line = find(places, call, HIERA_ATTRIBUTE_LINE);
    const char *found;
    guint32 number;
    if (!places->objects || !file || !is_text(line, "0"))
        return;
    g_autofree char *place = g_strndup(file->value, hiera_attribute_length(file));
    if (!hiera_objects_find_line(places->objects, place, &found, &number))
        return;
    g_snprintf(places->line, sizeof places->line, "%u", number);
    set_text(file, found);
    set_text(line, places->line);
}

/* Set the name of a function, if the trace has only an object and an offset for the function. */
static void find_function(HieraCallPlaces *places, GArray *call)
{
    HieraXmlAttribute *name = find(places, call, HIERA_ATTRIBUTE_OPERATION);
    g_clear_pointer(&places->function, g_free);
    if (!places->objects || !name || !is_text(find(places, call, HIERA_ATTRIBUTE_LEVEL), HIERA_LEVEL_FUNCTION))
        return;
    g_autofree char *place = g_strndup(name->value, hiera_attribute_length(name));
    places->function = hiera_objects_find_function(places->objects, place);
    if (places->function)
        set_text(name, places->function);
}

void hiera_call_places_find(HieraCallPlaces *places, GArray *call)
{
    find_line(places, call);
    find_function(places, call);
}
