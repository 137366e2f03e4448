#include "plan.h"
#include "image/flow/no_return.h"
#include "image/move/plan_builder.h"
#include "image/places/readable_name.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A function that the user requested. */
typedef struct {
    char *name;      /* name of the function; NULL: it is given by its address */
    guint64 address; /* if there is no name: offset from the first page of the file */
    guint depth;
    gboolean is_found;
} Wanted;

typedef struct {
    GArray *wanted; /* Wanted: requested functions */
    GByteArray *plans;
} Plans;

static void wanted_clear(gpointer wanted)
{
    g_free(((Wanted *)wanted)->name);
}

/* Read NAME or ADDRESS, optionally with a depth. C++ names may contain the sign that begins a depth, but not followed
 * by digits alone. */
static Wanted read_wanted(const char *text)
{
    Wanted wanted = {.depth = G_MAXUINT};
    const char *slash = strrchr(text, HIERA_PLAN_DEPTH);
    char *end = NULL;
    guint64 depth = slash ? g_ascii_strtoull(slash + 1, &end, 10) : 0;
    gboolean has_depth = slash && g_ascii_isdigit(slash[1]) && *end == '\0' && depth <= G_MAXUINT;
    g_autofree char *name = has_depth ? g_strndup(text, (gsize)(slash - text)) : g_strdup(text);
    wanted.depth = has_depth ? (guint)depth : G_MAXUINT;
    if (g_str_has_prefix(name, HIERA_PLAN_ADDRESS))
        wanted.address = g_ascii_strtoull(name + strlen(HIERA_PLAN_ADDRESS), NULL, 16);
    else
        wanted.name = g_steal_pointer(&name);
    return wanted;
}

static gboolean is_wanted(const Wanted *wanted, const HieraFunction *function, guint64 begin)
{
    return wanted->name ? hiera_name_means(wanted->name, function->name)
                        : hiera_function_has(function, begin + wanted->address);
}

/* Add the requested functions of a file to the plan. @return  whether the file has any */
static gboolean add_wanted(HieraPlanBuilder *builder, const HieraFunctions *functions, const Wanted *wanted)
{
    guint64 begin = hiera_object_first_page(functions->object);
    gboolean found = FALSE;
    for (guint i = 0; i < functions->functions->len; i++) {
        const HieraFunction *function = functions->functions->pdata[i];
        if (!is_wanted(wanted, function, begin))
            continue;
        hiera_plan_builder_add(builder, function, wanted->depth);
        found = TRUE;
    }
    return found;
}

static gboolean has_any(const Plans *plans, const HieraFunctions *functions)
{
    guint64 begin = hiera_object_first_page(functions->object);
    for (guint n = 0; n < plans->wanted->len; n++) {
        const Wanted *wanted = &g_array_index(plans->wanted, Wanted, n);
        for (guint i = 0; !wanted->is_found && i < functions->functions->len; i++)
            if (is_wanted(wanted, functions->functions->pdata[i], begin))
                return TRUE;
    }
    return FALSE;
}

static gboolean is_all_found(const Plans *plans)
{
    gboolean all = TRUE;
    for (guint i = 0; i < plans->wanted->len; i++)
        all &= g_array_index(plans->wanted, Wanted, i).is_found;
    return all;
}

static void end_plan(Plans *plans, HieraPlanBuilder *builder)
{
    g_autoptr(GByteArray) plan = hiera_plan_builder_end(builder);
    g_byte_array_append(plans->plans, plan->data, plan->len);
}

/* Make the plan of a file. @param is_last  functions not found in this file are reported as missing */
static void plan_file(Plans *plans, const char *path, gboolean is_last)
{
    g_autoptr(HieraObject) object = hiera_object_open(path, NULL);
    g_autoptr(HieraFunctions) functions = object ? hiera_functions_new(object, NULL) : NULL;
    g_autoptr(HieraDecoder) decoder = functions ? hiera_decoder_new(object, NULL) : NULL;
    if (!decoder || (!is_last && !has_any(plans, functions)))
        return;
    if (has_any(plans, functions))
        hiera_no_return_find(functions, decoder);
    g_autoptr(HieraPlaces) places = hiera_places_new(path);
    HieraPlanBuilder *builder = hiera_plan_builder_new(functions, decoder, places);
    for (guint i = 0; i < plans->wanted->len; i++) {
        Wanted *wanted = &g_array_index(plans->wanted, Wanted, i);
        if (wanted->is_found)
            continue;
        wanted->is_found = add_wanted(builder, functions, wanted);
        if (is_last && !wanted->is_found)
            hiera_plan_builder_refuse(builder, NULL, wanted->name ? wanted->name : "",
                                      wanted->name ? "no file of the program has a function of this name"
                                                   : "no function is at this address");
    }
    end_plan(plans, builder);
}

static gboolean write_out(const ImageOptions *options, const GByteArray *plans, GError **error)
{
    const char *name = options->output ? options->output : "standard output";
    FILE *stream = options->output ? fopen(options->output, "we") : stdout;
    gboolean good = stream && fwrite(plans->data, 1, plans->len, stream) == plans->len && fflush(stream) == 0;
    int code = errno;
    if (options->output && stream)
        good &= fclose(stream) == 0;
    if (!good)
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", name, g_strerror(code));
    return good;
}

gboolean plan_write(const ImageOptions *options, GError **error)
{
    g_autoptr(GArray) wanted = g_array_new(FALSE, FALSE, sizeof(Wanted));
    g_autoptr(GByteArray) all = g_byte_array_new();
    Plans plans = {wanted, all};
    g_array_set_clear_func(wanted, wanted_clear);
    for (guint i = 0; options->plan[i]; i++) {
        const Wanted one = read_wanted(options->plan[i]);
        g_array_append_val(wanted, one);
    }
    if (!options->output && isatty(STDOUT_FILENO)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "a plan is not for a terminal; name a file with --output");
        return FALSE;
    }
    for (guint i = 0; options->paths[i] && !is_all_found(&plans); i++)
        plan_file(&plans, options->paths[i], !options->paths[i + 1]);
    return write_out(options, all, error);
}
