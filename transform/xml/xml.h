/* A safe XML parser that reports elements as events.
 *
 * Hides libxml2 (SAX2), and the faster scanner that reads most of a trace. For safety it builds no tree, reads no
 * DTD, refuses entities, uses no network and limits depth and sizes (read_limits.h). The parse ends at the first
 * error. All elements before the error have been reported; a start tag is reported only if it is complete. */
#pragma once

#include "input_file.h"
#include "xml_events.h"

typedef enum {
    HIERA_XML_WHOLE,   /* the trace was parsed to its end and is well-formed */
    HIERA_XML_STOPPED, /* hiera_xml_stop() has ended the parse */
    HIERA_XML_CUT,     /* the file ends too early, without other errors */
    HIERA_XML_BROKEN,  /* the file is not well-formed */
    HIERA_XML_ENTITY,  /* refused: the file declares entities */
    HIERA_XML_GRAMMAR, /* refused: the file declares elements, attributes or notations */
    HIERA_XML_LIMIT,   /* refused: the file exceeds a limit (read_limits.h) */
    HIERA_XML_UNREAD   /* a read error occurred */
} HieraXmlEnd;

typedef struct HieraXml HieraXml;

/* Make a parser. `source` must outlive it; `events` is copied; `user` is the first argument of the events. */
HieraXml *hiera_xml_new(HieraInputFile *source, const HieraXmlEvents *events, gpointer user);
void hiera_xml_free(HieraXml *xml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraXml, hiera_xml_free)
/* Return the pointer that the parser's events use for a name: equal names have equal pointers. */
const char *hiera_xml_intern(HieraXml *xml, const char *name);
/* Parse the source to its end, and report events. To be called once. */
HieraXmlEnd hiera_xml_parse(HieraXml *xml);
/* End the parse; to be called from inside an event. */
void hiera_xml_stop(HieraXml *xml);
/* Return the current line of the trace, from 1; after a failure, the line of the failure; 0: unknown. */
guint32 hiera_xml_line(const HieraXml *xml);
/* Return why the XML is not well-formed, or which limit it exceeds; "": neither. */
const char *hiera_xml_peek_message(const HieraXml *xml);
