#include "samples.h"
#include "base/parse_numbers.h"
#include "hiera_measure.h"
#include <string.h>

typedef struct {
    const char *build, *path; /* interned build id and path of the program or library */
} Object;

void hiera_samples_note_object(HieraReadContext *context, const char *name, const char *build, const char *path)
{
    Object *object = g_new(Object, 1);
    *object = (Object){build, path};
    if (!context->sampled_objects)
        context->sampled_objects = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    g_hash_table_replace(context->sampled_objects, (gpointer)name, object);
}

static gboolean is_text(const HieraXmlAttribute *attribute, const char *text)
{
    return attribute && hiera_attribute_length(attribute) == strlen(text) &&
           memcmp(attribute->value, text, strlen(text)) == 0;
}

HieraSampled hiera_samples_read_thread(HieraReadContext *context, const HieraAttributes *attributes, gint64 *period_ns)
{
    const HieraXmlAttribute *const *at = attributes->at;
    HieraSampled thread = {.path = "", .build = "", .thread = HIERA_THREADS_ENDED};
    if (!is_text(at[HIERA_ATTRIBUTE_THREAD], "ended"))
        thread.thread =
            (guint32)hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_THREAD, 0, G_MAXINT32, 0);
    *period_ns = hiera_argument_time(&context->place, attributes, HIERA_ATTRIBUTE_PERIOD, 0, "0 is used");
    thread.count = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_MISSED, 0, G_MAXINT64, 0);
    thread.time_ns = hiera_argument_time(&context->place, attributes, HIERA_ATTRIBUTE_TIME, 0, "0 is used");
    thread.trace = hiera_cache_intern(context->cache, context->place.path, strlen(context->place.path));
    return thread;
}

const char *hiera_samples_read_path(HieraReadContext *context, const HieraAttributes *attributes, const char *around,
                                    gboolean *in_mpi)
{
    const HieraXmlAttribute *const *at = attributes->at;
    const char *level = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_LEVEL]);
    const char *class_name = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_CLASS]);
    const char *name = hiera_read_context_name(context, level, at[HIERA_ATTRIBUTE_OPERATION]);
    g_autoptr(GString) path = g_string_new(around);
    if (*around)
        g_string_append_c(path, HIERA_PATH_SEPARATOR);
    if (*class_name)
        g_string_append_printf(path, "%s::", class_name);
    g_string_append(path, name);
    *in_mpi = *in_mpi || strcmp(level, HIERA_LEVEL_MPI) == 0;
    return hiera_cache_intern(context->cache, path->str, path->len);
}

/* Parse a sample's code address: "app+0x1a2b", or an absolute address. */
static void read_place(HieraReadContext *context, const char *place, HieraSampled *sampled)
{
    const char *plus = g_strrstr(place, "+0x");
    g_autofree char *name = plus ? g_strndup(place, (gsize)(plus - place)) : NULL;
    const Object *object =
        name && context->sampled_objects ? g_hash_table_lookup(context->sampled_objects, name) : NULL;
    gint64 offset = 0;
    sampled->object = object ? object->path : name ? hiera_cache_intern(context->cache, name, strlen(name)) : "";
    sampled->build = object ? object->build : "";
    const char *digits = plus ? plus + 3 : g_str_has_prefix(place, "0x") ? place + 2 : "";
    if (hiera_number_parse_hex(digits, strlen(digits), &offset))
        sampled->offset = (guint64)offset;
}

static gint64 times(gint64 periods, gint64 period_ns)
{
    return period_ns > 0 && periods > G_MAXINT64 / period_ns ? G_MAXINT64 : periods * period_ns;
}

gboolean hiera_samples_read_place(HieraReadContext *context, const HieraAttributes *attributes, gint64 period_ns,
                                  HieraSampled *sampled)
{
    gint64 count = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, 0);
    gint64 periods = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_PERIODS, 0, G_MAXINT64, count);
    read_place(context, hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_PLACE]), sampled);
    sampled->trace = hiera_cache_intern(context->cache, context->place.path, strlen(context->place.path));
    sampled->count = count;
    sampled->time_ns = times(periods, period_ns);
    return count > 0;
}
