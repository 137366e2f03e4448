/* The elements of a trace while they are made from events. All elements of a rank are kept, since the message that a
 * receive got is known only when it completes. An element takes some 60 bytes, an attribute 32. */
#pragma once

#include <glib.h>

/* An attribute of an element. Its texts are owned by others. */
typedef struct {
    const char *name;
    const char *text; /* value of the attribute; NULL: the value is a number */
    gint64 number;
    guint32 next; /* index of the next attribute of the same element; 0: none */
} HieraOtf2Attribute;

typedef struct {
    const char *name;      /* name of the element in the trace */
    const char *operation; /* name of the element's operation; NULL: the element is no operation */
    const char *level;     /* level of the operation; NULL: the element has no attribute `level` */
    const char *file;
    guint32 line;
    guint32 depth;
    guint32 first, last; /* indices of the element's first and last attribute; 0: none */
    gint64 start_ns, finish_ns;
    gboolean open;  /* the operation has no end in the archive */
    gboolean made;  /* a call made here, because an MPI record had no call of its own */
    gboolean whole; /* Hiera wrote the element: its attributes are complete, so that MPI records add none */
} HieraOtf2Element;

typedef struct {
    GArray *all;        /* HieraOtf2Element, in document order */
    GArray *attributes; /* HieraOtf2Attribute of all elements; the first one has index 1 */
    GStringChunk *texts;
} HieraOtf2Elements;

void hiera_otf2_elements_init(HieraOtf2Elements *elements);
void hiera_otf2_elements_clear(HieraOtf2Elements *elements);
HieraOtf2Element *hiera_otf2_elements_peek(const HieraOtf2Elements *elements, guint32 index);
/* Append a copy of an element, without attributes. Return its index. */
guint32 hiera_otf2_elements_add(HieraOtf2Elements *elements, const HieraOtf2Element *element);
/* Add an attribute to an element, unless the element already has one of this name. */
void hiera_otf2_elements_add_number(HieraOtf2Elements *elements, guint32 index, const char *name, gint64 number);
/* Like hiera_otf2_elements_add_number(), for a text. @param text  not copied: must live as long as the elements */
void hiera_otf2_elements_add_text(HieraOtf2Elements *elements, guint32 index, const char *name, const char *text);
const char *hiera_otf2_elements_copy(HieraOtf2Elements *elements, const char *text);
gboolean hiera_otf2_elements_has(const HieraOtf2Elements *elements, guint32 index, const char *name);

/* Append the start tag of an element as XML. */
void hiera_otf2_element_write(const HieraOtf2Elements *elements, guint32 index, GString *out);
/* Append an attribute as ` name="value"`, escaped for XML. */
void hiera_otf2_attribute_write(GString *out, const char *name, const char *text);
