/* See vocabulary.h. The tables are made from X-macros at compile time; the hash table of operation names is made at
 * its first use. */
#include "vocabulary.h"
#include "operations.h"
#include <string.h>

static const char *const element_names[] = {
#define X(identifier, name) name,
    HIERA_ELEMENTS(X)
#undef X
};

static const char *const attribute_names[] = {
#define X(identifier, name) name,
    HIERA_ATTRIBUTES(X)
#undef X
};

static const gboolean is_collective[] = {
#define X(identifier, name, collective) collective,
    HIERA_KINDS(X)
#undef X
};

enum { SPELLING_ELEMENT, SPELLING_ATTRIBUTE };

static const struct {
    int type; /* kind of name: SPELLING_ELEMENT or SPELLING_ATTRIBUTE */
    int number;
    const char *name;
} spellings[] = {
#define X(type, identifier, name) {SPELLING_##type, HIERA_##type##_##identifier, name},
    HIERA_SPELLINGS(X)
#undef X
};

static const struct {
    const char *name;
    gint32 value;
} specials[] = {
#define X(of, name, value) {#name, value},
    HIERA_SPECIAL_VALUES(X)
#undef X
#define X(name, value) {name, value},
        HIERA_OTHER_SPECIALS(X)
#undef X
};

static const struct {
    const char *name;
    gsize length;
} operators[] = {
#define X(name) {name, sizeof name - 1},
    HIERA_REDUCTIONS(X)
#undef X
};

static const struct {
    const char *name;
    HieraKind kind, starts;
} operations[] = {
#define X(name, kind, starts, group) {name, HIERA_KIND_##kind, HIERA_KIND_##starts},
    HIERA_OPERATIONS(X)
#undef X
};

/* Parameters of the same operations, in the same order. */
static const char *const parameters[] = {
#define X(name, names) names,
    HIERA_PARAMETERS(X)
#undef X
};
G_STATIC_ASSERT(G_N_ELEMENTS(parameters) == G_N_ELEMENTS(operations));

static const struct {
    const char *name, *mpi;
} parameter_names[] = {{"type", "datatype"},
                       {"rem", "source"},
                       {"scount", "sendcount"},
                       {"stype", "sendtype"},
                       {"rcount", "recvcount"},
                       {"rtype", "recvtype"},
                       {"scounts", "sendcounts"},
                       {"rcounts", "recvcounts"},
                       {"stag", "sendtag"},
                       {"rtag", "recvtag"},
                       {"origin_type", "origin_datatype"},
                       {"target_type", "target_datatype"}};

const char *hiera_element_name(HieraElement element)
{
    return element_names[element];
}

const char *hiera_attribute_name(HieraAttribute attribute)
{
    return attribute_names[attribute];
}

gboolean hiera_kind_collective(HieraKind kind)
{
    return is_collective[kind];
}

static void each_word(const char *const *names, guint n, int type, HieraWord word, gpointer user)
{
    for (guint i = 0; i < n; i++)
        word(names[i], (int)i, user);
    for (guint i = 0; i < G_N_ELEMENTS(spellings); i++) {
        if (spellings[i].type == type)
            word(spellings[i].name, spellings[i].number, user);
    }
}

void hiera_vocabulary_elements(HieraWord word, gpointer user)
{
    each_word(element_names, HIERA_N_ELEMENTS, SPELLING_ELEMENT, word, user);
}

void hiera_vocabulary_attributes(HieraWord word, gpointer user)
{
    each_word(attribute_names, HIERA_N_ATTRIBUTES, SPELLING_ATTRIBUTE, word, user);
}

void hiera_vocabulary_differing(const char *names[HIERA_N_DIFFERING + 1])
{
    static const HieraAttribute differing[HIERA_N_DIFFERING] = {
        HIERA_ATTRIBUTE_START_TIME, HIERA_ATTRIBUTE_FINISH_TIME, HIERA_ATTRIBUTE_T,      HIERA_ATTRIBUTE_D,
        HIERA_ATTRIBUTE_REQUEST,    HIERA_ATTRIBUTE_REQUESTS,    HIERA_ATTRIBUTE_PENDING};
    for (guint i = 0; i < HIERA_N_DIFFERING; i++)
        names[i] = hiera_attribute_name(differing[i]);
    names[HIERA_N_DIFFERING] = NULL;
}

static gpointer build_kinds(gpointer unused)
{
    (void)unused;
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++)
        g_hash_table_insert(table, (gpointer)operations[i].name, GUINT_TO_POINTER(i));
    return table;
}

/* Return the index of an operation; HIERA_NONE: it is unknown. */
static guint find_operation(const char *operation)
{
    static GOnce once = G_ONCE_INIT;
    GHashTable *table = g_once(&once, build_kinds, NULL);
    gpointer value;
    return g_hash_table_lookup_extended(table, operation, NULL, &value) ? GPOINTER_TO_UINT(value) : HIERA_NONE;
}

gboolean hiera_vocabulary_kind(const char *operation, HieraKind *kind, HieraKind *starts)
{
    guint found = find_operation(operation);
    if (found == HIERA_NONE)
        return FALSE;
    *kind = operations[found].kind;
    *starts = operations[found].starts;
    return TRUE;
}

guint hiera_parameter_find(const char *operation, const char *name)
{
    guint found = find_operation(operation), number = 1;
    for (const char *at = found == HIERA_NONE ? "" : parameters[found]; *at; number++) {
        gsize length = strcspn(at, " ");
        const char *own = *at == '=' ? at + 1 : at;
        if (strlen(name) == length - (gsize)(own - at) && memcmp(own, name, strlen(name)) == 0)
            return number;
        at += length + strspn(at + length, " ");
    }
    return 0;
}

const char *hiera_parameter_mpi_name(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(parameter_names); i++)
        if (strcmp(parameter_names[i].name, name) == 0)
            return parameter_names[i].mpi;
    return name;
}

gint32 hiera_vocabulary_operator(const char *text, gsize length)
{
    for (guint i = 0; i < G_N_ELEMENTS(operators); i++) {
        if (operators[i].length == length && memcmp(operators[i].name, text, length) == 0)
            return (gint32)i;
    }
    return HIERA_OPERATOR_OWN;
}

const char *hiera_operator_name(gint32 number)
{
    return number >= 0 && number < (gint32)G_N_ELEMENTS(operators) ? operators[number].name : "a user-defined operator";
}

gboolean hiera_vocabulary_special(const char *text, gsize length, gint32 *value)
{
    for (guint i = 0; i < G_N_ELEMENTS(specials); i++) {
        if (strlen(specials[i].name) == length && memcmp(specials[i].name, text, length) == 0) {
            *value = specials[i].value;
            return TRUE;
        }
    }
    return FALSE;
}
