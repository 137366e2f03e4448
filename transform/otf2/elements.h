/* The elements of a trace while they are made of events: all of one rank, since what a receive got is known only when
 * it completes. An element takes some 60 bytes, an attribute 32. */
#ifndef HIERA_OTF2_ELEMENTS_H
#define HIERA_OTF2_ELEMENTS_H

#include <glib.h>

/* An attribute. The texts belong to others. */
typedef struct {
    const char *name;
    const char *text; /* NULL: it is a number */
    gint64 number;
    guint32 next; /* of the same element; 0: none */
} HieraOtf2Attribute;

typedef struct {
    const char *name;      /* of the element */
    const char *operation; /* of an operation: its name; NULL: it is none */
    const char *level;     /* of an operation; NULL: it is not written */
    const char *file;
    guint32 line;
    guint32 depth;
    guint32 first, last; /* attributes; 0: none */
    gint64 start_ns, finish_ns;
    gboolean open;  /* it did not end */
    gboolean made;  /* of a record that is in no call for it */
    gboolean whole; /* Hiera wrote it: its attributes are all there */
} HieraOtf2Element;

typedef struct {
    GArray *all;        /* HieraOtf2Element, in document order */
    GArray *attributes; /* HieraOtf2Attribute, from 1 */
    GStringChunk *texts;
} HieraOtf2Elements;

void hiera_otf2_elements_init(HieraOtf2Elements *elements);
void hiera_otf2_elements_clear(HieraOtf2Elements *elements);
HieraOtf2Element *hiera_otf2_elements_peek(const HieraOtf2Elements *elements, guint32 index);
/* Append an element that is empty. Return its index. */
guint32 hiera_otf2_elements_add(HieraOtf2Elements *elements, const HieraOtf2Element *element);
/* Add an attribute, unless the element has it. */
void hiera_otf2_elements_add_number(HieraOtf2Elements *elements, guint32 index, const char *name, gint64 number);
/* @param text  must live as long as the elements, unless it is copied */
void hiera_otf2_elements_add_text(HieraOtf2Elements *elements, guint32 index, const char *name, const char *text);
const char *hiera_otf2_elements_copy(HieraOtf2Elements *elements, const char *text);
gboolean hiera_otf2_elements_has(const HieraOtf2Elements *elements, guint32 index, const char *name);

/* Append an element as XML, without its end. */
void hiera_otf2_element_write(const HieraOtf2Elements *elements, guint32 index, GString *out);
/* Append ` name="value"`, escaped. */
void hiera_otf2_attribute_write(GString *out, const char *name, const char *text);

#endif
