#include "grammar.h"
#include "trace_dtd.h"
#include <libxml/parser.h>
#include <libxml/valid.h>
#include <string.h>

static void rule_free(gpointer data)
{
    HieraAttributeRule *rule = data;
    g_clear_pointer(&rule->words, g_hash_table_unref);
    g_free(rule);
}

static void element_free(gpointer data)
{
    HieraElementRule *element = data;
    g_hash_table_unref(element->rules);
    g_ptr_array_unref(element->required);
    g_free(element);
}

static xmlDtdPtr parse_dtd(void)
{
    xmlParserInputBufferPtr buffer =
        xmlParserInputBufferCreateMem(hiera_file_trace_dtd, sizeof hiera_file_trace_dtd - 1, XML_CHAR_ENCODING_UTF8);
    return buffer ? xmlIOParseDTD(NULL, buffer, XML_CHAR_ENCODING_UTF8) : NULL;
}

static GHashTable *list_words(const xmlAttribute *attribute)
{
    GHashTable *words = g_hash_table_new(g_str_hash, g_str_equal);
    for (const xmlEnumeration *at = attribute->tree; at; at = at->next)
        g_hash_table_add(words, (gpointer)at->name);
    return words;
}

static HieraValueSort sort_of(const xmlAttribute *attribute)
{
    if (attribute->def == XML_ATTRIBUTE_FIXED)
        return HIERA_VALID_ASK;
    switch (attribute->atype) {
    case XML_ATTRIBUTE_CDATA:
        return HIERA_VALID_ANY;
    case XML_ATTRIBUTE_NMTOKEN:
        return HIERA_VALID_TOKEN;
    case XML_ATTRIBUTE_ENUMERATION:
        return HIERA_VALID_WORD;
    case XML_ATTRIBUTE_ID:
        return HIERA_VALID_ID;
    default:
        return HIERA_VALID_ASK;
    }
}

static void add_attributes(HieraElementRule *element, const xmlElement *declaration)
{
    for (const xmlAttribute *at = declaration->attributes; at; at = at->nexth) {
        HieraAttributeRule *rule = g_new0(HieraAttributeRule, 1);
        *rule = (HieraAttributeRule){sort_of(at), -1, NULL};
        if (rule->sort == HIERA_VALID_WORD)
            rule->words = list_words(at);
        if (at->def == XML_ATTRIBUTE_REQUIRED) {
            rule->required = (gint)element->required->len;
            g_ptr_array_add(element->required, (gpointer)at->name);
        }
        g_hash_table_insert(element->rules, (gpointer)at->name, rule);
    }
}

static void add_element(void *payload, void *data, const xmlChar *name)
{
    HieraGrammar *grammar = data;
    HieraElementRule *element = g_new0(HieraElementRule, 1);
    (void)payload;
    element->number = g_hash_table_size(grammar->elements);
    element->name = (const char *)name;
    element->rules = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, rule_free);
    element->required = g_ptr_array_new();
    g_hash_table_insert(grammar->elements, (gpointer)name, element);
}

/* Add the elements of a choice (a | b | c), which libxml2 keeps as nested pairs, to the bits in `children`. Return
 * FALSE if the content is not a choice of elements. */
static gboolean add_choice(const HieraGrammar *grammar, const xmlElementContent *content, guint64 *children)
{
    for (; content->type == XML_ELEMENT_CONTENT_OR && content->c1 && content->c2; content = content->c2) {
        if (!add_choice(grammar, content->c1, children) ||
            (content->c2->type == XML_ELEMENT_CONTENT_OR && content->c2->ocur != XML_ELEMENT_CONTENT_ONCE))
            return FALSE;
    }
    const HieraElementRule *child =
        content->type == XML_ELEMENT_CONTENT_ELEMENT && content->ocur == XML_ELEMENT_CONTENT_ONCE && !content->prefix
            ? g_hash_table_lookup(grammar->elements, content->name)
            : NULL;
    if (!child || child->number >= HIERA_GRAMMAR_MOST)
        return FALSE;
    *children |= G_GUINT64_CONSTANT(1) << child->number;
    return TRUE;
}

static void add_content(void *payload, void *data, const xmlChar *name)
{
    const HieraGrammar *grammar = data;
    const xmlElement *declaration = payload;
    HieraElementRule *element = g_hash_table_lookup(grammar->elements, name);
    add_attributes(element, declaration);
    const xmlElementContent *content = declaration->content;
    if (element->number >= HIERA_GRAMMAR_MOST)
        return;
    if (declaration->etype == XML_ELEMENT_TYPE_EMPTY)
        element->simple = TRUE;
    else if (declaration->etype == XML_ELEMENT_TYPE_ELEMENT && content->type == XML_ELEMENT_CONTENT_OR &&
             content->ocur == XML_ELEMENT_CONTENT_MULT)
        element->simple = add_choice(grammar, content, &element->children);
}

static void dtd_free(gpointer dtd)
{
    xmlFreeDtd(dtd);
}

/* Not a copy: libxml2 2.9 does not free all of a copied DTD. */
xmlDtdPtr hiera_grammar_own_dtd(void)
{
    static GPrivate own = G_PRIVATE_INIT(dtd_free);
    xmlDtdPtr dtd = g_private_get(&own);
    if (!dtd)
        g_private_set(&own, dtd = parse_dtd());
    return dtd;
}

static gpointer grammar_new(gpointer nothing)
{
    xmlDtdPtr dtd = parse_dtd();
    (void)nothing;
    if (!dtd)
        return NULL;
    HieraGrammar *grammar = g_new0(HieraGrammar, 1);
    grammar->dtd = dtd;
    grammar->elements = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, element_free);
    xmlHashScan(dtd->elements, add_element, grammar);
    xmlHashScan(dtd->elements, add_content, grammar);
    return grammar;
}

const HieraGrammar *hiera_grammar_peek(void)
{
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, grammar_new, NULL);
}
