/* The page: applies the stylesheet to the document of page_document.c, and writes the result.
 *
 * Only the reader may use libxml2, with this exception: libxslt works on trees of libxml2 only. The stylesheet runs
 * without access to files and network. */
#include "html_page.h"
#include "page_document.h"
#include "page_error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <libexslt/exslt.h>
#include <libxml/parser.h>
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

/** Append a message of libxml2 or libxslt to a GString, up to about 1000 bytes, instead of printing it. */
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

/** The error handlers of libxml2 and libxslt are globals. They are replaced while a page is made, and restored
 * after. */
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
    xsltSetDefaultSecurityPrefs(rights); /* compiling a stylesheet uses only these defaults */
}

static void quiet_end(Quiet *q)
{
    xmlSetStructuredErrorFunc(q->structured_data, q->structured);
    xmlSetGenericErrorFunc(q->generic_data, q->generic);
    xsltSetGenericErrorFunc(q->xslt_data, q->xslt);
    xsltSetDefaultSecurityPrefs(q->default_rights);
    g_string_free(q->text, TRUE);
}

static void set_stylesheet_error(GError **error, const char *problem, const Quiet *q)
{
    g_autofree char *text = g_strdup(q->text->len ? q->text->str : "no reason given");
    g_set_error(error, HIERA_PAGE_ERROR, 0, "stylesheet: %s: %s", problem, g_strchomp(g_strdelimit(text, "\n", ' ')));
}

/* ---- the document becomes a page ---- */

/* Return rights that forbid all access to files and network. */
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

/* Register exsl:node-set, which the stylesheet needs for compact traces. Browsers and xsltproc have it built in. */
static void register_functions(void)
{
    static gsize once = 0;
    if (g_once_init_enter(&once)) {
        exsltCommonRegister();
        g_once_init_leave(&once, 1);
    }
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

/** Apply the stylesheet. @return the result, to be freed with xmlFreeDoc; NULL if the transformation stopped early */
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

/** Turn the document into HTML. @return the page, to be freed with xmlFree; NULL with an error if that fails */
static xmlChar *render(xmlDocPtr document, const char *stylesheet, int *length, GError **error)
{
    xsltSecurityPrefsPtr rights = no_rights();
    Quiet q;
    register_functions();
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

/* ---- the page is written ---- */

static gboolean write_stream(FILE *stream, const char *name, const xmlChar *page, gsize length, GError **error)
{
    if (fwrite(page, 1, length, stream) == length && fflush(stream) == 0)
        return TRUE;
    g_set_error(error, HIERA_PAGE_ERROR, 0, "%s: %s", name, g_strerror(errno));
    return FALSE;
}

/** Write to a pipe or a device. A new file that is renamed to its path would replace it. */
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

/** Write the page. A file is replaced by a whole page only: GLib writes a temporary file beside it and renames
 * that. */
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
    xmlDocPtr document = hiera_page_document_read(traces, n_traces, max_operations, error);
    if (!document)
        return FALSE;
    int length = 0;
    xmlChar *page = render(document, stylesheet, &length, error);
    xmlFreeDoc(document);
    gboolean good = page && write_page(output, page, (gsize)length, error);
    xmlFree(page);
    return good;
}
