/* A safe stream of XML elements: libxml2's SAX2 without what a trace does not need and an attacker likes.
 *
 * Hides libxml2, and that a scanner goes before it. No tree, no DTD, no entity, no network; the limits
 * on depth and length are those of read_limits.h. The parse ends at the first thing that is not well-formed; everything
 * before it has been handed over, and a start tag is handed over only when it is whole. */
#ifndef HIERA_XML_H
#define HIERA_XML_H

#include "input_file.h"
#include "xml_events.h"

typedef enum {
    HIERA_XML_WHOLE,   /* well-formed to the end */
    HIERA_XML_STOPPED, /* by hiera_xml_stop */
    HIERA_XML_CUT,     /* well-formed as far as it goes */
    HIERA_XML_BROKEN,  /* not well-formed */
    HIERA_XML_ENTITY,  /* declares entities: refused */
    HIERA_XML_GRAMMAR, /* declares elements, attributes or notations: refused */
    HIERA_XML_LIMIT,   /* passes a limit (read_limits.h): refused */
    HIERA_XML_UNREAD   /* reading failed */
} HieraXmlEnd;

typedef struct HieraXml HieraXml;

HieraXml *hiera_xml_new(HieraInputFile *source, const HieraXmlEvents *events, gpointer user);
void hiera_xml_free(HieraXml *xml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraXml, hiera_xml_free)
/* The pointer by which names with this spelling come to `start`: equal names are equal pointers. */
const char *hiera_xml_intern(HieraXml *xml, const char *name);
HieraXmlEnd hiera_xml_parse(HieraXml *xml);
/* From inside an event: end the parse. */
void hiera_xml_stop(HieraXml *xml);
/* Line of the parse, of the failure after it. */
guint32 hiera_xml_line(const HieraXml *xml);
/* What was not well-formed, or which limit was passed; or "". */
const char *hiera_xml_peek_message(const HieraXml *xml);

#endif
