/* Validity against the DTD; see validator.h. libxml2 checks the order of children step by step as they come
 * (xmlValidatePushElement) and the values of attributes one by one; that required attributes are there is checked here,
 * because libxml2 does it only for whole trees. */
#include "validator.h"
#include "findings.h"
#include "trace_dtd.h"
#include <libxml/parser.h>
#include <libxml/valid.h>
#include <string.h>

/* The DTD, parsed once by each thread that reads: that takes as long as thousands of elements, and libxml2 completes a
 * DTD while it is used. */
typedef struct {
    xmlDtdPtr dtd;
    GHashTable *required; /* xmlElement → GPtrArray of the names of the attributes that it must have */
} Grammar;

static void grammar_free(gpointer data);
static GPrivate thread_grammar = G_PRIVATE_INIT(grammar_free);

struct HieraValidator {
    const char *path;
    HieraFindings *findings;
    const Grammar *grammar;
    xmlDocPtr document; /* refers to the DTD; has the ids of this trace alone */
    xmlValidCtxtPtr context;
    GPtrArray *open; /* xmlNode, one per open element */
    guint32 line;
    GString *message;
};

static void take_message(void *user, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void take_message(void *user, const char *format, ...)
{
    HieraValidator *validator = user;
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(validator->message, format, arguments);
    va_end(arguments);
}

/* Equal messages are one finding, of one line. */
static void flush_message(HieraValidator *validator)
{
    if (validator->message->len == 0)
        return;
    g_strdelimit(g_strchomp(validator->message->str), "\n", ' ');
    g_autofree char *subject = g_strconcat(validator->path, " ", validator->message->str, NULL);
    hiera_findings_add(validator->findings, HIERA_FINDING_INVALID, validator->path, validator->line, subject,
                       "against the DTD: %s", validator->message->str);
    g_string_truncate(validator->message, 0);
}

static xmlDtdPtr parse_dtd(void)
{
    xmlParserInputBufferPtr buffer =
        xmlParserInputBufferCreateMem(hiera_file_trace_dtd, sizeof hiera_file_trace_dtd - 1, XML_CHAR_ENCODING_UTF8);
    return buffer ? xmlIOParseDTD(NULL, buffer, XML_CHAR_ENCODING_UTF8) : NULL;
}

static void grammar_free(gpointer data)
{
    Grammar *grammar = data;
    xmlFreeDtd(grammar->dtd);
    g_hash_table_unref(grammar->required);
    g_free(grammar);
}

static Grammar *peek_grammar(void)
{
    Grammar *grammar = g_private_get(&thread_grammar);
    xmlDtdPtr dtd = grammar ? NULL : parse_dtd();
    if (dtd) {
        grammar = g_new0(Grammar, 1);
        grammar->dtd = dtd;
        grammar->required = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
        g_private_set(&thread_grammar, grammar);
    }
    return grammar;
}

HieraValidator *hiera_validator_new(const char *path, HieraFindings *findings)
{
    xmlInitParser();
    const Grammar *grammar = peek_grammar();
    if (!grammar)
        return NULL;
    HieraValidator *validator = g_new0(HieraValidator, 1);
    validator->path = path;
    validator->findings = findings;
    validator->grammar = grammar;
    validator->document = xmlNewDoc((const xmlChar *)"1.0");
    validator->document->extSubset = grammar->dtd;
    grammar->dtd->doc = validator->document;
    validator->context = xmlNewValidCtxt();
    validator->context->userData = validator;
    validator->context->error = take_message;
    validator->context->warning = take_message;
    validator->open = g_ptr_array_new();
    validator->message = g_string_new(NULL);
    return validator;
}

/* Names of the attributes that an element must have: a few among hundreds. */
static const GPtrArray *peek_required(const Grammar *grammar, const xmlElement *declaration)
{
    GPtrArray *names = g_hash_table_lookup(grammar->required, declaration);
    if (names)
        return names;
    names = g_ptr_array_new();
    for (const xmlAttribute *at = declaration->attributes; at; at = at->nexth) {
        if (at->def == XML_ATTRIBUTE_REQUIRED)
            g_ptr_array_add(names, (gpointer)at->name);
    }
    g_hash_table_insert(grammar->required, (gpointer)declaration, names);
    return names;
}

static void check_required(HieraValidator *validator, const xmlElement *declaration, const xmlNode *node)
{
    const GPtrArray *names = peek_required(validator->grammar, declaration);
    for (guint i = 0; i < names->len; i++) {
        const xmlChar *name = g_ptr_array_index(names, i);
        if (xmlHasProp(node, name))
            continue;
        take_message(validator, "element %s does not have the attribute %s", (const char *)node->name,
                     (const char *)name);
        flush_message(validator);
    }
}

/* Attributes of a name space (xml:lang) are not the DTD's business. */
static void check_attributes(HieraValidator *validator, xmlNode *node)
{
    for (xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
        const xmlChar *value = attribute->children ? attribute->children->content : NULL;
        xmlValidateOneAttribute(validator->context, validator->document, node, attribute,
                                value ? value : (const xmlChar *)"");
        flush_message(validator);
    }
}

static xmlNode *make_node(HieraValidator *validator, const char *name, const HieraXmlAttribute *attributes, guint n)
{
    xmlNode *node = xmlNewDocNode(validator->document, NULL, (const xmlChar *)name, NULL);
    for (guint i = 0; i < n; i++) {
        if (attributes[i].prefix)
            continue;
        xmlAttr *attribute = xmlNewProp(node, (const xmlChar *)attributes[i].name, NULL);
        gsize length = (gsize)(attributes[i].end - attributes[i].value);
        attribute->children = xmlNewTextLen((const xmlChar *)attributes[i].value, (int)length);
        attribute->children->parent = (xmlNode *)attribute;
        attribute->last = attribute->children;
    }
    return node;
}

/* libxml2 would complain about the element's place, and then about each of its attributes. */
static void report_undeclared(HieraValidator *validator, const char *name)
{
    g_string_truncate(validator->message, 0);
    take_message(validator, "element %s is not declared", name);
    flush_message(validator);
}

void hiera_validator_start(HieraValidator *validator, guint32 line, const char *name,
                           const HieraXmlAttribute *attributes, guint n_attributes)
{
    xmlNode *node = make_node(validator, name, attributes, n_attributes);
    const xmlElement *declaration = xmlGetDtdElementDesc(validator->document->extSubset, node->name);
    validator->line = line;
    xmlValidatePushElement(validator->context, validator->document, node, node->name);
    if (declaration) {
        flush_message(validator);
        check_attributes(validator, node);
        check_required(validator, declaration, node);
    } else {
        report_undeclared(validator, name);
    }
    g_ptr_array_add(validator->open, node);
}

static void close_last(HieraValidator *validator)
{
    xmlNode *node = g_ptr_array_index(validator->open, validator->open->len - 1);
    xmlValidatePopElement(validator->context, validator->document, node, node->name);
    xmlFreeNode(node);
    g_ptr_array_set_size(validator->open, (gint)validator->open->len - 1);
}

void hiera_validator_end(HieraValidator *validator, guint32 line)
{
    if (validator->open->len == 0)
        return;
    validator->line = line;
    close_last(validator);
    flush_message(validator);
}

void hiera_validator_free(HieraValidator *validator)
{
    if (!validator)
        return;
    while (validator->open->len > 0) /* the trace was cut short */
        close_last(validator);
    g_ptr_array_unref(validator->open);
    g_string_free(validator->message, TRUE);
    xmlFreeValidCtxt(validator->context);
    validator->document->extSubset = NULL;
    validator->grammar->dtd->doc = NULL;
    xmlFreeDoc(validator->document);
    g_free(validator);
}
