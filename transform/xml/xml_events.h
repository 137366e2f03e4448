/* The elements of a trace as events; libxml2 and the scanner both report them in this form. */
#pragma once

#include <glib.h>

/* An attribute, with the memory layout that libxml2 uses. The value is not terminated: it ends at `end`. */
typedef struct {
    const char *name, *prefix, *uri;
    const char *value, *end;
} HieraXmlAttribute;

/* Return the length of an attribute's value in bytes. */
static inline gsize hiera_attribute_length(const HieraXmlAttribute *attribute)
{
    return (gsize)(attribute->end - attribute->value);
}

/* Events. `differing` names the attributes whose values differ from one tag to a similar one (ended by NULL; may be
 * NULL).
 *
 * `start` may keep data in *note. Later tags with the same name and attributes, except for the values of `differing`,
 * get the same *note while the tag cache remembers it. The cache frees *note with g_free. `note` may be NULL. */
typedef struct {
    void (*start)(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n_attributes,
                  gpointer *note);
    void (*end)(gpointer user, const char *name);
    void (*text)(gpointer user, const char *text, gsize length); /* NULL: text is skipped, which is faster */
    const char *const *differing;
} HieraXmlEvents;

/* Returns the pointer that a parser's events use for a name: equal names have equal pointers. */
typedef const char *(*HieraXmlIntern)(gpointer user, const char *name);
