/* Reads the command line with GOption. See options.h. */
#include "options.h"
#include "options/options_once.h"
#include <string.h>

#define WRONG(error, ...) (g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, __VA_ARGS__), FALSE)

static gboolean set_format(ImageOptions *options, const char *name, GError **error)
{
    static const char *const names[] = {"table", "csv", "json"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!name || strcmp(name, names[i]) == 0) {
            options->format = (Format)i;
            return TRUE;
        }
    }
    return WRONG(error, "there is no format '%s'; choose table, csv or json", name);
}

static gboolean check(ImageOptions *options, char **arguments, const char *format, GError **error)
{
    if (options->version)
        return TRUE;
    if (!arguments || !arguments[0])
        return WRONG(error, "no file is named; name an executable or a shared library (see --help)");
    if (arguments[1] && !options->plan)
        return WRONG(error, "several files are named; name one");
    if (options->dot && !options->function)
        return WRONG(error, "--dot draws one function; name it with --function");
    if (options->dot && options->certainty)
        return WRONG(error, "--certainty counts functions, --dot draws one; give one of them");
    if (g_strcmp0(options->output, "-") == 0)
        g_clear_pointer(&options->output, g_free);
    if (g_strcmp0(options->dot, "-") == 0 && !options->output)
        return WRONG(error,
                     "--dot: the answer goes to standard output; name a file, or one for the answer with --output");
    options->path = g_strdup(arguments[0]);
    options->paths = g_strdupv(arguments);
    return set_format(options, format, error);
}

gboolean image_options_parse(ImageOptions *options, int argc, char **argv, GError **error)
{
    char *format = NULL, **arguments = NULL;
    const GOptionEntry entries[] = {
        {"function", 0, 0, G_OPTION_ARG_STRING, &options->function, "only this function: its name or address", "NAME"},
        {"loops", 0, 0, G_OPTION_ARG_NONE, &options->only_loops, "only functions that have loops", NULL},
        {"certainty", 0, 0, G_OPTION_ARG_NONE, &options->certainty, "how much is certain, and why not", NULL},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format, "format of the answer", "table|csv|json"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "write to FILE (default: standard output)", "FILE"},
        {"dot", 0, 0, G_OPTION_ARG_FILENAME, &options->dot, "draw the function for Graphviz", "FILE"},
        {"plan", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->plan, "how its loops can be timed (HIERA_LOOPS)", "NAME"},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->version, "print the version", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments, NULL, "FILE"},
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_set_summary(context,
                                 "List the functions of an executable or a shared library, and their loops, as the\n"
                                 "machine code has them. Compile with -g to have files and lines.");
    g_option_context_set_description(context, "Examples:\n"
                                              "  hiera-image ./app --loops\n"
                                              "  hiera-image ./app --function force --dot force.dot\n\n"
                                              "Exit status: 0 good, 2 wrong use, 3 unreadable input.");
    g_option_context_add_main_entries(context, entries, NULL);
    gboolean good = hiera_options_check_once(entries, argc, argv, error) &&
                    g_option_context_parse(context, &argc, &argv, error) && check(options, arguments, format, error);
    g_free(format);
    g_strfreev(arguments);
    return good;
}

void image_options_clear(ImageOptions *options)
{
    g_free(options->path);
    g_strfreev(options->paths);
    g_strfreev(options->plan);
    g_free(options->function);
    g_free(options->output);
    g_free(options->dot);
}
