/* hiera-image: the functions of a program and their loops, from its machine code. */
#include "image/flow/no_return.h"
#include "image/places/named.h"
#include "image/places/outlined.h"
#include "plan.h"
#include "report.h"
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *message, int status)
{
    fprintf(stderr, "hiera-image: %s\n", message);
    return status;
}

/* Keep the function whose symbol the name is, without clones of it, if only one can be drawn. */
static void keep_symbol(GPtrArray *found, const char *name)
{
    guint n = 0, at = 0;
    for (guint i = 0; i < found->len; i++) {
        if (strcmp(((const HieraFunction *)found->pdata[i])->name, name) == 0) {
            at = i;
            n++;
        }
    }
    if (n == 1) {
        found->pdata[0] = found->pdata[at];
        g_ptr_array_set_size(found, 1);
    }
}

/* Return the functions that are wanted: all, that at an address, or those of a name. */
static GPtrArray *find_wanted(const ImageOptions *options, HieraFunctions *functions, HieraNamed *named)
{
    if (!options->function)
        return g_ptr_array_ref(functions->functions);
    char *end;
    guint64 address = g_ascii_strtoull(options->function, &end, 16);
    if (!g_str_has_prefix(options->function, "0x") || *end != '\0') {
        GPtrArray *of_name = hiera_named_find(named, functions);
        if (options->dot)
            keep_symbol(of_name, named->name);
        return of_name;
    }
    GPtrArray *found = g_ptr_array_new();
    for (guint i = 0; i < functions->functions->len; i++)
        if (hiera_function_has(functions->functions->pdata[i], address))
            g_ptr_array_add(found, functions->functions->pdata[i]);
    return found;
}

/* Complain that no function was written. @return  the exit status */
static int complain_of_none(const ImageOptions *options, const HieraNamed *named, guint n_found)
{
    g_autofree char *hint = hiera_named_hint(named);
    g_autofree char *message = g_strdup_printf("%s: has no function '%s'%s%s", options->path, options->function,
                                               n_found > 0 ? " with loops" : "", hint);
    return complain(message, EXIT_WRONG_USE);
}

static gboolean write_dot(const ImageOptions *options, const HieraFlow *flow, HieraPlaces *places)
{
    gboolean standard = g_strcmp0(options->dot, "-") == 0;
    if (!options->dot)
        return TRUE;
    FILE *stream = standard ? stdout : fopen(options->dot, "we");
    if (!stream)
        return FALSE;
    report_dot(flow, places, stream);
    gboolean good = !ferror(stream) && fflush(stream) == 0;
    return (standard || fclose(stream) == 0) && good;
}

/* Write the functions that are wanted. @return the exit status */
static int write_wanted(const ImageOptions *options, const GPtrArray *wanted, HieraFunctions *functions,
                        HieraDecoder *decoder, Report *report)
{
    g_autoptr(Certainty) certainty = options->certainty ? certainty_new(functions, decoder) : NULL;
    if (!certainty)
        report_begin(report);
    for (guint i = 0; i < wanted->len; i++) {
        g_autoptr(HieraFlow) flow = hiera_flow_decode(functions, wanted->pdata[i], decoder);
        hiera_flow_finish(flow);
        if (options->only_loops && flow->loops->len == 0)
            continue;
        if (certainty) {
            certainty_add(certainty, flow);
            report->n_functions++;
            continue;
        }
        report_function(report, flow);
        if (options->dot && report->n_functions > 1) {
            g_autofree char *message =
                g_strdup_printf("%s: has several functions '%s'; --dot draws one: name its symbol or address",
                                options->path, options->function);
            return complain(message, EXIT_WRONG_USE);
        }
        if (!write_dot(options, flow, report->places)) {
            g_autofree char *message = g_strdup_printf("%s: %s", options->dot, g_strerror(errno));
            return complain(message, EXIT_WRONG_USE);
        }
    }
    if (certainty)
        certainty_write(certainty, report);
    else
        report_end(report);
    return EXIT_GOOD;
}

static int write_all(const ImageOptions *options, HieraFunctions *functions, HieraDecoder *decoder, Report *report)
{
    HieraNamed named = hiera_named_begin(options->function ? options->function : "");
    g_autoptr(GPtrArray) wanted = find_wanted(options, functions, &named);
    int status = write_wanted(options, wanted, functions, decoder, report);
    if (status == EXIT_GOOD && options->function && report->n_functions == 0)
        status = complain_of_none(options, &named, wanted->len);
    hiera_named_clear(&named);
    return status;
}

static int write_to(const ImageOptions *options, HieraFunctions *functions, HieraDecoder *decoder)
{
    g_autoptr(HieraPlaces) places = hiera_places_new(options->path);
    FILE *stream = options->output ? fopen(options->output, "we") : stdout;
    Report report = {options->format, stream, functions->object, places, 0};
    int status = stream ? write_all(options, functions, decoder, &report) : EXIT_WRONG_USE;
    gboolean good = stream && !ferror(stream) && fflush(stream) == 0;
    if (options->output && stream)
        good &= fclose(stream) == 0;
    if (good)
        return status;
    g_autofree char *message =
        g_strdup_printf("%s: %s", options->output ? options->output : "standard output", g_strerror(errno));
    return complain(message, EXIT_WRONG_USE);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    ImageOptions options = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraObject) object = NULL;
    g_autoptr(HieraFunctions) functions = NULL;
    g_autoptr(HieraDecoder) decoder = NULL;
    int status = EXIT_GOOD;
    if (!image_options_parse(&options, argc, argv, &error))
        status = complain(error->message, EXIT_WRONG_USE);
    else if (options.version)
        printf("hiera-image %s\n", HIERA_VERSION);
    else if (options.plan)
        status = plan_write(&options, &error) ? EXIT_GOOD : complain(error->message, EXIT_WRONG_USE);
    else if (!(object = hiera_object_open(options.path, &error)) ||
             !(functions = hiera_functions_new(object, &error)) || !(decoder = hiera_decoder_new(object, &error)))
        status = complain(error->message, EXIT_UNREADABLE);
    else {
        hiera_outlined_name(functions);
        hiera_no_return_find(functions, decoder);
        status = write_to(&options, functions, decoder);
    }
    image_options_clear(&options);
    return status;
}
