/* See page_document.h. The traces are parsed as all others are (xml.h); from the events this file builds the libxml2
 * tree that libxslt needs. */
#include "page_document.h"
#include "base/vocabulary.h"
#include "page_error.h"
#include "reading/objects.h"
#include "xml/xml.h"
#include <string.h>

/* Operations nested deeper than this are counted, not shown. The stylesheet has the same limit: it recurses once per
 * level, and browsers flatten HTML that is nested deeper than 512 elements. */
enum { DEPTH_SHOWN = 200 };

/* State while a trace is read. */
typedef struct {
    const char *path;
    HieraXml *xml;
    HieraObjects *objects;      /* objects of call sites that the collector wrote without a line */
    xmlNodePtr report;          /* parent of `processor` */
    xmlNodePtr processor;       /* NULL until the root element was read */
    xmlNodePtr open;            /* innermost open element that is shown */
    guint64 depth;              /* number of open elements below the root */
    guint64 skipping;           /* number of open elements that are not shown; they are inside `open` */
    guint64 limit;              /* operations that may be shown, and likewise other elements; 0: no limit */
    guint64 operations, others; /* operations, other elements that are shown */
    guint64 omitted;            /* operations that are not shown */
    guint64 deeper;             /* those of them that are nested too deep */
    guint64 left_out;           /* other elements that are not shown because of the limit */
    GError *error;              /* the first one */
} Intake;

static void fail(Intake *in, const char *message)
{
    if (!in->error)
        in->error = g_error_new(HIERA_PAGE_ERROR, 0, "%s:%u: %s", in->path, MAX(hiera_xml_line(in->xml), 1), message);
    hiera_xml_stop(in->xml);
}

typedef struct {
    const char *name;
    int number;
} Search;

static void compare_word(const char *name, int number, gpointer user)
{
    Search *search = user;
    if (strcmp(name, search->name) == 0)
        search->number = number;
}

/* Return the number of an element, HIERA_N_ELEMENTS if the name is not known. */
static HieraElement element_of(const char *name)
{
    Search search = {name, HIERA_N_ELEMENTS};
    hiera_vocabulary_elements(compare_word, &search);
    return (HieraElement)search.number;
}

/* True if an element is an operation. As in the stylesheet, an unknown element is one if it has the attribute
 * `start_time` or `operation`. */
static gboolean is_operation(HieraElement element, const HieraXmlAttribute *attributes, guint n)
{
    if (element == HIERA_ELEMENT_MPI || element == HIERA_ELEMENT_OOPS || element == HIERA_ELEMENT_REGION ||
        element == HIERA_ELEMENT_USE)
        return TRUE;
    for (guint i = 0; element == HIERA_N_ELEMENTS && i < n; i++)
        if (strcmp(attributes[i].name, "start_time") == 0 || strcmp(attributes[i].name, "operation") == 0)
            return TRUE;
    return FALSE;
}

/* Add an element with its attributes. Names are taken from the document's dictionary, to save memory: a page has many
 * operations, but few different names. */
static xmlNodePtr add_element(Intake *in, xmlNodePtr parent, const char *name, const HieraXmlAttribute *attributes,
                              guint n)
{
    xmlDocPtr document = in->report->doc;
    xmlNodePtr node = xmlNewDocRawNode(document, NULL, (const xmlChar *)name, NULL);
    if (!node)
        return NULL;
    for (guint i = 0; i < n; i++) {
        const HieraXmlAttribute *a = &attributes[i];
        xmlChar *value = xmlStrndup((const xmlChar *)a->value, (int)(a->end - a->value));
        xmlNewNsPropEatName(node, NULL, (xmlChar *)xmlDictLookup(document->dict, (const xmlChar *)a->name, -1), value);
        xmlFree(value);
    }
    return xmlAddChild(parent, node);
}

static char *take_attribute(const HieraXmlAttribute *attributes, guint n, const char *name)
{
    for (guint i = 0; i < n; i++)
        if (strcmp(attributes[i].name, name) == 0)
            return g_strndup(attributes[i].value, (gsize)(attributes[i].end - attributes[i].value));
    return g_strdup("");
}

static void declare_object(Intake *in, const HieraXmlAttribute *attributes, guint n)
{
    g_autofree char *name = take_attribute(attributes, n, "name");
    g_autofree char *build = take_attribute(attributes, n, "build");
    g_autofree char *path = take_attribute(attributes, n, "path");
    hiera_objects_declare(in->objects, name, build, path, in->path);
}

/* Set file and line of a node if the trace has only the object and the debug information of that is found now. */
static void find_line(Intake *in, xmlNodePtr node, const HieraXmlAttribute *attributes, guint n)
{
    const char *file;
    guint32 line;
    g_autofree char *place = take_attribute(attributes, n, "file");
    g_autofree char *known = take_attribute(attributes, n, "line");
    if (!node || strcmp(known, "0") != 0 || !hiera_objects_find_line(in->objects, place, &file, &line))
        return;
    g_autofree char *number = g_strdup_printf("%u", line);
    xmlSetProp(node, (const xmlChar *)"file", (const xmlChar *)file);
    xmlSetProp(node, (const xmlChar *)"line", (const xmlChar *)number);
}

/* Likewise set the name of a function (level `function`). */
static void find_function(Intake *in, xmlNodePtr node, const HieraXmlAttribute *attributes, guint n)
{
    g_autofree char *level = take_attribute(attributes, n, "level");
    if (!node || strcmp(level, HIERA_LEVEL_FUNCTION) != 0)
        return;
    for (const char *const *name = (const char *const[]){"operation", "name", NULL}; *name; name++) {
        g_autofree char *place = take_attribute(attributes, n, *name);
        g_autofree char *found = in->objects ? hiera_objects_find_function(in->objects, place) : NULL;
        if (found)
            xmlSetProp(node, (const xmlChar *)*name, (const xmlChar *)found);
    }
}

/* Count an element. @return true if it is shown */
static gboolean admit(Intake *in, HieraElement element, gboolean operation)
{
    if (!operation) { /* declarations and remarks of the collector; a second root is not shown */
        gboolean room = in->limit == 0 || in->others < in->limit;
        gboolean fits = element != HIERA_ELEMENT_PROCESSOR && !in->skipping && room;
        in->others += fits;
        in->left_out += !room;
        return fits;
    }
    gboolean too_deep = in->depth > DEPTH_SHOWN;
    if (!in->skipping && !too_deep && (in->limit == 0 || in->operations < in->limit)) {
        in->operations++;
        return TRUE;
    }
    in->omitted++;
    in->deeper += too_deep;
    return FALSE;
}

static void start_root(Intake *in, const char *name, const HieraXmlAttribute *attributes, guint n)
{
    if (element_of(name) != HIERA_ELEMENT_PROCESSOR) {
        g_autofree char *message =
            g_strdup_printf("the root element is '%.60s'; a trace begins with 'processor'", name);
        fail(in, message);
        return;
    }
    in->processor = in->open = add_element(in, in->report, name, attributes, n);
}

static void on_start(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    (void)note;
    Intake *in = user;
    if (in->error)
        return;
    if (!in->processor) {
        start_root(in, name, attributes, n);
        return;
    }
    HieraElement element = element_of(name);
    gboolean operation = is_operation(element, attributes, n);
    in->depth++;
    if (element == HIERA_ELEMENT_OBJECT)
        declare_object(in, attributes, n);
    if (!admit(in, element, operation)) {
        in->skipping++;
        return;
    }
    in->open = add_element(in, in->open, name, attributes, n);
    find_line(in, in->open, attributes, n);
    find_function(in, in->open, attributes, n);
}

static void on_end(gpointer user, const char *name)
{
    (void)name;
    Intake *in = user;
    if (in->error || !in->processor)
        return;
    if (in->depth > 0)
        in->depth--;
    if (in->skipping)
        in->skipping--;
    else if (in->open != in->processor)
        in->open = in->open->parent;
}

static void set_count(xmlNodePtr node, const char *name, guint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    if (value > 0)
        xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)text);
}

/* Set the counts of a trace, or an error. If the trace is broken or cut short, the part before is shown. */
static void finish(Intake *in, HieraXmlEnd end, const char *problem)
{
    gboolean used = in->processor != NULL;
    if (end == HIERA_XML_UNREAD && !used)
        fail(in, problem);
    else if ((end == HIERA_XML_ENTITY || end == HIERA_XML_GRAMMAR) && !used)
        fail(in, "declares an entity or a grammar; a trace has none, so it is not read further");
    else if ((end == HIERA_XML_BROKEN || end == HIERA_XML_LIMIT) && !used)
        fail(in, hiera_xml_peek_message(in->xml));
    else if (!in->error && !in->processor)
        in->error = g_error_new(HIERA_PAGE_ERROR, 0, "%s:1: no element 'processor'%s", in->path,
                                end == HIERA_XML_CUT ? " before the end of the file" : ": not a trace");
    if (in->error)
        return;
    set_count(in->processor, "omitted", in->omitted);
    set_count(in->processor, "deeper", in->deeper);
    set_count(in->processor, "left_out", in->left_out);
    if (end != HIERA_XML_WHOLE && end != HIERA_XML_STOPPED)
        xmlSetProp(in->processor, (const xmlChar *)"cut", (const xmlChar *)"yes");
}

static gboolean add_trace(xmlNodePtr report, const char *path, guint64 limit, GError **error)
{
    static const HieraXmlEvents events = {on_start, on_end, NULL, NULL};
    g_autoptr(GError) cause = NULL;
    g_autoptr(HieraInputFile) source = hiera_input_file_open(path, NULL, &cause);
    if (!source) {
        g_set_error(error, HIERA_PAGE_ERROR, 0, "%s: %s", path, cause->message);
        return FALSE;
    }
    Intake in = {.path = path, .objects = hiera_objects_new(), .report = report, .limit = limit};
    in.xml = hiera_xml_new(source, &events, &in);
    HieraXmlEnd end = hiera_xml_parse(in.xml);
    finish(&in, end, hiera_input_file_peek_problem(source));
    hiera_xml_free(in.xml);
    hiera_objects_free(in.objects);
    if (in.error)
        g_propagate_error(error, in.error);
    return in.error == NULL;
}

xmlDocPtr hiera_page_document_read(const char *const *traces, gsize n_traces, guint64 max_operations, GError **error)
{
    xmlDocPtr document = xmlNewDoc((const xmlChar *)"1.0");
    document->dict = xmlDictCreate();
    xmlNodePtr report = xmlNewDocNode(document, NULL, (const xmlChar *)"hieraReport", NULL);
    xmlDocSetRootElement(document, report);
    for (gsize i = 0; i < n_traces; i++)
        if (!add_trace(report, traces[i], max_operations, error)) {
            xmlFreeDoc(document);
            return NULL;
        }
    return document;
}
