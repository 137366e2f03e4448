/* Types of arrays (see columns.h), and a stream of one array. */
#include "columns.h"

static void release_type(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        g_free(schema->children[i]);
    }
    g_free(schema->children);
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    g_free(schema->dictionary);
    g_free((gpointer)schema->format);
    g_free((gpointer)schema->name);
    schema->release = NULL;
}

/* Make a type with n_children children, which are not made yet. */
static void begin_type(const char *format, const char *name, int64_t flags, gsize n_children,
                       struct ArrowSchema *schema)
{
    *schema = (struct ArrowSchema){.format = g_strdup(format),
                                   .name = g_strdup(name),
                                   .flags = flags,
                                   .n_children = (int64_t)n_children,
                                   .children = g_new(struct ArrowSchema *, n_children),
                                   .release = release_type};
    for (gsize i = 0; i < n_children; i++)
        schema->children[i] = g_new0(struct ArrowSchema, 1);
}

void hiera_arrow_make_struct_type(gsize n_columns, struct ArrowSchema *schema)
{
    begin_type("+s", "", 0, n_columns, schema);
}

void hiera_arrow_make_type(const HieraArrowColumn *column, struct ArrowSchema *schema)
{
    gboolean texts = *column->format == 'u', nullable = texts || column->none != HIERA_ARROW_NEVER_NONE;
    begin_type(texts ? "i" : column->format, column->name, nullable ? ARROW_FLAG_NULLABLE : 0, 0, schema);
    if (!texts)
        return;
    schema->dictionary = g_new0(struct ArrowSchema, 1);
    begin_type("U", "", 0, 0, schema->dictionary); /* whose ends have 64 bits */
}

static void copy_type(const struct ArrowSchema *from, struct ArrowSchema *to)
{
    begin_type(from->format, from->name, from->flags, (gsize)from->n_children, to);
    for (int64_t i = 0; i < from->n_children; i++)
        copy_type(from->children[i], to->children[i]);
    if (!from->dictionary)
        return;
    to->dictionary = g_new0(struct ArrowSchema, 1);
    copy_type(from->dictionary, to->dictionary);
}

/* --- the stream: its state is the type, and the array until it was taken --- */

typedef struct {
    struct ArrowSchema schema;
    struct ArrowArray array;
} Streamed;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
    copy_type(&((const Streamed *)stream->private_data)->schema, schema);
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
    Streamed *streamed = stream->private_data;
    *array = streamed->array;
    streamed->array.release = NULL;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL; /* nothing fails */
}

static void release_stream(struct ArrowArrayStream *stream)
{
    Streamed *streamed = stream->private_data;
    streamed->schema.release(&streamed->schema);
    if (streamed->array.release)
        streamed->array.release(&streamed->array);
    g_free(streamed);
    stream->release = NULL;
}

void hiera_arrow_stream(struct ArrowSchema *schema, struct ArrowArray *array, struct ArrowArrayStream *stream)
{
    Streamed *streamed = g_new(Streamed, 1);
    *streamed = (Streamed){*schema, *array};
    schema->release = NULL;
    array->release = NULL;
    *stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, streamed};
}
