/* What the names of --where mean; see where_names.h. */
#include "where_names.h"
#include "trace/catalog.h"
#include <string.h>

typedef enum {
    OPERATION,
    CLASS,
    LEVEL,
    FILE_NAME,
    LINE,
    RANK,
    DEPTH,
    THREAD,
    START,
    FINISH,
    DURATION,
    BYTES,
    RECEIVED,
    PEER,
    SOURCE,
    TAG,
    COMM,
    FAILED,
    HOST,
    PATH,
    WAITING
} Name;

static HieraValue text_of(const char *text)
{
    return *text ? hiera_value_text(text, strlen(text)) : hiera_value_missing();
}

static HieraValue known(gint64 number, gboolean is)
{
    return is ? hiera_value_integer(number) : hiera_value_missing();
}

static HieraValue site_value(Name name, const HieraSite *site)
{
    switch (name) {
    case OPERATION:
        return text_of(site->operation);
    case CLASS:
        return text_of(site->class_name);
    case LEVEL:
        return text_of(site->level);
    case FILE_NAME:
        return text_of(site->short_file);
    default: /* LINE */
        return known(site->line, site->line > 0);
    }
}

/* "step > TopologyGrid::bcast > broadcast", the operation itself last. The paths of the operation, its parent and its
 * partner are kept apart, since one expression may compare them. */
static HieraValue path_value(const WhereRow *of, guint32 row)
{
    GString *path = of->paths[row == of->row ? 0 : row == of->trace->parent[of->row] ? 1 : 2];
    g_string_truncate(path, 0);
    for (guint32 at = row; at != HIERA_NONE; at = of->trace->parent[at]) {
        const HieraSite *site = hiera_trace_peek_site(of->trace, at);
        if (path->len > 0)
            g_string_prepend(path, " > ");
        g_string_prepend(path, site->operation);
        if (*site->class_name) {
            g_string_prepend(path, "::");
            g_string_prepend(path, site->class_name);
        }
    }
    return hiera_value_text(path->str, path->len);
}

static HieraValue place_value(Name name, const WhereRow *of, guint32 row)
{
    const HieraTrace *trace = of->trace;
    const HieraProcessor *processor =
        &trace->processors[row == of->row ? of->processor : hiera_trace_find_processor(trace, row)];
    switch (name) {
    case RANK:
        return hiera_value_integer(processor->rank);
    case HOST:
        return text_of(processor->host);
    case PATH:
        return path_value(of, row);
    case FAILED:
        return hiera_value_truth(hiera_trace_is_failed(trace, row));
    case WAITING:
        return hiera_value_duration(of->waiting_ns[row]);
    default: /* COMM */
        return trace->comm[row] == HIERA_NONE
                   ? hiera_value_missing()
                   : text_of(hiera_catalog_peek_communicator(trace->catalog, trace->comm[row])->id);
    }
}

static HieraValue column_value(Name name, const HieraTrace *trace, guint32 row)
{
    switch (name) {
    case DEPTH:
        return hiera_value_integer(trace->depth[row]);
    case THREAD:
        return hiera_value_integer(trace->thread[row]);
    case START:
        return hiera_value_duration(trace->start_ns[row]);
    case FINISH:
        return hiera_value_duration(trace->finish_ns[row]);
    case DURATION:
        return hiera_value_duration(trace->finish_ns[row] - trace->start_ns[row]);
    case BYTES:
        return known(trace->bytes[row], trace->bytes[row] >= 0);
    case RECEIVED:
        return known(hiera_trace_peek_sparse(trace, row)->rbytes, hiera_trace_peek_sparse(trace, row)->rbytes >= 0);
    case PEER:
        return known(trace->peer[row], trace->peer[row] != HIERA_ABSENT);
    case SOURCE:
        return known(trace->source[row], trace->source[row] != HIERA_ABSENT);
    default: /* TAG */
        return known(trace->tag[row], trace->tag[row] != HIERA_ABSENT);
    }
}

static HieraValue value_of(Name name, const WhereRow *of, guint32 row)
{
    switch (name) {
    case OPERATION:
    case CLASS:
    case LEVEL:
    case FILE_NAME:
    case LINE:
        return site_value(name, hiera_trace_peek_site(of->trace, row));
    case RANK:
    case HOST:
    case PATH:
    case FAILED:
    case WAITING:
    case COMM:
        return place_value(name, of, row);
    default:
        return column_value(name, of->trace, row);
    }
}

static HieraValue get_own(unsigned id, void *context)
{
    const WhereRow *of = context;
    return value_of((Name)id, of, of->row);
}

static HieraValue get_parent(unsigned id, void *context)
{
    const WhereRow *of = context;
    guint32 parent = of->trace->parent[of->row];
    return parent == HIERA_NONE ? hiera_value_missing() : value_of((Name)id, of, parent);
}

static HieraValue get_partner(unsigned id, void *context)
{
    const WhereRow *of = context;
    guint32 partner = of->partner[of->row];
    return partner == HIERA_NONE ? hiera_value_missing() : value_of((Name)id, of, partner);
}

/* Names of the operation itself and, with a prefix, of its parent and its partner. */
#define PLACE(prefix, needs, get)                                                                                      \
    {prefix "operation", HIERA_VALUE_TEXT, OPERATION, needs, get},                                                     \
        {prefix "class", HIERA_VALUE_TEXT, CLASS, needs, get}, {prefix "level", HIERA_VALUE_TEXT, LEVEL, needs, get},  \
        {prefix "file", HIERA_VALUE_TEXT, FILE_NAME, needs, get},                                                      \
        {prefix "line", HIERA_VALUE_INTEGER, LINE, needs, get},                                                        \
        {prefix "depth", HIERA_VALUE_INTEGER, DEPTH, needs, get},                                                      \
        {prefix "thread", HIERA_VALUE_INTEGER, THREAD, needs, get},                                                    \
        {prefix "start", HIERA_VALUE_DURATION, START, needs, get},                                                     \
        {prefix "finish", HIERA_VALUE_DURATION, FINISH, needs, get},                                                   \
        {prefix "duration", HIERA_VALUE_DURATION, DURATION, needs, get},                                               \
        {prefix "bytes", HIERA_VALUE_INTEGER, BYTES, needs, get}, {prefix "path", HIERA_VALUE_TEXT, PATH, needs, get}, \
    {                                                                                                                  \
        prefix "waiting", HIERA_VALUE_DURATION, WAITING, (needs) | WHERE_NEEDS_WAITS, get                              \
    }

static const HieraExpressionName names[] = {
    PLACE("", 0, get_own),
    {"rank", HIERA_VALUE_INTEGER, RANK, 0, get_own},
    {"host", HIERA_VALUE_TEXT, HOST, 0, get_own},
    {"received", HIERA_VALUE_INTEGER, RECEIVED, 0, get_own},
    {"peer", HIERA_VALUE_INTEGER, PEER, 0, get_own},
    {"source", HIERA_VALUE_INTEGER, SOURCE, 0, get_own},
    {"tag", HIERA_VALUE_INTEGER, TAG, 0, get_own},
    {"comm", HIERA_VALUE_TEXT, COMM, 0, get_own},
    {"failed", HIERA_VALUE_TRUTH, FAILED, 0, get_own},
    PLACE("parent.", 0, get_parent),
    PLACE("partner.", WHERE_NEEDS_PARTNERS, get_partner),
    {"partner.rank", HIERA_VALUE_INTEGER, RANK, WHERE_NEEDS_PARTNERS, get_partner},
    {"partner.host", HIERA_VALUE_TEXT, HOST, WHERE_NEEDS_PARTNERS, get_partner},
};

static gboolean equals(const HieraValue *text, const char *other)
{
    return strlen(other) == text->length && memcmp(text->text, other, text->length) == 0;
}

/* True for "method" and "Class::method". */
static gboolean is_named(const HieraSite *site, const HieraValue *name)
{
    if (equals(name, site->operation))
        return TRUE;
    g_autofree char *full = *site->class_name ? g_strconcat(site->class_name, "::", site->operation, NULL) : NULL;
    return full && equals(name, full);
}

/* inside(level, name): one of the callers has this level and name. */
static HieraValue call_inside(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id;
    const WhereRow *of = context;
    for (guint32 at = of->trace->parent[of->row]; at != HIERA_NONE; at = of->trace->parent[at]) {
        const HieraSite *site = hiera_trace_peek_site(of->trace, at);
        if (equals(&arguments[0], site->level) && is_named(site, &arguments[1]))
            return hiera_value_truth(TRUE);
    }
    return hiera_value_truth(FALSE);
}

static const HieraExpressionFunction functions[] = {
    {"inside", HIERA_VALUE_TRUTH, 2, {HIERA_VALUE_TEXT, HIERA_VALUE_TEXT}, 0, 0, call_inside},
};

const HieraExpressionHost where_host = {
    .names = names,
    .n_names = G_N_ELEMENTS(names),
    .functions = functions,
    .n_functions = G_N_ELEMENTS(functions),
};
