/* Validity against the DTD; see validator.h. The tables of grammar.h say at once that an element is valid. Where they
 * are not sure, libxml2 is asked: about one attribute (xmlValidateOneAttribute), or about an element's place
 * (xmlValidatePushElement), which needs the elements around it and stays in force until those that are in doubt have
 * ended, and for as many elements as it was told of: else telling it again and again would take quadratic time. That
 * required attributes are there is checked here, because libxml2 does it only for whole trees. */
#include "validator.h"
#include "base/findings.h"
#include "grammar.h"
#include <libxml/parser.h>
#include <libxml/valid.h>
#include <string.h>

#define KNOWN   1024 /* attributes whose rules are at hand; a power of two */
#define LONGEST 63   /* of a word */

/* An element that is open. */
typedef struct {
    const HieraElementRule *rule; /* NULL: not declared */
    const char *name;
    xmlNode *node;     /* as libxml2 was told; NULL: it was not */
    xmlNode *asked;    /* has the attributes of which libxml2 was asked; it may remember them (ids) */
    gboolean in_doubt; /* libxml2 has to know it, and what stands in it */
} Open;

/* The rule of an attribute, found by the pointers of the parser. */
typedef struct {
    const HieraElementRule *element;
    const char *name;
    const HieraAttributeRule *rule;
} Known;

struct HieraValidator {
    const char *path;
    HieraFindings *findings;
    const HieraGrammar *grammar;
    gboolean always_ask;
    GHashTable *elements; /* the parser's name → HieraElementRule */
    Known known[KNOWN];
    xmlDocPtr document; /* refers to the DTD; has the ids of this trace alone */
    xmlValidCtxtPtr context;
    GArray *open;     /* Open */
    guint n_in_doubt; /* of them */
    gboolean told;    /* libxml2 knows all that are open, */
    guint patience;   /* and learns of so many more before it may forget them */
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

HieraValidator *hiera_validator_new(const char *path, HieraFindings *findings, gboolean always_ask)
{
    xmlInitParser();
    const HieraGrammar *grammar = hiera_grammar_peek();
    if (!grammar)
        return NULL;
    HieraValidator *validator = g_new0(HieraValidator, 1);
    validator->path = path;
    validator->findings = findings;
    validator->grammar = grammar;
    validator->always_ask = always_ask;
    validator->elements = g_hash_table_new(NULL, NULL);
    validator->document = xmlNewDoc((const xmlChar *)"1.0");
    validator->document->extSubset = grammar->dtd;
    grammar->dtd->doc = validator->document;
    validator->context = xmlNewValidCtxt();
    validator->context->userData = validator;
    validator->context->error = take_message;
    validator->context->warning = take_message;
    validator->open = g_array_new(FALSE, FALSE, sizeof(Open));
    validator->message = g_string_new(NULL);
    return validator;
}

static Open *peek_open(const HieraValidator *validator, guint i)
{
    return &g_array_index(validator->open, Open, i);
}

/* --- attributes --- */

static const HieraAttributeRule *find_rule(HieraValidator *validator, const HieraElementRule *element, const char *name)
{
    guint64 mixed = ((guint64)(guintptr)name + element->number) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    Known *known = &validator->known[mixed >> 54 & (KNOWN - 1)];
    if (known->element != element || known->name != name)
        *known = (Known){element, name, g_hash_table_lookup(element->rules, name)};
    return known->rule;
}

static gboolean is_token(const HieraXmlAttribute *attribute)
{
    for (const char *at = attribute->value; at < attribute->end; at++)
        if (!g_ascii_isalnum(*at) && *at != '_' && *at != '-' && *at != '.')
            return FALSE;
    return attribute->end > attribute->value;
}

static gboolean is_word(const HieraAttributeRule *rule, const HieraXmlAttribute *attribute)
{
    char word[LONGEST + 1];
    gsize length = (gsize)(attribute->end - attribute->value);
    if (length > LONGEST)
        return FALSE;
    memcpy(word, attribute->value, length);
    word[length] = '\0';
    return g_hash_table_contains(rule->words, word);
}

static gboolean is_surely_valid(const HieraAttributeRule *rule, const HieraXmlAttribute *attribute)
{
    if (!rule)
        return FALSE;
    switch (rule->sort) {
    case HIERA_VALUE_ANY:
        return TRUE;
    case HIERA_VALUE_TOKEN:
        return is_token(attribute);
    case HIERA_VALUE_WORD:
        return is_word(rule, attribute);
    case HIERA_VALUE_ASK:
        break;
    }
    return FALSE;
}

static xmlNode *make_node(const HieraValidator *validator, const char *name)
{
    return xmlNewDocNode(validator->document, NULL, (const xmlChar *)name, NULL);
}

/* Attributes are put in front of one another: libxml2 would walk to the last one each time. */
static void ask_attribute(HieraValidator *validator, Open *open, const HieraXmlAttribute *attribute)
{
    open->asked = open->asked ? open->asked : make_node(validator, open->name);
    xmlAttr *others = open->asked->properties;
    open->asked->properties = NULL;
    xmlAttr *made = xmlNewProp(open->asked, (const xmlChar *)attribute->name, NULL);
    made->next = others;
    if (others)
        others->prev = made;
    made->children = made->last =
        xmlNewTextLen((const xmlChar *)attribute->value, (int)(attribute->end - attribute->value));
    made->children->parent = (xmlNode *)made;
    made->children->doc = validator->document;
    const xmlChar *value = made->children->content;
    xmlValidateOneAttribute(validator->context, validator->document, open->asked, made,
                            value ? value : (const xmlChar *)"");
    flush_message(validator);
}

static void report_missing(HieraValidator *validator, const Open *open, guint64 there)
{
    for (guint i = 0; i < open->rule->required->len; i++) {
        if (i < 64 && there >> i & 1)
            continue;
        take_message(validator, "element %s does not have the attribute %s", open->name,
                     (const char *)g_ptr_array_index(open->rule->required, i));
        flush_message(validator);
    }
}

/* Attributes of a name space (xml:lang) are not the DTD's business. */
static void check_attributes(HieraValidator *validator, Open *open, const HieraXmlAttribute *attributes, guint n)
{
    guint64 there = 0; /* bits of those that are required */
    guint needed = open->rule->required->len;
    for (guint i = 0; i < n; i++) {
        if (attributes[i].prefix)
            continue;
        const HieraAttributeRule *rule = find_rule(validator, open->rule, attributes[i].name);
        if (rule && rule->required >= 0)
            there |= G_GUINT64_CONSTANT(1) << rule->required;
        if (validator->always_ask || !is_surely_valid(rule, &attributes[i]))
            ask_attribute(validator, open, &attributes[i]);
    }
    if (there != (needed < 64 ? (G_GUINT64_CONSTANT(1) << needed) - 1 : ~G_GUINT64_CONSTANT(0)))
        report_missing(validator, open, there);
}

/* --- places --- */

static const HieraElementRule *find_element(HieraValidator *validator, const char *name)
{
    gpointer found;
    if (!g_hash_table_lookup_extended(validator->elements, name, NULL, &found)) {
        found = g_hash_table_lookup(validator->grammar->elements, name);
        g_hash_table_insert(validator->elements, (gpointer)name, found);
    }
    return found;
}

static gboolean has_sure_place(const HieraElementRule *rule, const Open *around)
{
    return rule && rule->simple &&
           (!around || (around->rule && around->rule->simple && around->rule->children >> rule->number & 1));
}

static void tell(HieraValidator *validator, Open *open)
{
    open->node = make_node(validator, open->name);
    xmlValidatePushElement(validator->context, validator->document, open->node, open->node->name);
}

static void doubt(HieraValidator *validator, Open *open)
{
    validator->n_in_doubt += !open->in_doubt;
    open->in_doubt = TRUE;
}

/* The last one of those that libxml2 knows. */
static void take_back(HieraValidator *validator, Open *open)
{
    if (open->node) {
        xmlValidatePopElement(validator->context, validator->document, open->node, open->node->name);
        xmlFreeNode(open->node);
    }
    open->node = NULL;
}

/* Nothing is in doubt any more: what is open is as if it had just begun. */
static void forget_all(HieraValidator *validator)
{
    for (guint i = validator->open->len; i-- > 0;)
        take_back(validator, peek_open(validator, i));
    g_string_truncate(validator->message, 0);
    validator->told = FALSE;
}

/* libxml2 learns of all that are open, none of which it can find fault with. */
static void tell_all(HieraValidator *validator)
{
    for (guint i = 0; i < validator->open->len; i++)
        tell(validator, peek_open(validator, i));
    g_string_truncate(validator->message, 0);
    validator->told = TRUE;
    validator->patience = validator->open->len;
}

/* libxml2 would complain about the element's place, and then about each of its attributes. */
static void report_undeclared(HieraValidator *validator, const char *name)
{
    g_string_truncate(validator->message, 0);
    take_message(validator, "element %s is not declared", name);
    flush_message(validator);
}

static void check_place(HieraValidator *validator, Open *open)
{
    Open *around = validator->open->len ? peek_open(validator, validator->open->len - 1) : NULL;
    gboolean sure = !validator->always_ask && has_sure_place(open->rule, around);
    if (!sure) {
        if (!validator->told)
            tell_all(validator);
        if (around)
            doubt(validator, around);
        doubt(validator, open);
    }
    if (!validator->told)
        return;
    tell(validator, open);
    validator->patience -= validator->patience > 0;
}

void hiera_validator_start(HieraValidator *validator, guint32 line, const char *name,
                           const HieraXmlAttribute *attributes, guint n_attributes)
{
    Open open = {.rule = find_element(validator, name), .name = name};
    validator->line = line;
    check_place(validator, &open);
    if (open.rule) {
        flush_message(validator);
        check_attributes(validator, &open, attributes, n_attributes);
    } else {
        report_undeclared(validator, name);
    }
    g_array_append_val(validator->open, open);
}

static void close_last(HieraValidator *validator)
{
    Open *open = peek_open(validator, validator->open->len - 1);
    gboolean in_doubt = open->in_doubt;
    take_back(validator, open);
    xmlFreeNode(open->asked);
    g_array_set_size(validator->open, validator->open->len - 1);
    validator->n_in_doubt -= in_doubt;
}

void hiera_validator_end(HieraValidator *validator, guint32 line)
{
    if (validator->open->len == 0)
        return;
    validator->line = line;
    close_last(validator);
    flush_message(validator);
    if (validator->told && validator->n_in_doubt == 0 && validator->patience == 0)
        forget_all(validator);
}

void hiera_validator_free(HieraValidator *validator)
{
    if (!validator)
        return;
    while (validator->open->len > 0) /* the trace was cut short */
        close_last(validator);
    g_array_unref(validator->open);
    g_hash_table_unref(validator->elements);
    g_string_free(validator->message, TRUE);
    xmlFreeValidCtxt(validator->context);
    validator->document->extSubset = NULL;
    validator->grammar->dtd->doc = NULL;
    xmlFreeDoc(validator->document);
    g_free(validator);
}
