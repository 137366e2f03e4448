/* See where_attributes.h. The DTD says which attributes exist; dtd/attributes.h says their types. */
#include "where_attributes.h"
#include "base/attribute_columns.h"
#include "text/nearest.h"
#include "where_names.h"
#include "xml/grammar.h"
#include <string.h>

/* Whose attribute an expression asks for: that of the operation, its parent, its partner or its processor; TEAM: of
 * the innermost region or implicit task around, the number of threads, which is in its `args`. */
typedef enum { OWN, PARENT, PARTNER, PROCESSOR, TEAM, N_PLACES } Place;

static const char threads_name[] = "threads", threads_begin[] = "threads=";

#define OF_OPERATIONS                                                                                                  \
    {                                                                                                                  \
        "hieraMPI", "hieraOOPS", "hieraRegion"                                                                         \
    }
static const struct {
    const char *prefix;
    unsigned needs;
    const char *elements[4]; /* names of the elements that can have the attribute, up to NULL */
} places[N_PLACES] = {
    [OWN] = {"", 0, OF_OPERATIONS},
    [PARENT] = {"parent.", 0, OF_OPERATIONS},
    [PARTNER] = {"partner.", WHERE_NEEDS_PARTNERS, OF_OPERATIONS},
    [PROCESSOR] = {"processor.", 0, {"processor"}},
    [TEAM] = {"", 0, {"hieraRegion"}},
};

/* Attributes of operations that cannot be asked for, and why: the two encodings of a trace write them differently, or
 * only operations that stand for several calls have them, and --where does not accept these. */
#define OF_REQUESTS "requests are matched: ask for partner.…"
#define OF_SUMS     "only operations that stand for several calls have it"
static const struct {
    const char *name, *why;
} others[] = {{"start_time", "ask for start"},
              {"finish_time", "ask for finish"},
              {"request", OF_REQUESTS},
              {"requests", OF_REQUESTS},
              {"pending", OF_REQUESTS},
              {"sources", OF_REQUESTS},
              {"tags", OF_REQUESTS},
              {"sizes", OF_REQUESTS},
              {"calls", OF_SUMS},
              {"time", OF_SUMS},
              {"min", OF_SUMS},
              {"max", OF_SUMS},
              {"open", OF_SUMS},
              {"open_since", OF_SUMS},
              {"missed", OF_SUMS},
              {"failed", OF_SUMS}};

/* --- attributes in the DTD --- */

/* Whether the DTD gives an attribute to one of the elements of `place`. */
static gboolean is_of_place(const HieraGrammar *grammar, Place place, const char *attribute)
{
    for (const char *const *element = places[place].elements; *element; element++) {
        const HieraElementRule *rule = g_hash_table_lookup(grammar->elements, *element);
        if (rule && g_hash_table_contains(rule->rules, attribute))
            return TRUE;
    }
    return FALSE;
}

/* Return the name of the first element, by name, that has the attribute in the DTD; NULL: none has it. */
static const char *find_element(const HieraGrammar *grammar, const char *attribute)
{
    GHashTableIter elements;
    gpointer rule;
    const char *first = NULL;
    g_hash_table_iter_init(&elements, grammar->elements);
    while (g_hash_table_iter_next(&elements, NULL, &rule)) {
        const HieraElementRule *element = rule;
        if (g_hash_table_contains(element->rules, attribute) && (!first || strcmp(element->name, first) < 0))
            first = element->name;
    }
    return first;
}

static void offer(gpointer attribute, gpointer rule, gpointer nearest)
{
    (void)rule;
    hiera_nearest_offer(nearest, attribute);
}

static HieraNearest find_nearest(const HieraGrammar *grammar, Place place, const char *attribute)
{
    HieraNearest nearest = hiera_nearest_begin(attribute, strlen(attribute));
    for (const char *const *element = places[place].elements; *element; element++) {
        const HieraElementRule *rule = g_hash_table_lookup(grammar->elements, *element);
        if (rule)
            g_hash_table_foreach(rule->rules, offer, &nearest);
    }
    return nearest;
}

/* --- attributes in an expression that is compiled --- */

static const char *find_reason(const char *attribute)
{
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        if (g_str_equal(others[i].name, attribute))
            return others[i].why;
    }
    return NULL;
}

/* Write into `message` why an attribute cannot be asked for. */
static void explain(const HieraGrammar *grammar, Place place, const char *attribute, char *message)
{
    const char *prefix = places[place].prefix, *element = find_element(grammar, attribute);
    g_autofree char *name = g_strconcat(prefix, attribute, NULL);
    HieraNearest known = hiera_nearest_begin(name, strlen(name)), nearest = find_nearest(grammar, place, attribute);
    for (gsize i = 0; i < where_host.n_names; i++)
        hiera_nearest_offer(&known, where_host.names[i].name);
    if (is_of_place(grammar, PROCESSOR, attribute))
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%s' is recorded once for each rank: processor.%s", name,
                   attribute);
    else if (element)
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%s' is recorded of %s, not of operations", name, element);
    else if (nearest.best && nearest.fewest < known.fewest)
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "unknown name '%s'; did you mean '%s%s'?", name, prefix,
                   nearest.best);
}

static gboolean add(Place place, const char *attribute, unsigned *id, char *message)
{
    guint column = hiera_attribute_columns_add(attribute, place == PROCESSOR);
    if (column != HIERA_NONE)
        *id = column * N_PLACES + place;
    else if (hiera_attribute_columns_are_closed())
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE,
                   "'%s' was not read with the traces; start with an expression that names it: 'has(%s) or true'",
                   attribute, attribute);
    else
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "more than %d attributes are asked for",
                   HIERA_ATTRIBUTE_COLUMNS_MOST);
    return column != HIERA_NONE;
}

static HieraValueType type_of(const char *attribute)
{
    static const HieraValueType types[] = {[HIERA_AS_TEXT] = HIERA_VALUE_TEXT,
                                           [HIERA_AS_NUMBER] = HIERA_VALUE_INTEGER,
                                           [HIERA_AS_RANK] = HIERA_VALUE_INTEGER,
                                           [HIERA_AS_SECONDS] = HIERA_VALUE_DURATION};
    return types[hiera_attribute_type(attribute)];
}

static bool bind(void *needs, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type,
                 char message[HIERA_EXPRESSION_MESSAGE])
{
    const HieraGrammar *grammar = hiera_grammar_peek();
    g_autofree char *name = g_strndup(asked->name, asked->length);
    Place place = PROCESSOR;
    while (place > OWN && !g_str_has_prefix(name, places[place].prefix))
        place--;
    if (g_str_equal(name, threads_name))
        place = TEAM;
    const char *attribute = place == TEAM ? "args" : name + strlen(places[place].prefix);
    const char *why = place == PROCESSOR ? NULL : find_reason(attribute);
    if (!grammar || asked->function)
        return false;
    if (why)
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "'%s' cannot be asked for: %s", name, why);
    else if (!is_of_place(grammar, place, attribute))
        explain(grammar, place, attribute, message);
    else if (add(place, attribute, id, message)) {
        *(unsigned *)needs |= places[place].needs | WHERE_ASKS_ATTRIBUTES;
        *type = place == TEAM ? HIERA_VALUE_INTEGER : type_of(attribute);
        return true;
    }
    return false;
}

/* --- attribute values while operations are visited --- */

/* Return the row of the operation whose attribute is asked for; HIERA_NONE: there is no such operation. */
static guint32 find_row(const WhereWalk *walk, Place place)
{
    switch (place) {
    case OWN: /* computation in an operation (where_choose_computing) has level "" and no attributes */
        return *where_walk_peek(walk)->site->level ? walk->row : HIERA_NONE;
    case PARENT:
        return where_walk_peek_parent(walk) ? walk->parent : HIERA_NONE;
    case PARTNER:
        return walk->memory->partner[walk->row];
    default: /* case PROCESSOR */
        return (guint32)walk->processor->first;
    }
}

static const HieraAttributeValue *find_value(const WhereWalk *walk, Place place, guint column)
{
    guint depth = where_walk_peek(walk)->depth;
    if (walk->memory) {
        guint32 row = find_row(walk, place);
        return row == HIERA_NONE ? NULL : hiera_trace_find_attribute(walk->memory->trace, row, column);
    }
    if (place == PARENT)
        return depth > 0 ? where_walk_peek_attribute(walk, depth - 1, column) : NULL;
    return where_walk_peek_attribute(walk, depth, column);
}

/* Return the number behind `threads=` in arguments like "region=3 threads=2"; missing: there is none. */
static HieraValue threads_of(const HieraAttributeValue *arguments)
{
    const char *at = arguments ? arguments->text : NULL;
    while (at && !g_str_has_prefix(at, threads_begin)) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    return at ? hiera_value_integer(g_ascii_strtoll(at + sizeof threads_begin - 1, NULL, 10)) : hiera_value_missing();
}

/* Look at an operation for the number. @return whether it is a construct that tells it, or around which others do not
 * count: an implicit task, or a region */
static gboolean tells_threads(const HieraSite *site, const HieraAttributeValue *arguments, HieraValue *threads)
{
    gboolean is_part = g_str_equal(site->operation, "implicit task");
    if (!g_str_equal(site->level, "openmp") || (!is_part && !g_str_equal(site->operation, "parallel")))
        return FALSE;
    if (is_part)
        *threads = threads_of(arguments);
    return TRUE;
}

static HieraValue find_threads(const WhereWalk *walk, guint column)
{
    HieraValue threads = hiera_value_missing();
    if (walk->memory) {
        const HieraTrace *trace = walk->memory->trace;
        for (guint32 row = find_row(walk, OWN); row != HIERA_NONE; row = trace->parent[row])
            if (tells_threads(hiera_trace_peek_site(trace, row), hiera_trace_find_attribute(trace, row, column),
                              &threads))
                break;
        return threads;
    }
    const HieraOperation *operation = where_walk_peek(walk);
    for (guint depth = operation->depth + 1; depth-- > 0;) {
        const HieraOperation *of = depth == operation->depth ? operation : where_walk_peek_caller(walk, depth);
        if (tells_threads(of->site, where_walk_peek_attribute(walk, depth, column), &threads))
            break;
    }
    return threads;
}

static HieraValue get(unsigned id, void *context)
{
    guint column = id / N_PLACES;
    if (id % N_PLACES == TEAM)
        return find_threads(context, column);
    const HieraAttributeValue *value = find_value(context, (Place)(id % N_PLACES), column);
    if (!value)
        return hiera_value_missing();
    switch (hiera_attribute_columns_peek(column)->type) {
    case HIERA_AS_TEXT:
        return hiera_value_text(value->text, strlen(value->text));
    case HIERA_AS_SECONDS:
        return hiera_value_duration(value->number);
    default:
        return hiera_value_integer(value->number);
    }
}

HieraExpressionHost where_attributes_host(unsigned *needs)
{
    HieraExpressionHost host = where_host;
    host.bind = bind;
    host.binder = needs;
    host.get_bound = get;
    return host;
}
