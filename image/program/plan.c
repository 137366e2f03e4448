#include "plan.h"
#include "image/flow/no_return.h"
#include "image/move/plan_builder.h"
#include "image/places/named.h"
#include "image/places/outlined.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A function that the user requested. */
typedef struct {
    HieraNamed named; /* its name; NULL: it is given by its address */
    guint64 address;  /* if there is no name: offset from the first page of the file */
    guint depth;
    gboolean is_found;
} Wanted;

typedef struct {
    GArray *wanted; /* Wanted: requested functions */
    GByteArray *plans;
} Plans;

static void wanted_clear(gpointer wanted)
{
    hiera_named_clear(&((Wanted *)wanted)->named);
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
        wanted.named = hiera_named_begin(name);
    return wanted;
}

/* Return the functions of a file that are wanted. */
static GPtrArray *find_wanted(Wanted *wanted, const HieraFunctions *functions)
{
    if (wanted->named.name)
        return hiera_named_find(&wanted->named, functions);
    guint64 address = hiera_object_first_page(functions->object) + wanted->address;
    GPtrArray *found = g_ptr_array_new();
    for (guint i = 0; i < functions->functions->len; i++)
        if (hiera_function_has(functions->functions->pdata[i], address))
            g_ptr_array_add(found, functions->functions->pdata[i]);
    return found;
}

/* Add the requested functions of a file to the plan, each once. @return  whether the file has any */
static gboolean add_wanted(HieraPlanBuilder *builder, const HieraFunctions *functions, Wanted *wanted,
                           GHashTable *added)
{
    g_autoptr(GPtrArray) found = find_wanted(wanted, functions);
    for (guint i = 0; i < found->len; i++)
        if (g_hash_table_add(added, found->pdata[i]))
            hiera_plan_builder_add(builder, found->pdata[i], wanted->depth);
    return found->len > 0;
}

static gboolean has_any(const Plans *plans, const HieraFunctions *functions)
{
    gboolean any = FALSE;
    for (guint n = 0; n < plans->wanted->len && !any; n++) {
        Wanted *wanted = &g_array_index(plans->wanted, Wanted, n);
        g_autoptr(GPtrArray) found = wanted->is_found ? NULL : find_wanted(wanted, functions);
        any = found && found->len > 0;
    }
    return any;
}

static void refuse_unknown(HieraPlanBuilder *builder, const Wanted *wanted)
{
    const HieraNamed *named = &wanted->named;
    g_autofree char *hint = hiera_named_hint(named);
    g_autofree char *reason = g_strconcat("no file of the program has a function of this name", hint, NULL);
    g_autofree char *name = named->file ? g_strconcat(named->file, ":", named->name, NULL) : g_strdup(named->name);
    if (name)
        hiera_plan_builder_refuse(builder, NULL, name, reason);
    else
        hiera_plan_builder_refuse(builder, NULL, "", "no function is at this address");
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

/* Make the plan of a file, if it has any requested function. @param is_end  functions that are not found yet are
 * reported as missing, whether it has any or not. @return  whether a plan is made */
static gboolean plan_file(Plans *plans, const char *path, gboolean is_end)
{
    g_autoptr(HieraObject) object = hiera_object_open(path, NULL);
    g_autoptr(HieraFunctions) functions = object ? hiera_functions_new(object, NULL) : NULL;
    g_autoptr(HieraDecoder) decoder = functions ? hiera_decoder_new(object, NULL) : NULL;
    if (!decoder)
        return FALSE;
    hiera_outlined_name(functions);
    if (!is_end && !has_any(plans, functions))
        return FALSE;
    if (!is_end)
        hiera_no_return_find(functions, decoder);
    g_autoptr(HieraPlaces) places = hiera_places_new(path);
    g_autoptr(GHashTable) added = g_hash_table_new(NULL, NULL);
    HieraPlanBuilder *builder = hiera_plan_builder_new(functions, decoder, places);
    for (guint i = 0; i < plans->wanted->len; i++) {
        Wanted *wanted = &g_array_index(plans->wanted, Wanted, i);
        if (wanted->is_found)
            continue;
        if (is_end)
            refuse_unknown(builder, wanted);
        else
            wanted->is_found = add_wanted(builder, functions, wanted, added);
    }
    end_plan(plans, builder);
    return TRUE;
}

static gboolean write_out(const ImageOptions *options, const GByteArray *plans, GError **error)
{
    const char *name = options->output ? options->output : "standard output";
    FILE *stream = options->output ? fopen(options->output, "we") : stdout;
    gboolean is_terminal = stream && isatty(fileno(stream));
    gboolean good =
        stream && !is_terminal && fwrite(plans->data, 1, plans->len, stream) == plans->len && fflush(stream) == 0;
    int code = errno;
    if (options->output && stream)
        good &= fclose(stream) == 0;
    if (is_terminal)
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "%s: is a terminal, and a plan is binary; name a file with --output", name);
    else if (!good)
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
    for (guint i = 0; options->paths[i] && !is_all_found(&plans); i++)
        plan_file(&plans, options->paths[i], FALSE);
    gboolean is_told = is_all_found(&plans);
    for (guint i = 0; options->paths[i] && !is_told; i++)
        is_told = plan_file(&plans, options->paths[i], TRUE);
    return write_out(options, all, error);
}
