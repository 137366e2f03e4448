/* See validator.h. The tables of grammar.h decide most cases; libxml2 decides the others.
 *
 * About an attribute, libxml2 is asked with xmlValidateOneAttribute. About the place of an element it is asked with
 * xmlValidatePushElement, for which all elements around it must have been pushed. So all open elements are pushed,
 * and every new one as well, until two conditions hold: the elements in doubt have ended, and at least as many new
 * elements were pushed as were open. Without the second condition, a deep trace with many errors would take quadratic
 * time. Required attributes are checked here, because libxml2 checks them in complete trees only. */
#include "validator.h"
#include "base/findings.h"
#include "grammar.h"
#include <libxml/parser.h>
#include <libxml/valid.h>
#include <string.h>

#define KNOWN   1024 /* entries of the hash table of attribute rules; a power of two */
#define LONGEST 63   /* longest value of an attribute that HIERA_VALID_WORD looks up, in bytes */

/* Entry of the stack of open elements. */
typedef struct {
    const HieraElementRule *rule; /* NULL: the DTD does not declare the element */
    const char *name;
    xmlNode *node;     /* the element's node, pushed to libxml2; NULL: not pushed */
    xmlNode *asked;    /* node with attributes that libxml2 has checked; kept because libxml2 may point to them (ids) */
    gboolean in_doubt; /* whether the tables do not suffice, so libxml2 checks the element and its children */
} Open;

/* Entry of the cache of attribute rules, found by the parser's pointer for the attribute's name. */
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
    GHashTable *elements; /* parser's pointer for an element's name → HieraElementRule */
    Known known[KNOWN];
    xmlDocPtr document; /* document for libxml2: has the ids of this trace, and the DTD once libxml2 is asked */
    xmlValidCtxtPtr context;
    GArray *open;       /* stack of Open: the open elements */
    guint n_in_doubt;   /* number of open elements with `in_doubt` */
    gboolean is_pushed; /* whether all open elements are pushed to libxml2 */
    guint pushes_due;   /* number of new elements that must still be pushed before all may be popped */
    guint32 line;
    GString *message;
    char *id; /* the ID of the root element, of which libxml2 has not been told; NULL: none */
    const char *id_name;
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

/* Make one finding of the collected messages of libxml2. Equal ones become one finding with a count. */
static void flush_message(HieraValidator *validator)
{
    if (validator->message->len == 0)
        return;
    g_strdelimit(g_strchomp(validator->message->str), "\n", ' ');
    g_autofree char *subject = g_strconcat(validator->path, " ", validator->message->str, NULL);
    hiera_findings_add(validator->findings, HIERA_FINDING_INVALID, validator->path, validator->line, subject,
                       "violates the DTD: %s", validator->message->str);
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

/* --- checking attributes --- */

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
    case HIERA_VALID_ANY:
        return TRUE;
    case HIERA_VALID_TOKEN:
        return is_token(attribute);
    case HIERA_VALID_WORD:
        return is_word(rule, attribute);
    case HIERA_VALID_ID:
    case HIERA_VALID_ASK:
        break;
    }
    return FALSE;
}

/* Make a node for libxml2, which is asked about it next. */
static xmlNode *make_node(const HieraValidator *validator, const char *name)
{
    if (!validator->document->extSubset) {
        validator->document->extSubset = hiera_grammar_own_dtd();
        validator->document->extSubset->doc = validator->document;
    }
    return xmlNewDocNode(validator->document, NULL, (const xmlChar *)name, NULL);
}

/* Let libxml2 check an attribute. The attribute is put before the others of the node by hand: xmlNewProp would walk
 * to the last one each time. */
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

/* @param present  bit i: the element has required attribute number i */
static void report_missing(HieraValidator *validator, const Open *open, guint64 present)
{
    for (guint i = 0; i < open->rule->required->len; i++) {
        if (i < 64 && present >> i & 1)
            continue;
        take_message(validator, "element %s lacks the required attribute %s", open->name,
                     (const char *)g_ptr_array_index(open->rule->required, i));
        flush_message(validator);
    }
}

/* Whether an ID is that of the root element, and surely valid: then libxml2 is told of it only when it is asked about
 * another one, which has to differ. */
static gboolean is_first_id(HieraValidator *validator, const HieraXmlAttribute *id)
{
    if (!validator->always_ask && validator->open->len == 0 && is_token(id) && g_ascii_isalpha(*id->value)) {
        validator->id_name = id->name;
        validator->id = g_strndup(id->value, hiera_attribute_length(id));
        return TRUE;
    }
    g_autofree char *first = g_steal_pointer(&validator->id);
    if (first && validator->open->len > 0) {
        const HieraXmlAttribute told = {.name = validator->id_name, .value = first, .end = first + strlen(first)};
        ask_attribute(validator, peek_open(validator, 0), &told);
    }
    return FALSE;
}

/* Check the attributes of an element. Attributes with a namespace (xml:lang) are skipped: the DTD does not declare
 * them. */
static void check_attributes(HieraValidator *validator, Open *open, const HieraXmlAttribute *attributes, guint n)
{
    guint64 present = 0; /* bit i: the element has required attribute number i */
    guint needed = open->rule->required->len;
    for (guint i = 0; i < n; i++) {
        if (attributes[i].prefix)
            continue;
        const HieraAttributeRule *rule = find_rule(validator, open->rule, attributes[i].name);
        if (rule && rule->required >= 0)
            present |= G_GUINT64_CONSTANT(1) << rule->required;
        if (rule && rule->sort == HIERA_VALID_ID && is_first_id(validator, &attributes[i]))
            continue;
        if (validator->always_ask || !is_surely_valid(rule, &attributes[i]))
            ask_attribute(validator, open, &attributes[i]);
    }
    if (present != (needed < 64 ? (G_GUINT64_CONSTANT(1) << needed) - 1 : ~G_GUINT64_CONSTANT(0)))
        report_missing(validator, open, present);
}

/* --- checking where elements stand --- */

static const HieraElementRule *find_element(HieraValidator *validator, const char *name)
{
    gpointer found;
    if (!g_hash_table_lookup_extended(validator->elements, name, NULL, &found)) {
        found = g_hash_table_lookup(validator->grammar->elements, name);
        g_hash_table_insert(validator->elements, (gpointer)name, found);
    }
    return found;
}

/* Whether the tables allow an element inside `around` (NULL: as the root); FALSE: libxml2 must decide. */
static gboolean has_sure_place(const HieraElementRule *rule, const Open *around)
{
    return rule && rule->simple &&
           (!around || (around->rule && around->rule->simple && around->rule->children >> rule->number & 1));
}

static void push(HieraValidator *validator, Open *open)
{
    open->node = make_node(validator, open->name);
    xmlValidatePushElement(validator->context, validator->document, open->node, open->node->name);
}

static void doubt(HieraValidator *validator, Open *open)
{
    validator->n_in_doubt += !open->in_doubt;
    open->in_doubt = TRUE;
}

/* Pop an element, the innermost one that is pushed to libxml2. */
static void pop(HieraValidator *validator, Open *open)
{
    if (open->node) {
        xmlValidatePopElement(validator->context, validator->document, open->node, open->node->name);
        xmlFreeNode(open->node);
    }
    open->node = NULL;
}

/* Pop all open elements from libxml2. Its messages are dropped, because no element is in doubt any more. */
static void pop_all(HieraValidator *validator)
{
    for (guint i = validator->open->len; i-- > 0;)
        pop(validator, peek_open(validator, i));
    g_string_truncate(validator->message, 0);
    validator->is_pushed = FALSE;
}

/* Push all open elements to libxml2. Its messages are dropped, because no element is in doubt. */
static void push_all(HieraValidator *validator)
{
    for (guint i = 0; i < validator->open->len; i++)
        push(validator, peek_open(validator, i));
    g_string_truncate(validator->message, 0);
    validator->is_pushed = TRUE;
    validator->pushes_due = validator->open->len;
}

/* Report an undeclared element as one finding; libxml2 would report the element and each of its attributes. */
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
        if (!validator->is_pushed)
            push_all(validator);
        if (around)
            doubt(validator, around);
        doubt(validator, open);
    }
    if (!validator->is_pushed)
        return;
    push(validator, open);
    validator->pushes_due -= validator->pushes_due > 0;
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
    pop(validator, open);
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
    if (validator->is_pushed && validator->n_in_doubt == 0 && validator->pushes_due == 0)
        pop_all(validator);
}

void hiera_validator_free(HieraValidator *validator)
{
    if (!validator)
        return;
    while (validator->open->len > 0) /* elements can be open here if the trace is cut short */
        close_last(validator);
    g_array_unref(validator->open);
    g_hash_table_unref(validator->elements);
    g_string_free(validator->message, TRUE);
    g_free(validator->id);
    xmlFreeValidCtxt(validator->context);
    if (validator->document->extSubset)
        validator->document->extSubset->doc = NULL;
    validator->document->extSubset = NULL;
    xmlFreeDoc(validator->document);
    g_free(validator);
}
