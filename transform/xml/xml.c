/* See xml.h. The scanner reads as much as it can, then libxml2 reads the rest, which repeats the start tags of
 * the open elements. */
#include "xml.h"
#include "read_limits.h"
#include "scanner.h"
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <string.h>

/* Most bytes of an incomplete UTF-8 character at the end of a file that is cut short. */
#define UTF8_REST 3

G_STATIC_ASSERT(sizeof(HieraXmlAttribute) == 5 * sizeof(const xmlChar *));

struct HieraXml {
    HieraXmlEvents events;
    gpointer user;
    xmlParserCtxtPtr parser;
    HieraScanner *scanner; /* reads the trace before libxml2 does */
    gboolean scanning;     /* whether the scanner is running, not libxml2 */
    gboolean scanned;      /* whether the scanner has read the root's start tag */
    guint n_repeated;      /* number of start tags that libxml2 has read again after the scanner */
    HieraXmlEnd end;
    gboolean opened;     /* whether libxml2 has read a start tag */
    gboolean filled;     /* whether the file has any bytes */
    gboolean drained;    /* whether the file has been read to its end */
    guint64 waiting;     /* number of bytes read since the last event */
    guint64 values;      /* number of attribute values that begin in these `waiting` bytes */
    gboolean equals;     /* whether the last byte read is '=', or white space after '=' */
    guint64 depth;       /* number of open elements */
    guint32 failed_line; /* line at which parsing failed; 0: it has not failed */
    char *message;
};

static void exceed_limit(HieraXml *xml, const char *name, guint64 limit)
{
    if (xml->end != HIERA_XML_WHOLE)
        return;
    xml->end = HIERA_XML_LIMIT;
    xml->failed_line = hiera_xml_line(xml);
    g_free(xml->message);
    xml->message = g_strdup_printf("exceeds the limit %s=%" G_GUINT64_FORMAT, name, limit);
}

/* Count bytes and attribute values, to limit both per tag: libxml2 keeps a tag in memory until it is complete, and
 * compares all names of its attributes with each other. A value begins with '=' and a quote, in every encoding that
 * contains ASCII; zero bytes are skipped for UTF-16. */
static void count_bytes(HieraXml *xml, const char *bytes, int n)
{
    xml->waiting += (guint64)n;
    for (int i = 0; i < n; i++) {
        if (bytes[i] == '=') {
            xml->equals = TRUE;
        } else if (bytes[i] != 0 && !g_ascii_isspace(bytes[i])) {
            xml->values += xml->equals && (bytes[i] == '"' || bytes[i] == '\'');
            xml->equals = FALSE;
        }
    }
}

static void note_event(HieraXml *xml)
{
    xml->waiting = xml->values = 0;
}

static gboolean check_limits(HieraXml *xml)
{
    if (xml->waiting > hiera_limits.tag_bytes)
        exceed_limit(xml, "tag", hiera_limits.tag_bytes);
    else if (!xml->opened && !xml->scanned && xml->waiting > hiera_limits.head_bytes)
        exceed_limit(xml, "head", hiera_limits.head_bytes);
    else if (xml->values > hiera_limits.attributes)
        exceed_limit(xml, "attributes", hiera_limits.attributes);
    return xml->end != HIERA_XML_LIMIT;
}

static int read_bytes(void *context, char *buffer, int size)
{
    HieraXml *xml = context;
    if (!check_limits(xml))
        return -1;
    int n = hiera_scanner_read(xml->scanner, buffer, size);
    if (n < 0)
        xml->end = HIERA_XML_UNREAD;
    count_bytes(xml, buffer, n);
    xml->drained = n == 0;
    xml->filled = xml->filled || n > 0;
    return n;
}

/* Count an element that begins. Return FALSE, and stop the parser, if too many elements are open. */
static gboolean enter(gpointer parser)
{
    HieraXml *xml = parser;
    if (++xml->depth <= hiera_limits.depth)
        return TRUE;
    exceed_limit(xml, "depth", hiera_limits.depth);
    hiera_xml_stop(xml);
    return FALSE;
}

static void leave(gpointer parser)
{
    HieraXml *xml = parser;
    xml->depth--;
}

static int close_nothing(void *context)
{
    (void)context;
    return 0;
}

/* Return TRUE if the current tag is complete. libxml2 also reports a tag that is cut between two attributes by the
 * end of the file; such a tag does not end with '>' or '/'. */
static gboolean tag_is_whole(xmlParserCtxtPtr parser)
{
    xmlChar next = *parser->input->cur;
    return next == '>' || next == '/';
}

/* Return TRUE if the scanner has reported this start tag already. Set the line of the next tag in libxml2, which
 * counts lines in the rest of the document only. */
static gboolean is_repeated(HieraXml *xml)
{
    if (xml->n_repeated == hiera_scanner_count_open(xml->scanner))
        return FALSE;
    xml->parser->input->line = (int)hiera_scanner_line_after(xml->scanner, xml->n_repeated++);
    return TRUE;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int n_namespaces, const xmlChar **namespaces, int n_attributes, int n_defaulted,
                          const xmlChar **attributes)
{
    (void)prefix, (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
    HieraXml *xml = context;
    xml->opened = TRUE;
    note_event(xml);
    if (!enter(xml))
        return;
    if (!is_repeated(xml) && tag_is_whole(xml->parser))
        xml->events.start(xml->user, (const char *)name, (const HieraXmlAttribute *)attributes, (guint)n_attributes,
                          NULL);
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)prefix, (void)uri;
    HieraXml *xml = context;
    note_event(xml);
    leave(xml);
    xml->events.end(xml->user, (const char *)name);
}

static void take_text(void *context, const xmlChar *text, int length)
{
    HieraXml *xml = context;
    note_event(xml);
    if (xml->events.text)
        xml->events.text(xml->user, (const char *)text, (gsize)length);
}

static void stop_at(HieraXml *xml, HieraXmlEnd end)
{
    if (xml->end != HIERA_XML_WHOLE)
        return;
    xml->end = end;
    xml->failed_line = hiera_xml_line(xml);
    xmlStopParser(xml->parser);
}

static void refuse_element(void *context, const xmlChar *name, int type, xmlElementContentPtr content)
{
    (void)name, (void)type, (void)content;
    stop_at(context, HIERA_XML_GRAMMAR);
}

static void refuse_attribute(void *context, const xmlChar *element, const xmlChar *name, int type, int def,
                             const xmlChar *value, xmlEnumerationPtr tree)
{
    (void)element, (void)name, (void)type, (void)def, (void)value;
    xmlFreeEnumeration(tree);
    stop_at(context, HIERA_XML_GRAMMAR);
}

static void refuse_notation(void *context, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id)
{
    (void)name, (void)public_id, (void)system_id;
    stop_at(context, HIERA_XML_GRAMMAR);
}

static void refuse_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                          const xmlChar *system_id, xmlChar *content)
{
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    HieraXml *xml = context;
    xml->end = HIERA_XML_ENTITY;
    xml->failed_line = hiera_xml_line(xml);
    xmlStopParser(xml->parser);
}

/* Return TRUE if the parser failed at the end of the file: the trace is cut, not malformed. This includes an empty
 * file, which the collector has just created. */
static gboolean failed_at_end(const HieraXml *xml)
{
    const xmlParserInput *input = xml->parser->input;
    return (xml->opened || !xml->filled) && input && xml->drained && input->end - input->cur <= UTF8_REST;
}

static void
#if LIBXML_VERSION >= 21200
take_error(void *context, const xmlError *error)
#else
take_error(void *context, xmlErrorPtr error)
#endif
{
    HieraXml *xml = context;
    if (error->level != XML_ERR_FATAL || xml->message)
        return; /* the message of the first error, or of an exceeded limit, stays */
    xml->message = g_strdup(error->message ? g_strchomp((char *)error->message) : "not well-formed");
    if (xml->end == HIERA_XML_WHOLE)
        xml->end = failed_at_end(xml) ? HIERA_XML_CUT : HIERA_XML_BROKEN;
    xml->failed_line = (guint32)MAX(error->line, 0);
}

static const char *intern(gpointer parser, const char *name)
{
    return hiera_xml_intern(parser, name);
}

HieraXml *hiera_xml_new(HieraInputFile *source, const HieraXmlEvents *events, gpointer user)
{
    xmlInitParser();
    HieraXml *xml = g_new0(HieraXml, 1);
    HieraScannerHost host = {intern, enter, leave, xml};
    xml->scanner = hiera_scanner_new(&host, source, events, user);
    xml->events = *events;
    xml->user = user;
    xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = start_element,
        .endElementNs = end_element,
        .characters = take_text,
        .ignorableWhitespace = take_text,
        .entityDecl = refuse_entity,
        .elementDecl = refuse_element,
        .attributeDecl = refuse_attribute,
        .notationDecl = refuse_notation,
        .serror = take_error,
    };
    xml->parser = xmlCreateIOParserCtxt(&handler, xml, read_bytes, close_nothing, xml, XML_CHAR_ENCODING_NONE);
    if (xml->parser)
        /* XML_PARSE_NOENT replaces entities: only predefined ones (&amp;), as a declaration of others ends the parsing.
         */
        xmlCtxtUseOptions(xml->parser, XML_PARSE_HUGE | XML_PARSE_NONET | XML_PARSE_NOENT);
    return xml;
}

void hiera_xml_free(HieraXml *xml)
{
    if (!xml)
        return;
    /* If the trace declares entities, libxml2 creates a document, which is not used here. */
    if (xml->parser)
        g_clear_pointer(&xml->parser->myDoc, xmlFreeDoc);
    xmlFreeParserCtxt(xml->parser);
    hiera_scanner_free(xml->scanner);
    g_free(xml->message);
    g_free(xml);
}

const char *hiera_xml_intern(HieraXml *xml, const char *name)
{
    return xml->parser ? (const char *)xmlDictLookup(xml->parser->dict, (const xmlChar *)name, -1) : name;
}

/* Let the scanner read the trace as far as it can. */
static void scan(HieraXml *xml)
{
    xml->scanning = TRUE;
    hiera_scanner_run(xml->scanner);
    xml->scanning = FALSE;
    xml->scanned = hiera_scanner_count_open(xml->scanner) > 0;
    xml->depth = 0; /* libxml2 reads the start tags of the open elements again */
}

/* Report bytes after the end of the document, or after zero bytes, which end the file for libxml2. */
static void check_rest(HieraXml *xml)
{
    const xmlParserInput *input = xml->parser->input;
    gboolean torn = hiera_scanner_is_torn(xml->scanner);
    gboolean more = input && (input->cur < input->end || !xml->drained);
    if ((xml->end != HIERA_XML_WHOLE && !(torn && xml->end == HIERA_XML_CUT)) || (!torn && !more))
        return;
    xml->end = HIERA_XML_BROKEN;
    g_free(xml->message);
    xml->message =
        g_strdup(torn ? "zero bytes followed by other bytes: two files in one" : "bytes after the end of the document");
}

HieraXmlEnd hiera_xml_parse(HieraXml *xml)
{
    if (!xml->parser) {
        xml->end = HIERA_XML_UNREAD;
        return xml->end;
    }
    if (!xml->events.text) /* the scanner does not report text */
        scan(xml);
    if (xml->end != HIERA_XML_WHOLE)
        return xml->end;
    int failed = xmlParseDocument(xml->parser);
    if (failed && xml->end == HIERA_XML_WHOLE)
        xml->end = HIERA_XML_BROKEN;
    check_rest(xml);
    return xml->end;
}

void hiera_xml_stop(HieraXml *xml)
{
    if (xml->end == HIERA_XML_WHOLE)
        xml->end = HIERA_XML_STOPPED;
    xml->failed_line = hiera_xml_line(xml);
    if (xml->scanning)
        hiera_scanner_stop(xml->scanner);
    else
        xmlStopParser(xml->parser);
}

guint32 hiera_xml_line(const HieraXml *xml)
{
    if (xml->failed_line)
        return xml->failed_line;
    if (xml->scanning)
        return hiera_scanner_line(xml->scanner);
    return xml->parser && xml->parser->input ? (guint32)MAX(xml->parser->input->line, 0) : 0;
}

const char *hiera_xml_peek_message(const HieraXml *xml)
{
    return xml->message ? xml->message : "";
}
