/* Finds the trace files for the paths that a user gives: a trace, the job's configuration file (hieraCollector.xml),
 * or a folder with it. A configuration file is recognised by its root element, not by its name. */
#include "base/findings.h"
#include "container.h"
#include "dtd/container.h"
#include "hiera_load.h"
#include "otf2/otf2_trace.h"
#include "read_limits.h"
#include "xml.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CONFIGURATION_FILE    "hieraCollector.xml"
#define CONFIGURATION_ROOT    "hieraCollector"
#define CONFIGURATION_ELEMENT "collect_file"
#define JOB_ATTRIBUTE         "job"
#define LONGEST_NAME          8192 /* longest name of a trace in hieraCollector.xml, in bytes; longer than any path */

typedef struct {
    HieraXml *xml;
    gboolean is_configuration;
    gboolean passed; /* whether the file lists more traces than the limit `files` allows */
    guint depth;
    GString *name; /* text of the open collect_file element; NULL: none is open */
    GPtrArray *names;
    char *job; /* attribute `job` of the trace's root element; NULL if it has none */
} Configuration;

static char *copy_job(const HieraXmlAttribute *attributes, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (strcmp(attributes[i].name, JOB_ATTRIBUTE) == 0)
            return g_strndup(attributes[i].value, (gsize)(attributes[i].end - attributes[i].value));
    }
    return NULL;
}

static void start_element(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    (void)note;
    Configuration *configuration = user;
    if (configuration->depth++ == 0) {
        configuration->is_configuration = strcmp(name, CONFIGURATION_ROOT) == 0;
        configuration->job = copy_job(attributes, n);
        if (!configuration->is_configuration)
            hiera_xml_stop(configuration->xml);
    } else if (configuration->names->len >= hiera_limits.files) {
        configuration->passed = TRUE;
        hiera_xml_stop(configuration->xml);
    } else if (strcmp(name, CONFIGURATION_ELEMENT) == 0 && !configuration->name) {
        configuration->name = g_string_new(NULL);
    }
}

static void end_element(gpointer user, const char *name)
{
    Configuration *configuration = user;
    configuration->depth--;
    if (!configuration->name || strcmp(name, CONFIGURATION_ELEMENT) != 0)
        return;
    char *file = g_strstrip(g_string_free(g_steal_pointer(&configuration->name), FALSE));
    g_ptr_array_add(configuration->names, file);
}

static void take_text(gpointer user, const char *text, gsize length)
{
    Configuration *configuration = user;
    if (configuration->name && configuration->name->len + length <= LONGEST_NAME)
        g_string_append_len(configuration->name, text, (gssize)length);
}

static const char *const compressed[] = {".gz", ".zst"};

/* Return the path of a listed trace; with the suffix .gz or .zst if it was compressed later. Takes over `path`. */
static char *find_listed(char *path)
{
    for (guint i = 0; i < G_N_ELEMENTS(compressed) && !g_file_test(path, G_FILE_TEST_EXISTS); i++) {
        char *other = g_strconcat(path, compressed[i], NULL);
        if (g_file_test(other, G_FILE_TEST_EXISTS)) {
            g_free(path);
            return other;
        }
        g_free(other);
    }
    return path;
}

/* Add the path of a trace that was found in a folder; of a container, the paths of all traces in it. */
static void add_found(const char *path, GPtrArray *paths, HieraFindings *findings)
{
    if (g_str_has_suffix(path, HIERA_CONTAINER_SUFFIX) && hiera_container_is(path))
        hiera_container_list(path, paths, findings);
    else
        g_ptr_array_add(paths, g_strdup(path));
}

static void add_listed(const char *path, const Configuration *configuration, GPtrArray *paths, HieraFindings *findings)
{
    g_autofree char *folder = g_path_get_dirname(path);
    gboolean here = strcmp(folder, ".") == 0 && !g_str_has_prefix(path, "./");
    for (guint i = 0; i < configuration->names->len; i++) {
        const char *name = g_ptr_array_index(configuration->names, i);
        gboolean alone = here || g_path_is_absolute(name);
        g_autofree char *listed = find_listed(alone ? g_strdup(name) : g_build_filename(folder, name, NULL));
        add_found(listed, paths, findings);
    }
}

static void report_configuration(const char *path, const Configuration *configuration, HieraXmlEnd end,
                                 HieraFindings *findings)
{
    guint32 line = hiera_xml_line(configuration->xml);
    if (configuration->passed)
        hiera_findings_add(findings, HIERA_FINDING_SYNTAX, path, line, NULL,
                           "lists more traces than the limit files=%" G_GUINT64_FORMAT
                           "; if you trust the file, raise it with --limits",
                           hiera_limits.files);
    else if (end != HIERA_XML_WHOLE)
        hiera_findings_add(findings, HIERA_FINDING_SYNTAX, path, line, NULL, "is not a valid configuration file: %s",
                           end == HIERA_XML_ENTITY    ? "it declares an entity, which is refused"
                           : end == HIERA_XML_GRAMMAR ? "it declares a grammar, which is refused"
                                                      : hiera_xml_peek_message(configuration->xml));
    if (configuration->names->len == 0)
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, line, NULL, "lists no trace; expected elements %s",
                           CONFIGURATION_ELEMENT);
}

/* Add the traces of an OTF2 archive; an unreadable archive becomes a finding. */
static void expand_archive(const char *path, GPtrArray *paths, HieraFindings *findings)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *rest = NULL;
    if (!hiera_otf2_list_traces(path, paths, &rest, &error))
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, 0, NULL, "%s", error->message);
    if (rest)
        hiera_findings_add(findings, HIERA_FINDING_UNKNOWN_ELEMENT, path, 0, NULL, "%s", rest);
}

/* Add the traces of a configuration file, or else the file itself. A file that cannot be opened, or is not XML, is
 * added as a trace: reading it reports the error.
 * @param job  becomes the attribute of a trace, to be freed, NULL if it has none; may be NULL
 * @return     true for a configuration file */
static gboolean expand_file(const char *path, GPtrArray *paths, char **job, HieraFindings *findings)
{
    static const HieraXmlEvents events = {start_element, end_element, take_text, NULL};
    if (hiera_container_is(path)) {
        hiera_container_list(path, paths, findings);
        return TRUE;
    }
    if (hiera_otf2_is_anchor(path)) {
        expand_archive(path, paths, findings);
        return TRUE;
    }
    g_autoptr(HieraInputFile) source = hiera_input_file_open(path, NULL, NULL);
    Configuration configuration = {0};
    if (source) {
        configuration.names = g_ptr_array_new_with_free_func(g_free);
        configuration.xml = hiera_xml_new(source, &events, &configuration);
        HieraXmlEnd end = hiera_xml_parse(configuration.xml);
        if (configuration.is_configuration) {
            report_configuration(path, &configuration, end, findings);
            add_listed(path, &configuration, paths, findings);
        }
        if (configuration.name)
            g_string_free(configuration.name, TRUE);
        hiera_xml_free(configuration.xml);
        g_ptr_array_unref(configuration.names);
    }
    if (job)
        *job = g_strdup(configuration.job);
    g_free(configuration.job);
    if (!configuration.is_configuration)
        g_ptr_array_add(paths, g_strdup(path));
    return configuration.is_configuration;
}

static gboolean is_trace_name(const char *name)
{
    gboolean named = g_str_has_suffix(name, ".xml") || g_str_has_suffix(name, HIERA_CONTAINER_SUFFIX);
    for (guint i = 0; i < G_N_ELEMENTS(compressed); i++) {
        g_autofree char *suffix = g_strconcat(".xml", compressed[i], NULL);
        named = named || g_str_has_suffix(name, suffix);
    }
    return named && g_str_has_prefix(name, "trace");
}

/* Compare file names, numbers in them by value: trace2.xml comes before trace10.xml. */
static int compare_names(gconstpointer a, gconstpointer b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Return the sorted paths of the files in a folder for which `is_wanted`; with an error none, if it is unreadable. */
static GPtrArray *list_folder(const char *path, gboolean (*is_wanted)(const char *name), GError **error)
{
    GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) folder = g_dir_open(path, 0, error);
    for (const char *name; folder && (name = g_dir_read_name(folder));) {
        if (is_wanted(name))
            g_ptr_array_add(found, g_build_filename(path, name, NULL));
    }
    g_ptr_array_sort(found, compare_names);
    return found;
}

static gboolean is_archive_name(const char *name)
{
    return g_str_has_suffix(name, ".otf2");
}

static void expand_folder(const char *path, GPtrArray *paths, HieraFindings *findings)
{
    g_autofree char *configuration = g_build_filename(path, CONFIGURATION_FILE, NULL);
    if (g_file_test(configuration, G_FILE_TEST_EXISTS)) {
        expand_file(configuration, paths, NULL, findings);
        return;
    }
    g_autoptr(GError) error = NULL;
    GPtrArray *found = list_folder(path, is_trace_name, &error);
    g_autoptr(GPtrArray) archives = list_folder(path, is_archive_name, NULL);
    if (found->len == 0 && archives->len > 0) {
        for (guint i = 0; i < archives->len; i++)
            expand_file(g_ptr_array_index(archives, i), paths, NULL, findings);
    } else if (found->len == 0)
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, 0, NULL, "%s",
                           error ? error->message
                                 : "contains neither " CONFIGURATION_FILE
                                   " nor trace*.xml nor traces*.hiera nor an OTF2 archive");
    for (guint i = 0; i < found->len; i++)
        add_found(g_ptr_array_index(found, i), paths, findings);
    g_ptr_array_unref(found);
}

GPtrArray *hiera_trace_paths_expand(const char *const *arguments, HieraFindings *findings)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    for (; *arguments; arguments++) {
        if (g_file_test(*arguments, G_FILE_TEST_IS_DIR))
            expand_folder(*arguments, paths, findings);
        else
            expand_file(*arguments, paths, NULL, findings);
    }
    return paths;
}

/* --- traces grouped by run --- */

static void run_paths_free(gpointer data)
{
    HieraRunPaths *run = data;
    g_free(run->name);
    g_free(run->job);
    g_ptr_array_unref(run->paths);
    g_free(run);
}

/* Append a run to `runs`. Takes over `paths`. */
static HieraRunPaths *add_run(GPtrArray *runs, const char *name, GPtrArray *paths)
{
    HieraRunPaths *run = g_new0(HieraRunPaths, 1);
    *run = (HieraRunPaths){g_strdup(name), paths, NULL};
    g_ptr_array_add(runs, run);
    return run;
}

/* Add a file to its run.
 * @param loose  the runs of loose files: key (to be freed) → HieraRunPaths */
static void add_file(GPtrArray *runs, GHashTable *loose, const char *path, HieraFindings *findings)
{
    g_autofree char *job = NULL, *folder = g_path_get_dirname(path);
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    if (expand_file(path, paths, &job, findings)) {
        add_run(runs, path, paths);
        return;
    }
    char *key = g_strconcat(job ? "job " : "folder ", job ? job : folder, NULL);
    HieraRunPaths *run = g_hash_table_lookup(loose, key);
    if (run)
        g_ptr_array_extend_and_steal(run->paths, paths);
    else
        run = add_run(runs, path, paths);
    g_hash_table_insert(loose, key, run);
}

/* Return the attribute `job` of a trace; NULL: the trace has none. To be freed with g_free. */
static char *read_job(const char *path)
{
    char *job = NULL;
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    if (expand_file(path, paths, &job, findings))
        g_clear_pointer(&job, g_free);
    return job;
}

GPtrArray *hiera_run_paths_expand(const char *const *arguments, HieraFindings *findings)
{
    GPtrArray *runs = g_ptr_array_new_with_free_func(run_paths_free);
    g_autoptr(GHashTable) loose = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (; *arguments; arguments++) {
        if (g_file_test(*arguments, G_FILE_TEST_IS_DIR))
            expand_folder(*arguments, add_run(runs, *arguments, g_ptr_array_new_with_free_func(g_free))->paths,
                          findings);
        else
            add_file(runs, loose, *arguments, findings);
    }
    for (guint i = 0; i < runs->len; i++) {
        HieraRunPaths *run = g_ptr_array_index(runs, i);
        run->job = run->paths->len > 0 ? read_job(g_ptr_array_index(run->paths, 0)) : NULL;
    }
    return runs;
}
