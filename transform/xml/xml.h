/* A safe XML parser that reports elements as events.
 *
 * Hides libxml2 (SAX2), and the faster scanner that reads most of a trace. For safety it builds no tree, reads no
 * DTD, refuses entities, uses no network and limits depth and sizes (read_limits.h). The parse ends at the first
 * error. All elements before the error have been reported; a start tag is reported only if it is complete. */
#pragma once

#include "input_file.h"
#include "xml_events.h"

typedef enum {
    HIERA_XML_WHOLE,   /* well-formed */
    HIERA_XML_STOPPED, /* hiera_xml_stop() was called */
    HIERA_XML_CUT,     /* the file ends too early; no other error */
    HIERA_XML_BROKEN,  /* not well-formed */
    HIERA_XML_ENTITY,  /* refused: declares entities */
    HIERA_XML_GRAMMAR, /* refused: declares elements, attributes or notations */
    HIERA_XML_LIMIT,   /* refused: exceeds a limit (read_limits.h) */
    HIERA_XML_UNREAD   /* read error */
} HieraXmlEnd;

typedef struct HieraXml HieraXml;

/* Make a parser. `source` must outlive it; `events` is copied; `user` is the first argument of the events. */
HieraXml *hiera_xml_new(HieraInputFile *source, const HieraXmlEvents *events, gpointer user);
void hiera_xml_free(HieraXml *xml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraXml, hiera_xml_free)
/* Return the pointer that events use for a name: names are equal if their pointers are equal. */
const char *hiera_xml_intern(HieraXml *xml, const char *name);
/* Parse the source, calling the events. Call it once. */
HieraXmlEnd hiera_xml_parse(HieraXml *xml);
/* Call from inside an event: end the parse. */
void hiera_xml_stop(HieraXml *xml);
/* Return the current line; after a failure, the line of the failure. From 1; 0 if unknown. */
guint32 hiera_xml_line(const HieraXml *xml);
/* Return the error if the XML is not well-formed, or the limit that it exceeds; else "". */
const char *hiera_xml_peek_message(const HieraXml *xml);
