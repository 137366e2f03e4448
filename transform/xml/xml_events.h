/* The elements of a trace as events: the same from libxml2 and from the scanner. */
#ifndef HIERA_XML_EVENTS_H
#define HIERA_XML_EVENTS_H

#include <glib.h>

/* An attribute. Laid out as libxml2 hands it over. The value is not terminated: it ends at `end`. */
typedef struct {
    const char *name, *prefix, *uri;
    const char *value, *end;
} HieraXmlAttribute;

/* `start`: what is kept in *note comes again with each tag that has the same name and attributes but for the values of
 * `differing` (names, ended by NULL; NULL: none), as long as it is remembered; it is freed with g_free. `note` may be
 * NULL.
 */
typedef struct {
    void (*start)(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n_attributes,
                  gpointer *note);
    void (*end)(gpointer user, const char *name);
    void (*text)(gpointer user, const char *text, gsize length); /* may be NULL: then it is faster */
    const char *const *differing;
} HieraXmlEvents;

/* The pointer by which names with this spelling come to `start`: equal names are equal pointers. */
typedef const char *(*HieraXmlIntern)(gpointer user, const char *name);

#endif
