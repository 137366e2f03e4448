/* See where_names.h. Here is what the names in --where expressions mean. */
#include "where_names.h"
#include "trace/short_files.h"
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
    default: /* case LINE */
        return known(site->line, site->line > 0);
    }
}

static const char *path_of_row(const HieraTrace *trace, guint32 row, GString *path)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof row);
    for (; row != HIERA_NONE; row = trace->parent[row])
        g_array_append_val(rows, row);
    g_string_truncate(path, 0);
    for (guint i = rows->len; i-- > 0;) {
        where_append_name(path, hiera_trace_peek_site(trace, g_array_index(rows, guint32, i)));
        g_string_append(path, i > 0 ? " > " : "");
    }
    return path->str;
}

/* Return FINISH or DURATION; without an end in the trace, it is known only when the whole trace has been read. */
static HieraValue end_value(Name name, WhereWalk *walk, const HieraOperation *operation)
{
    gint64 finish_ns = operation->finish_ns;
    if (finish_ns == HIERA_TIME_OPEN && !walk->memory) {
        walk->unsure = TRUE;
        return hiera_value_missing();
    }
    return hiera_value_duration(name == FINISH ? finish_ns : finish_ns - operation->start_ns);
}

static HieraValue place_value(Name name, WhereWalk *walk, const HieraOperation *operation)
{
    switch (name) {
    case FILE_NAME:
        return text_of(walk->memory ? operation->site->short_file : hiera_file_alone(operation->site->file));
    case FINISH:
    case DURATION:
        return end_value(name, walk, operation);
    case FAILED:
        return hiera_value_truth(operation->failed);
    default: /* case COMM */
        return operation->comm == HIERA_NONE ? hiera_value_missing()
                                             : text_of(where_walk_communicator(walk, operation->comm));
    }
}

static gboolean is_of_window(HieraKind kind)
{
    return kind == HIERA_KIND_RMA || kind == HIERA_KIND_EXPOSE_END;
}

static HieraValue number_value(Name name, const HieraOperation *operation)
{
    switch (name) {
    case DEPTH:
        return hiera_value_integer(operation->depth);
    case THREAD:
        return hiera_value_integer(operation->thread);
    case START:
        return hiera_value_duration(operation->start_ns);
    case BYTES:
        return known(operation->bytes, operation->bytes >= 0);
    case RECEIVED:
        return known(operation->rbytes, operation->rbytes >= 0);
    case PEER:
        return known(operation->peer, operation->peer != HIERA_ABSENT);
    case SOURCE:
        return known(operation->source, operation->source != HIERA_ABSENT);
    default: /* case TAG: of a call on a window, the field `tag` has another argument */
        return known(operation->tag, operation->tag != HIERA_ABSENT && !is_of_window(operation->site->kind));
    }
}

/* Return a value that the operation itself has, without its callers, partner and processor. */
static HieraValue value_of(Name name, WhereWalk *walk, const HieraOperation *operation)
{
    switch (name) {
    case OPERATION:
    case CLASS:
    case LEVEL:
    case LINE:
        return site_value(name, operation->site);
    case FILE_NAME:
    case FINISH:
    case DURATION:
    case FAILED:
    case COMM:
        return place_value(name, walk, operation);
    default:
        return number_value(name, operation);
    }
}

static HieraValue processor_value(Name name, const HieraProcessor *processor)
{
    return name == RANK ? hiera_value_integer(processor->rank) : text_of(processor->host);
}

static HieraValue path_value(WhereWalk *walk, guint n_less)
{
    gsize length;
    const char *text = where_walk_path(walk, n_less, &length);
    return hiera_value_text(text, length);
}

static HieraValue get_own(unsigned id, void *context)
{
    WhereWalk *walk = context;
    if (id == RANK || id == HOST)
        return processor_value((Name)id, walk->processor);
    if (id == WAITING)
        return hiera_value_duration(walk->memory->waiting_ns[walk->row]);
    return id == PATH ? path_value(walk, 0) : value_of((Name)id, walk, where_walk_peek(walk));
}

static HieraValue get_parent(unsigned id, void *context)
{
    WhereWalk *walk = context;
    const HieraOperation *parent = where_walk_peek_parent(walk);
    if (!parent)
        return hiera_value_missing();
    if (id == WAITING)
        return hiera_value_duration(walk->memory->waiting_ns[walk->parent]);
    return id == PATH ? path_value(walk, 1) : value_of((Name)id, walk, parent);
}

static HieraValue get_partner(unsigned id, void *context)
{
    WhereWalk *walk = context;
    const WhereMemory *memory = walk->memory;
    guint32 row = memory->partner[walk->row];
    if (row == HIERA_NONE)
        return hiera_value_missing();
    const HieraProcessor *processor = &memory->trace->processors[hiera_trace_find_processor(memory->trace, row)];
    if (id == RANK || id == HOST)
        return processor_value((Name)id, processor);
    if (id == WAITING)
        return hiera_value_duration(memory->waiting_ns[row]);
    if (id == PATH)
        return text_of(path_of_row(memory->trace, row, memory->path));
    const HieraOperation operation = where_operation(memory->trace, processor, row);
    return value_of((Name)id, walk, &operation);
}

/* Names of values of an operation; the prefix says whether of the operation itself, its parent or its partner. */
#define PLACE(prefix, needs, get)                                                                                      \
    {prefix "operation", HIERA_VALUE_TEXT, OPERATION, needs, get},                                                     \
        {prefix "class", HIERA_VALUE_TEXT, CLASS, needs, get}, {prefix "level", HIERA_VALUE_TEXT, LEVEL, needs, get},  \
        {prefix "file", HIERA_VALUE_TEXT, FILE_NAME, (needs) | WHERE_ASKS_FILES, get},                                 \
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

/* Whether `name` is the name of a call site's operation, as "method" or as "Class::method". */
static gboolean is_named(const HieraSite *site, const HieraValue *name)
{
    if (equals(name, site->operation))
        return TRUE;
    g_autofree char *full = *site->class_name ? g_strconcat(site->class_name, "::", site->operation, NULL) : NULL;
    return full && equals(name, full);
}

/* Function inside(level, name): whether one of the operation's callers has this level and name. */
static HieraValue call_inside(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id;
    const HieraOperation *caller;
    for (guint depth = 0; (caller = where_walk_peek_caller(context, depth)); depth++) {
        if (equals(&arguments[0], caller->site->level) && is_named(caller->site, &arguments[1]))
            return hiera_value_truth(TRUE);
    }
    return hiera_value_truth(FALSE);
}

/* Function counter(name): value of this counter for the operation. */
static HieraValue call_counter(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id;
    WhereWalk *walk = context;
    const HieraCounted *first;
    if (!walk->memory) {
        walk->unsure = TRUE;
        return hiera_value_missing();
    }
    guint n = hiera_trace_peek_counted(walk->memory->trace, walk->row, &first);
    for (guint i = 0; i < n; i++) {
        if (equals(&arguments[0], first[i].counter->name))
            return hiera_value_number(first[i].value);
    }
    return hiera_value_missing();
}

static const HieraExpressionFunction functions[] = {
    {"counter", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_TEXT}, 0, WHERE_ASKS_COUNTERS, call_counter},
    {"inside", HIERA_VALUE_TRUTH, 2, {HIERA_VALUE_TEXT, HIERA_VALUE_TEXT}, 0, 0, call_inside},
};

const HieraExpressionHost where_host = {
    .names = names,
    .n_names = G_N_ELEMENTS(names),
    .functions = functions,
    .n_functions = G_N_ELEMENTS(functions),
};
