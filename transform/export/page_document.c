/* See page_document.h. Parsing is that of all traces (xml.h); libxslt wants libxml2's trees, so one is built here. */
#include "page_document.h"
#include "base/vocabulary.h"
#include "page_error.h"
#include "reading/objects.h"
#include "xml/xml.h"
#include <string.h>

/* Operations nested deeper than this are counted, not shown. The stylesheet has the same limit: it recurses once per
 * level, and browsers flatten HTML that is nested deeper than 512 elements. */
enum { DEPTH_SHOWN = 200 };

/* One trace on its way into the document. */
typedef struct {
    const char *path;
    HieraXml *xml;
    HieraObjects *objects; /* of the places that the collector wrote without a line */
    xmlNodePtr report;     /* where `processor` goes */
    xmlNodePtr processor;  /* NULL until the root element is seen */
    xmlNodePtr open;       /* innermost open element that is shown */
    guint64 depth;         /* operations open around the present place */
    guint64 skipping;      /* elements open that are not shown, below `open` */
    guint64 limit;         /* operations shown; the same number of other elements */
    guint64 operations, others;
    guint64 omitted, deeper, left_out; /* operations, those too deep, other elements */
    GError *error;                     /* the first one */
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

/* HIERA_N_ELEMENTS for one that is not known. */
static HieraElement element_of(const char *name)
{
    Search search = {name, HIERA_N_ELEMENTS};
    hiera_vocabulary_elements(compare_word, &search);
    return (HieraElement)search.number;
}

/* The stylesheet's rule: an operation is what has a start or an operation's name, also of a kind not known here. */
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

/* Names come from the document's dictionary: a page of many operations has few different ones. */
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

/* The node gets file and line, if the collector knew only the object and they are found now. */
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

/* … and a function its name. */
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

/* Count an element and say whether it is to be shown. */
static gboolean admit(Intake *in, HieraElement element, gboolean operation)
{
    if (!operation) { /* declarations and the collector's remarks; a second root is neither */
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

/* What the end of the parse means for the page. */
static void finish(Intake *in, HieraXmlEnd end, const char *problem)
{
    gboolean used = in->processor != NULL; /* what stands before the fault is shown */
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
