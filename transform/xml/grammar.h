/* The DTD as tables, for the validator: the allowed children of each element, its allowed and required attributes.
 * libxml2 parses the DTD. The tables represent simple rules only; the validator asks libxml2 about all others. */
#pragma once

#include <glib.h>
#include <libxml/tree.h>

#define HIERA_GRAMMAR_MOST 64 /* most elements in the tables, as `children` has one bit for each */

typedef enum {
    HIERA_VALID_ANY,   /* every value is valid */
    HIERA_VALID_TOKEN, /* ASCII letters, digits, '_', '-' and '.' are valid; libxml2 decides about other values */
    HIERA_VALID_WORD,  /* the values in `words` are valid; libxml2 decides about other values */
    HIERA_VALID_ID,    /* the first one of a trace is valid as a token that begins with a letter; libxml2 decides about
                          others */
    HIERA_VALID_ASK    /* libxml2 decides about all values */
} HieraValueSort;

typedef struct {
    HieraValueSort sort;
    gint required;     /* index of the attribute in HieraElementRule.required; -1: the attribute is optional */
    GHashTable *words; /* set of the values that HIERA_VALID_WORD allows */
} HieraAttributeRule;

typedef struct {
    guint number; /* number of the element in the tables, from 0 */
    const char *name;
    gboolean simple;     /* whether the element may contain any number of `children` in any order, and nothing else */
    guint64 children;    /* bit n: the element may contain the element with number n; 0: it must be empty */
    GHashTable *rules;   /* name of the element's attribute → HieraAttributeRule */
    GPtrArray *required; /* names of the element's required attributes */
} HieraElementRule;

typedef struct {
    xmlDtdPtr dtd;        /* owns the names in the tables */
    GHashTable *elements; /* name of the element → HieraElementRule */
} HieraGrammar;

/* Return the tables of the built-in DTD, which all threads share; NULL if it cannot be parsed. */
const HieraGrammar *hiera_grammar_peek(void);
/* Return the built-in DTD for libxml2, which modifies a DTD while it uses it: each thread has its own, which is freed
 * when the thread ends. NULL if it cannot be parsed. */
xmlDtdPtr hiera_grammar_own_dtd(void);
