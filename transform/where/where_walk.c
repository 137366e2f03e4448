#include "where_walk.h"
#include "base/attribute_columns.h"
#include "trace/catalog.h"
#include "trace/replay.h"

typedef struct {
    HieraOperation operation; /* the operation at this depth, without valid `requests` */
    gsize path_end;           /* end in WhereWalk.path of this operation's name; set when the name is written */
} Step;

void where_walk_init(WhereWalk *walk, HieraCatalog *catalog, const HieraProcessor *processor, const WhereMemory *memory)
{
    *walk = (WhereWalk){.catalog = catalog, .processor = processor, .memory = memory, .comm = HIERA_NONE};
    walk->steps = g_array_new(FALSE, FALSE, sizeof(Step));
    walk->path = g_string_new(NULL);
    walk->attributes = g_array_new(FALSE, TRUE, sizeof(WhereAttribute));
    walk->coming = g_new0(WhereAttribute, hiera_attribute_columns_count());
}

void where_walk_clear(WhereWalk *walk)
{
    g_array_unref(walk->steps);
    g_string_free(walk->path, TRUE);
    g_array_unref(walk->attributes);
    g_free(walk->coming);
}

void where_walk_see(WhereWalk *walk, const HieraAttributeValue *value)
{
    walk->coming[value->column] = (WhereAttribute){TRUE, *value};
}

const HieraAttributeValue *where_walk_peek_attribute(const WhereWalk *walk, guint depth, guint column)
{
    const WhereAttribute *of =
        hiera_attribute_columns_peek(column)->of_processor
            ? &walk->coming[column]
            : &g_array_index(walk->attributes, WhereAttribute, depth * hiera_attribute_columns_count() + column);
    return of->known ? &of->value : NULL;
}

/* Give the attributes received so far to the operation at this depth; those of the processor stay. */
static void set_attributes(WhereWalk *walk, guint depth)
{
    guint n = hiera_attribute_columns_count();
    g_array_set_size(walk->attributes, depth * n);
    g_array_append_vals(walk->attributes, walk->coming, n);
    for (guint i = 0; i < n; i++)
        walk->coming[i].known = walk->coming[i].known && hiera_attribute_columns_peek(i)->of_processor;
}

HieraOperation where_operation(const HieraTrace *trace, const HieraProcessor *processor, guint32 row)
{
    HieraOperation operation = hiera_trace_make_operation(trace, processor, row);
    operation.finish_ns = trace->finish_ns[row];
    return operation;
}

static Step *peek_step(const WhereWalk *walk, guint i)
{
    return &g_array_index(walk->steps, Step, i);
}

static void set_step(WhereWalk *walk, const HieraOperation *operation)
{
    const Step step = {*operation, 0};
    if (walk->steps->len > operation->depth)
        *peek_step(walk, operation->depth) = step;
    else
        g_array_append_val(walk->steps, step);
}

/* Whether the callers of the operation are among the steps of the previous one. This fails only behind a hieraThread
 * inside an operation, which no collector writes. */
static gboolean follows(const WhereWalk *walk, const HieraOperation *operation)
{
    if (operation->depth == 0)
        return TRUE;
    return walk->steps->len >= operation->depth &&
           peek_step(walk, operation->depth - 1)->operation.index == operation->parent;
}

/* Find the callers of an operation in the columns of the trace; without a trace in memory they are unknown. */
static void find_callers(WhereWalk *walk, const HieraOperation *operation)
{
    const HieraOperation none = {.site = operation->site, .index = HIERA_NO_PARENT};
    guint64 at = operation->parent;
    g_array_set_size(walk->steps, 0);
    walk->n_named = 0;
    walk->unsure = walk->unsure || !walk->memory;
    for (guint depth = 0; depth < operation->depth; depth++)
        g_array_append_val(walk->steps, ((Step){.operation = none}));
    for (guint depth = operation->depth; walk->memory && depth-- > 0;) {
        HieraOperation *caller = &peek_step(walk, depth)->operation;
        *caller = where_operation(walk->memory->trace, walk->processor, (guint32)(walk->processor->first + at));
        at = caller->parent;
    }
}

void where_walk_step(WhereWalk *walk, const HieraOperation *operation)
{
    if (!follows(walk, operation))
        find_callers(walk, operation);
    g_array_set_size(walk->steps, operation->depth);
    set_step(walk, operation);
    if (hiera_attribute_columns_count() > 0)
        set_attributes(walk, operation->depth);
    walk->n_named = MIN(walk->n_named, operation->depth);
}

const HieraOperation *where_walk_peek(const WhereWalk *walk)
{
    return &peek_step(walk, walk->steps->len - 1)->operation;
}

const HieraOperation *where_walk_peek_parent(const WhereWalk *walk)
{
    return walk->steps->len < 2 ? NULL : &peek_step(walk, walk->steps->len - 2)->operation;
}

const HieraOperation *where_walk_peek_caller(const WhereWalk *walk, guint depth)
{
    return depth + 1 < walk->steps->len ? &peek_step(walk, depth)->operation : NULL;
}

void where_append_name(GString *path, const HieraSite *site)
{
    if (*site->class_name) {
        g_string_append(path, site->class_name);
        g_string_append(path, "::");
    }
    g_string_append(path, site->operation);
}

/* The names of callers stay in `path` from one operation to the next, so that each is written once. */
const char *where_walk_path(WhereWalk *walk, guint n_less, gsize *length)
{
    g_string_truncate(walk->path, walk->n_named > 0 ? peek_step(walk, walk->n_named - 1)->path_end : 0);
    for (; walk->n_named < walk->steps->len; walk->n_named++) {
        Step *step = peek_step(walk, walk->n_named);
        if (walk->n_named > 0)
            g_string_append(walk->path, " > ");
        where_append_name(walk->path, step->operation.site);
        step->path_end = walk->path->len;
    }
    *length = peek_step(walk, walk->steps->len - 1 - n_less)->path_end;
    return walk->path->str;
}

const char *where_walk_communicator(WhereWalk *walk, guint32 comm)
{
    if (walk->comm != comm)
        walk->comm_id = hiera_catalog_find_id(walk->catalog, comm);
    walk->comm = comm;
    return walk->comm_id;
}
