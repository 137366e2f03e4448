/* See plan.h. */
#include "plan.h"
#include "image/flow/no_return.h"
#include "image/move/plan_builder.h"
#include "image/places/readable_name.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char **names;       /* functions that are asked for */
    gboolean *is_found; /* of each */
    GByteArray *plans;
} Plans;

/* Add the functions of a file that a name means. @return whether there are any */
static gboolean add_named(HieraPlanBuilder *builder, const HieraFunctions *functions, const char *name)
{
    gboolean found = FALSE;
    for (guint i = 0; i < functions->functions->len; i++) {
        const HieraFunction *function = functions->functions->pdata[i];
        if (!hiera_name_means(name, function->name))
            continue;
        hiera_plan_builder_add(builder, function);
        found = TRUE;
    }
    return found;
}

static gboolean has_any(const Plans *plans, const HieraFunctions *functions)
{
    for (guint n = 0; plans->names[n]; n++)
        for (guint i = 0; !plans->is_found[n] && i < functions->functions->len; i++)
            if (hiera_name_means(plans->names[n], ((const HieraFunction *)functions->functions->pdata[i])->name))
                return TRUE;
    return FALSE;
}

static gboolean is_all_found(const Plans *plans)
{
    gboolean all = TRUE;
    for (guint i = 0; plans->names[i]; i++)
        all &= plans->is_found[i];
    return all;
}

static void end_plan(Plans *plans, HieraPlanBuilder *builder)
{
    g_autoptr(GByteArray) plan = hiera_plan_builder_end(builder);
    g_byte_array_append(plans->plans, plan->data, plan->len);
}

/* @param is_last  what is not found is not there */
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
    for (guint i = 0; plans->names[i]; i++) {
        if (plans->is_found[i])
            continue;
        plans->is_found[i] = add_named(builder, functions, plans->names[i]);
        if (is_last && !plans->is_found[i])
            hiera_plan_builder_refuse(builder, plans->names[i], "no file of the program has a function of this name");
    }
    end_plan(plans, builder);
}

static gboolean write_out(const Options *options, const GByteArray *plans, GError **error)
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

gboolean plan_write(const Options *options, GError **error)
{
    g_autofree gboolean *is_found = g_new0(gboolean, g_strv_length(options->plan));
    g_autoptr(GByteArray) all = g_byte_array_new();
    Plans plans = {options->plan, is_found, all};
    if (!options->output && isatty(STDOUT_FILENO)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "a plan is not for a terminal; name a file with --output");
        return FALSE;
    }
    for (guint i = 0; options->paths[i] && !is_all_found(&plans); i++)
        plan_file(&plans, options->paths[i], !options->paths[i + 1]);
    return write_out(options, all, error);
}
