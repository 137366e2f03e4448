/* The page: reads traces into one bounded document and lets the stylesheet make HTML of it.
 *
 * The one idea: a trace of any size goes through libxml2's push parser, and only what the page will show becomes a
 * tree, so that memory depends on the page and not on the trace. Parsing, not the tree, decides what is an error.
 *
 * DESIGN.md keeps libxml2 in the reader alone. This file is the stated exception: libxslt works on libxml2's trees and
 * on nothing else, and the stylesheet is to be the only description of how a trace looks. No type of either leaves this
 * file. The parser is given no handler that could load an external entity or a DTD, declared entities are refused, and
 * the stylesheet runs without access to files and network. */
#include "page.h"

#include "dtd/names.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/xsltInternals.h>
#include <libxslt/xsltutils.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

G_DEFINE_QUARK(hiera - page - error - quark, hiera_page_error)

/** Operations nested deeper than this are counted, not shown. The stylesheet has the same limit: it recurses once per
 * level, and browsers flatten HTML that is nested deeper than 512 elements. */
enum { DEPTH_SHOWN = 200 };

/** How the paper spells hieraMPI. */
#define PAPER_MPI "hieramMPI"

typedef enum {
#define X(identifier, name) ELEMENT_##identifier,
    HIERA_ELEMENTS(X)
#undef X
        ELEMENT_OTHER
} Element;

/** One trace on its way into the document. */
typedef struct {
    const char *path;
    xmlParserCtxtPtr parser;
    xmlNodePtr report;    /* where `processor` goes */
    xmlNodePtr processor; /* NULL until the root element is seen */
    xmlNodePtr open;      /* innermost open element that is shown */
    guint64 depth;        /* operations open around the present place */
    guint64 skipping;     /* elements open that are not shown, below `open` */
    guint64 limit;        /* operations shown; the same number of other elements */
    guint64 operations, others;
    guint64 omitted, deeper;
    gboolean at_end; /* the file has no more bytes: what the parser misses now was cut off */
    gboolean cut;    /* the document ends before its root does */
    gboolean closed; /* the root element is complete */
    GError *error;   /* the first one */
} Intake;

/* ---- errors ---- */

static void fail_at_line(Intake *in, const char *message)
{
    if (in->error)
        return;
    int line = in->parser && in->parser->input ? in->parser->input->line : 1;
    in->error = g_error_new(HIERA_PAGE_ERROR, 0, "%s:%d: %s", in->path, line, message);
    if (in->parser)
        xmlStopParser(in->parser);
}

/** Keep the first message of libxml2 or libxslt in a string; say nothing. */
static void collect_message(void *data, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void collect_message(void *data, const char *format, ...)
{
    GString *text = data;
    if (text->len > 1000)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
}

static void collect_error(void *data, xmlErrorPtr e)
{
    GString *text = data;
    if (text->len <= 1000 && e->message)
        g_string_append(text, e->message);
}

/** libxml2 and libxslt keep error handlers in globals: ours for the time of a page, then back to what they were. */
typedef struct {
    GString *text;
    xmlStructuredErrorFunc structured;
    void *structured_data;
    xmlGenericErrorFunc generic, xslt;
    void *generic_data, *xslt_data;
    xsltSecurityPrefsPtr default_rights;
} Quiet;

static void quiet_begin(Quiet *q, xsltSecurityPrefsPtr rights)
{
    *q = (Quiet){.text = g_string_new(NULL),
                 .structured = xmlStructuredError,
                 .structured_data = xmlStructuredErrorContext,
                 .generic = xmlGenericError,
                 .xslt = xsltGenericError,
                 .generic_data = xmlGenericErrorContext,
                 .xslt_data = xsltGenericErrorContext,
                 .default_rights = xsltGetDefaultSecurityPrefs()};
    xmlSetStructuredErrorFunc(q->text, collect_error);
    xmlSetGenericErrorFunc(q->text, collect_message);
    xsltSetGenericErrorFunc(q->text, collect_message);
    xsltSetDefaultSecurityPrefs(rights); /* while the stylesheet is compiled there is no other place to ask */
}

static void quiet_end(Quiet *q)
{
    xmlSetStructuredErrorFunc(q->structured_data, q->structured);
    xmlSetGenericErrorFunc(q->generic_data, q->generic);
    xsltSetGenericErrorFunc(q->xslt_data, q->xslt);
    xsltSetDefaultSecurityPrefs(q->default_rights);
    g_string_free(q->text, TRUE);
}

static void set_stylesheet_error(GError **error, const char *what, const Quiet *q)
{
    g_autofree char *text = g_strdup(q->text->len ? q->text->str : "no reason given");
    g_set_error(error, HIERA_PAGE_ERROR, 0, "stylesheet: %s: %s", what, g_strchomp(g_strdelimit(text, "\n", ' ')));
}

/* ---- a trace into the document ---- */

static Element element_of(const xmlChar *name)
{
    static const char *const names[] = {
#define X(identifier, name) name,
        HIERA_ELEMENTS(X)
#undef X
    };
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp((const char *)name, names[i]) == 0)
            return (Element)i;
    return strcmp((const char *)name, PAPER_MPI) == 0 ? ELEMENT_MPI : ELEMENT_OTHER;
}

/** The stylesheet's rule: an operation is what has a start or an operation's name, also of a kind not known here. */
static gboolean is_operation(Element element, int n_attributes, const xmlChar **attributes)
{
    if (element == ELEMENT_MPI || element == ELEMENT_OOPS || element == ELEMENT_REGION)
        return TRUE;
    if (element != ELEMENT_OTHER)
        return FALSE;
    for (int i = 0; i < n_attributes; i++) {
        const char *name = (const char *)attributes[5 * i];
        if (strcmp(name, "start_time") == 0 || strcmp(name, "operation") == 0)
            return TRUE;
    }
    return FALSE;
}

/** Names come from the document's dictionary: a page of many operations has few different ones. */
static xmlNodePtr add_element(Intake *in, xmlNodePtr parent, const xmlChar *name, int n_attributes,
                              const xmlChar **attributes)
{
    xmlDocPtr document = in->report->doc;
    xmlNodePtr node = xmlNewDocRawNode(document, NULL, name, NULL);
    if (!node)
        return NULL;
    for (int i = 0; i < n_attributes; i++) {
        const xmlChar **a = attributes + 5 * i; /* name, prefix, URI, value, end of value */
        xmlChar *value = xmlStrndup(a[3], (int)(a[4] - a[3]));
        xmlNewNsPropEatName(node, NULL, (xmlChar *)xmlDictLookup(document->dict, a[0], -1), value);
        xmlFree(value);
    }
    return xmlAddChild(parent, node);
}

/** Count an element and say whether it is to be shown. */
static gboolean admit(Intake *in, Element element, gboolean operation)
{
    if (!operation) /* declarations and the collector's remarks; a second root is neither */
        return element != ELEMENT_PROCESSOR && !in->skipping && (in->limit == 0 || in->others++ < in->limit);
    gboolean too_deep = in->depth > DEPTH_SHOWN;
    if (!in->skipping && !too_deep && (in->limit == 0 || in->operations < in->limit)) {
        in->operations++;
        return TRUE;
    }
    in->omitted++;
    in->deeper += too_deep;
    return FALSE;
}

static void start_root(Intake *in, const xmlChar *name, int n_attributes, const xmlChar **attributes)
{
    if (element_of(name) != ELEMENT_PROCESSOR) {
        g_autofree char *message =
            g_strdup_printf("the root element is '%.60s'; a trace begins with 'processor'", (const char *)name);
        fail_at_line(in, message);
        return;
    }
    in->processor = in->open = add_element(in, in->report, name, n_attributes, attributes);
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
                     const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    (void)prefix, (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
    Intake *in = data;
    if (in->error)
        return;
    if (!in->processor) {
        start_root(in, name, n_attributes, attributes);
        return;
    }
    Element element = element_of(name);
    gboolean operation = is_operation(element, n_attributes, attributes);
    in->depth++;
    if (!admit(in, element, operation))
        in->skipping++;
    else
        in->open = add_element(in, in->open, name, n_attributes, attributes);
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)name, (void)prefix, (void)uri;
    Intake *in = data;
    if (in->error || !in->processor)
        return;
    if (in->depth > 0)
        in->depth--;
    if (in->skipping)
        in->skipping--;
    else if (in->open != in->processor)
        in->open = in->open->parent;
    else
        in->closed = TRUE;
}

/** Entities have no place in a trace, and a few nested ones can grow to any size. */
static void on_entity(void *data, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                      xmlChar *content)
{
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    fail_at_line(data, "declares an entity; a trace has none, so it is not read further");
}

static void on_error(void *data, xmlErrorPtr e)
{
    Intake *in = data;
    if (e->level < XML_ERR_FATAL || in->error)
        return;
    if (in->at_end && in->processor) {
        in->cut = TRUE;
        return;
    }
    if (in->at_end) {
        in->error =
            g_error_new(HIERA_PAGE_ERROR, 0, "%s:1: no element 'processor' before the end of the file", in->path);
        return;
    }
    g_autofree char *message = g_strdup(e->message ? e->message : "not XML");
    in->error = g_error_new(HIERA_PAGE_ERROR, 0, "%s:%d: %s", in->path, e->line, g_strchomp(message));
}

static const xmlSAXHandler handler = {
    .startElementNs = on_start,
    .endElementNs = on_end,
    .entityDecl = on_entity,
    .serror = on_error,
    .initialized = XML_SAX2_MAGIC,
};

/** Give the file to the parser, up to its end or to the first byte 0: where a crash left a hole, the trace ends. */
static void feed(Intake *in, FILE *file)
{
    static const size_t first = 4; /* libxml2 finds the encoding in these and takes no more at first */
    g_autofree char *chunk = g_malloc(1 << 16);
    size_t wanted = first, n;
    while (!in->error && (n = fread(chunk, 1, wanted, file)) > 0) {
        const char *hole = memchr(chunk, 0, n);
        xmlParseChunk(in->parser, chunk, (int)(hole ? (size_t)(hole - chunk) : n), 0);
        if (hole)
            break;
        wanted = 1 << 16;
    }
    if (in->error)
        return;
    if (ferror(file)) {
        fail_at_line(in, g_strerror(errno));
        return;
    }
    in->at_end = TRUE;
    xmlParseChunk(in->parser, "", 0, 1);
    in->cut = in->cut || !in->closed;
}

static void set_count(xmlNodePtr node, const char *name, guint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    if (value > 0)
        xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)text);
}

static void parse(Intake *in, FILE *file)
{
    in->parser = xmlCreatePushParserCtxt((xmlSAXHandlerPtr)&handler, in, NULL, 0, in->path);
    if (!in->parser) {
        fail_at_line(in, "no memory for a parser");
        return;
    }
    xmlCtxtUseOptions(in->parser, XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_COMPACT);
    feed(in, file);
    xmlFreeDoc(in->parser->myDoc);
    xmlFreeParserCtxt(in->parser);
}

static gboolean add_trace(xmlNodePtr report, const char *path, guint64 limit, GError **error)
{
    Intake in = {.path = path, .report = report, .limit = limit};
    FILE *file = g_fopen(path, "rbe");
    if (!file) {
        g_set_error(error, HIERA_PAGE_ERROR, 0, "%s: %s", path, g_strerror(errno));
        return FALSE;
    }
    parse(&in, file);
    fclose(file);
    if (!in.error && !in.processor)
        in.error = g_error_new(HIERA_PAGE_ERROR, 0, "%s:1: no element 'processor': not a trace", path);
    if (in.error) {
        g_propagate_error(error, in.error);
        return FALSE;
    }
    set_count(in.processor, "omitted", in.omitted);
    set_count(in.processor, "deeper", in.deeper);
    if (in.cut)
        xmlSetProp(in.processor, (const xmlChar *)"cut", (const xmlChar *)"yes");
    return TRUE;
}

static xmlDocPtr read_traces(const char *const *traces, gsize n_traces, guint64 limit, GError **error)
{
    xmlDocPtr document = xmlNewDoc((const xmlChar *)"1.0");
    document->dict = xmlDictCreate();
    xmlNodePtr report = xmlNewDocNode(document, NULL, (const xmlChar *)"hieraReport", NULL);
    xmlDocSetRootElement(document, report);
    for (gsize i = 0; i < n_traces; i++)
        if (!add_trace(report, traces[i], limit, error)) {
            xmlFreeDoc(document);
            return NULL;
        }
    return document;
}

/* ---- the document into a page ---- */

static xsltSecurityPrefsPtr no_rights(void)
{
    static const xsltSecurityOption all[] = {XSLT_SECPREF_READ_FILE, XSLT_SECPREF_WRITE_FILE,
                                             XSLT_SECPREF_CREATE_DIRECTORY, XSLT_SECPREF_READ_NETWORK,
                                             XSLT_SECPREF_WRITE_NETWORK};
    xsltSecurityPrefsPtr rights = xsltNewSecurityPrefs();
    for (guint i = 0; rights && i < G_N_ELEMENTS(all); i++)
        xsltSetSecurityPrefs(rights, all[i], xsltSecurityForbid);
    return rights;
}

static xsltStylesheetPtr compile(const char *text, const Quiet *q, GError **error)
{
    xmlDocPtr document =
        xmlReadMemory(text, (int)strlen(text), "visual.xsl", NULL, XML_PARSE_NONET | XML_PARSE_NOCDATA);
    xsltStylesheetPtr sheet = document ? xsltParseStylesheetDoc(document) : NULL;
    if (sheet && sheet->errors == 0)
        return sheet;
    set_stylesheet_error(error, "cannot be used", q);
    if (sheet)
        xsltFreeStylesheet(sheet); /* frees the document too */
    else
        xmlFreeDoc(document);
    return NULL;
}

/** @return the result, or NULL; a transformation that stopped half way is not a result */
static xmlDocPtr apply(xsltStylesheetPtr sheet, xmlDocPtr document, xsltSecurityPrefsPtr rights, const Quiet *q,
                       GError **error)
{
    xsltTransformContextPtr context = xsltNewTransformContext(sheet, document);
    if (!context || xsltSetCtxtSecurityPrefs(rights, context) != 0) {
        if (context)
            xsltFreeTransformContext(context);
        set_stylesheet_error(error, "cannot be run", q);
        return NULL;
    }
    xsltSetTransformErrorFunc(context, q->text, collect_message);
    xmlDocPtr result = xsltApplyStylesheetUser(sheet, document, NULL, NULL, NULL, context);
    gboolean good = result && context->state == XSLT_STATE_OK;
    xsltFreeTransformContext(context);
    if (good)
        return result;
    xmlFreeDoc(result);
    set_stylesheet_error(error, "stopped", q);
    return NULL;
}

/** @return the page, to be freed with xmlFree, or NULL */
static xmlChar *render(xmlDocPtr document, const char *stylesheet, int *length, GError **error)
{
    xsltSecurityPrefsPtr rights = no_rights();
    Quiet q;
    quiet_begin(&q, rights);
    xmlChar *page = NULL;
    xmlDocPtr result = NULL;
    xsltStylesheetPtr sheet = rights ? compile(stylesheet, &q, error) : NULL;
    if (sheet)
        result = apply(sheet, document, rights, &q, error);
    if (result && (xsltSaveResultToString(&page, length, result, sheet) != 0 || !page))
        set_stylesheet_error(error, "its result cannot be written as text", &q);
    xmlFreeDoc(result);
    if (sheet)
        xsltFreeStylesheet(sheet);
    quiet_end(&q);
    xsltFreeSecurityPrefs(rights);
    return page;
}

/* ---- the page into a file ---- */

static gboolean write_stream(FILE *stream, const char *name, const xmlChar *page, gsize length, GError **error)
{
    if (fwrite(page, 1, length, stream) == length && fflush(stream) == 0)
        return TRUE;
    g_set_error(error, HIERA_PAGE_ERROR, 0, "%s: %s", name, g_strerror(errno));
    return FALSE;
}

/** A pipe or a device is written to; renaming a new file over it would destroy it. */
static gboolean write_special(const char *output, const xmlChar *page, gsize length, GError **error)
{
    FILE *stream = g_fopen(output, "wbe");
    if (!stream) {
        g_set_error(error, HIERA_PAGE_ERROR, 0, "%s: %s", output, g_strerror(errno));
        return FALSE;
    }
    gboolean good = write_stream(stream, output, page, length, error);
    if (fclose(stream) == 0 || !good)
        return good;
    g_set_error(error, HIERA_PAGE_ERROR, 0, "%s: %s", output, g_strerror(errno));
    return FALSE;
}

/** A file is replaced only by a whole page: GLib writes a temporary one beside it and renames. */
static gboolean write_page(const char *output, const xmlChar *page, gsize length, GError **error)
{
    if (strcmp(output, "-") == 0)
        return write_stream(stdout, "standard output", page, length, error);
    struct stat status;
    if (stat(output, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return write_special(output, page, length, error);
    g_autoptr(GError) cause = NULL;
    if (g_file_set_contents_full(output, (const char *)page, (gssize)length, G_FILE_SET_CONTENTS_CONSISTENT, 0666,
                                 &cause))
        return TRUE;
    g_set_error(error, HIERA_PAGE_ERROR, 0, "%s: %s", output, cause->message);
    return FALSE;
}

gboolean hiera_page_write(const char *const *traces, gsize n_traces, const char *stylesheet, guint64 max_operations,
                          const char *output, GError **error)
{
    g_return_val_if_fail(traces || n_traces == 0, FALSE);
    g_return_val_if_fail(stylesheet && output, FALSE);
    xmlDocPtr document = read_traces(traces, n_traces, max_operations, error);
    if (!document)
        return FALSE;
    int length = 0;
    xmlChar *page = render(document, stylesheet, &length, error);
    xmlFreeDoc(document);
    gboolean good = page && write_page(output, page, (gsize)length, error);
    xmlFree(page);
    return good;
}
