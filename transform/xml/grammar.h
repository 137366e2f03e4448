/* The DTD as tables, for the validator: the allowed children of each element, its allowed and required attributes.
 * libxml2 parses the DTD. The tables represent simple rules only; the validator asks libxml2 about all others. */
#pragma once

#include <glib.h>
#include <libxml/tree.h>

#define HIERA_GRAMMAR_MOST 64 /* most elements in the tables: each has a bit of a word */

typedef enum {
    HIERA_VALID_ANY,   /* every value is valid */
    HIERA_VALID_TOKEN, /* ASCII letters, digits, '_', '-' and '.' are valid; libxml2 decides about other values */
    HIERA_VALID_WORD,  /* the values of a list are valid; libxml2 decides about other values */
    HIERA_VALID_ASK    /* libxml2 decides about every value */
} HieraValueSort;

typedef struct {
    HieraValueSort sort;
    gint required;     /* index in `required` of the element; -1: optional */
    GHashTable *words; /* values of a HIERA_VALID_WORD */
} HieraAttributeRule;

typedef struct {
    guint number; /* number of the element, from 0 */
    const char *name;
    gboolean simple;     /* may contain any number of `children` in any order, and nothing else */
    guint64 children;    /* bit n: the element with number n; 0: the element is empty */
    GHashTable *rules;   /* name of an attribute → HieraAttributeRule */
    GPtrArray *required; /* names of required attributes */
} HieraElementRule;

typedef struct {
    xmlDtdPtr dtd;
    GHashTable *elements; /* name → HieraElementRule */
} HieraGrammar;

/* Return the tables of the built-in DTD; NULL if it cannot be parsed. Each thread has its own, because libxml2
 * modifies a DTD while it uses it. The tables belong to the thread and are freed when it ends. */
const HieraGrammar *hiera_grammar_peek(void);
