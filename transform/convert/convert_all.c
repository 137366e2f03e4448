/* Converts all traces into a folder, and adds the configuration file, the DTDs and the stylesheet. */
#include "base/output_file.h"
#include "base/safe_text.h"
#include "conversions.h"
#include "dtd/names.h"
#include "hieraCollector_dtd.h"
#include "hiera_retime.h"
#include "hiera_trace.h"
#include "otf2/otf2_trace.h"
#include "trace_dtd.h"
#include "visual_css.h"
#include "visual_xsl.h"
#include "xml/container.h"
#include <glib/gstdio.h>
#include <string.h>

static gboolean fail(GError **error, const char *path, const char *problem)
{
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: %s", path, problem);
    return FALSE;
}

/* Return the name of the converted file: "run/trace0.xml.gz", "run/traces.otf2#0", "run/traces0.hiera#0" →
 * "trace0.xml". */
static char *name_of(const char *path)
{
    guint32 rank;
    g_autofree char *container = hiera_container_find(path, &rank);
    g_autofree char *anchor = container ? NULL : hiera_otf2_find_anchor(path, &rank);
    if (container || anchor)
        return g_strdup_printf("trace%u.xml", rank);
    char *name = g_path_get_basename(path);
    for (guint i = 0; i < 2; i++) {
        const char *suffix = i ? ".zst" : ".gz";
        if (g_str_has_suffix(name, suffix))
            name[strlen(name) - strlen(suffix)] = '\0';
    }
    return name;
}

/* Return TRUE if a file is directly in a folder, also if their paths differ by symbolic links. */
static gboolean is_in_folder(const char *path, const char *folder)
{
    GStatBuf here, there;
    g_autofree char *of = g_path_get_dirname(path);
    return g_stat(of, &here) == 0 && g_stat(folder, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* Write hieraCollector.xml, the list of trace files. @param ranks  ranks of the files; NULL: 0, 1, … */
static gboolean write_configuration(const char *program, gint64 size, const HieraProcessor *ranks,
                                    const GPtrArray *names, const char *folder, GError **error)
{
    g_autofree char *allowed = hiera_text_of_bytes(program), *application = g_markup_escape_text(allowed, -1);
    g_autoptr(GString) text = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                           "<!DOCTYPE hieraCollector SYSTEM \"hieraCollector.dtd\">\n");
    g_string_append_printf(text, "<hieraCollector application=\"%s\" count_proc=\"%" G_GINT64_FORMAT "\">\n",
                           application, MAX(size, (gint64)names->len));
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *name = g_markup_escape_text(names->pdata[i], -1);
        g_string_append_printf(text, "  <collect_file rank=\"P%u\">%s</collect_file>\n", ranks ? ranks[i].rank : i,
                               name);
    }
    g_string_append(text, "</hieraCollector>\n");
    g_autofree char *path = g_build_filename(folder, "hieraCollector.xml", NULL);
    return g_file_set_contents(path, text->str, (gssize)text->len, error);
}

static gboolean write_files(const char *folder, GError **error)
{
#define X(name, text) {name, hiera_file_##text},
    static const struct {
        const char *name, *text;
    } files[] = {HIERA_COMPANIONS(X)};
#undef X
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i].name, NULL);
        if (!g_file_set_contents(path, files[i].text, -1, error))
            return FALSE;
    }
    return TRUE;
}

/* Choose the output files. @param conversions  gets a HieraConversion for each processor. @param names  gets the names
 * of the files */
static gboolean plan(const HieraProcessor *processors, guint n_processors, const char *folder, GArray *conversions,
                     GPtrArray *names, GError **error)
{
    for (guint i = 0; i < n_processors; i++) {
        const char *path = processors[i].path;
        char *name = name_of(path);
        gboolean twice = g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL);
        g_ptr_array_add(names, name);
        if (is_in_folder(path, folder))
            return fail(error, path, "would be overwritten; name another folder");
        if (twice)
            return fail(error, path, "another trace has the same name; convert them into different folders");
        HieraConversion one = {.path = path, .target = g_build_filename(folder, name, NULL), .index = i};
        g_array_append_val(conversions, one);
    }
    return TRUE;
}

gboolean hiera_convert_all(const HieraProcessor *processors, guint n_processors, HieraEncoding encoding,
                           const HieraConvertChanges *changes, const char *folder, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) conversions = g_array_new(FALSE, TRUE, sizeof(HieraConversion));
    g_array_set_clear_func(conversions, hiera_conversion_clear);
    return hiera_output_folder_make(folder, error) &&
           plan(processors, n_processors, folder, conversions, names, error) &&
           hiera_conversions_do(conversions, encoding, changes, error) &&
           write_configuration(processors->application, processors->size, processors, names, folder, error) &&
           write_files(folder, error);
}

/* Whether a file begins like a trace that was recorded, not predicted. */
static gboolean is_recorded(const char *path)
{
    enum { HEAD_BYTES = 1 << 16 };
    g_autofree char *head = g_malloc0(HEAD_BYTES + 1);
    FILE *stream = fopen(path, "re");
    gsize n = stream ? fread(head, 1, HEAD_BYTES, stream) : 0;
    if (stream)
        (void)fclose(stream);
    const char *root = n > 0 ? strstr(head, "<processor ") : NULL, *end = root ? strchr(root, '>') : NULL;
    return end && !g_strstr_len(root, end - root, " predicted=\"");
}

gboolean hiera_traces_folder(const char *folder, const char *application, guint32 n, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint32 i = 0; i < n; i++)
        g_ptr_array_add(names, g_strdup_printf("trace%u.xml", i));
    for (guint32 i = 0; i < n; i++) {
        g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
        if (is_recorded(path))
            return fail(error, path, "was recorded, and would be overwritten; name another folder");
    }
    return hiera_output_folder_make(folder, error) && write_configuration(application, n, NULL, names, folder, error) &&
           write_files(folder, error);
}
