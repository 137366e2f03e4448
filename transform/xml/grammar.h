/* The DTD as tables, for the questions that each element of a trace asks: which elements may stand in it, which
 * attributes it may and must have. libxml2 reads the DTD; what these tables are not sure of is asked of libxml2. */
#ifndef HIERA_GRAMMAR_H
#define HIERA_GRAMMAR_H

#include <glib.h>
#include <libxml/tree.h>

#define HIERA_GRAMMAR_MOST 64 /* elements that the tables can hold: a bit each */

typedef enum {
    HIERA_VALUE_ANY,   /* every value is valid */
    HIERA_VALUE_TOKEN, /* letters, digits and the like, of ASCII; of any other value libxml2 decides */
    HIERA_VALUE_WORD,  /* one of a list; likewise */
    HIERA_VALUE_ASK    /* libxml2 decides */
} HieraValueSort;

typedef struct {
    HieraValueSort sort;
    gint required; /* place among those that must be there, or -1 */
    GHashTable *words;
} HieraAttributeRule;

typedef struct {
    guint number;
    const char *name;
    gboolean simple;     /* its content is nothing, or any number of `children` in any order */
    guint64 children;    /* bits by number */
    GHashTable *rules;   /* name → HieraAttributeRule */
    GPtrArray *required; /* names of attributes */
} HieraElementRule;

typedef struct {
    xmlDtdPtr dtd;
    GHashTable *elements; /* name → HieraElementRule */
} HieraGrammar;

/* The DTD that is built in. One for each thread, which keeps it: libxml2 completes a DTD while it is used. */
const HieraGrammar *hiera_grammar_peek(void);

#endif
