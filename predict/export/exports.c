/* The table of exports: name and writer of each format. See exports.h. */
#include "exports.h"
#include <errno.h>
#include <string.h>

struct PredictExport {
    const char *prefix;
    gboolean (*write)(const RecordedRun *run, const Speeds *speeds, const char *path, ScriptLimits *limits,
                      GError **error);
};

static const PredictExport exports[] = {{"goal:", predict_export_goal}, {"ti:", predict_export_ti}};

const PredictExport *predict_export_find(const char *text, const char **path, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(exports); i++) {
        gsize length = strlen(exports[i].prefix);
        if (strncmp(text, exports[i].prefix, length) == 0 && text[length] != '\0') {
            *path = text + length;
            return &exports[i];
        }
    }
    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                "cannot export '%s'; write goal:FILE or ti:DIR (hiera-transform --export has other kinds)", text);
    return NULL;
}

gboolean predict_export_write(const PredictExport *export, const RecordedRun *run, const Speeds *speeds,
                              const char *path, ScriptLimits *limits, GError **error)
{
    return export->write(run, speeds, path, limits, error);
}

FILE *predict_export_open(const char *path, GError **error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
    return file;
}

gboolean predict_export_close(FILE *file, const char *path, gboolean good, GError **error)
{
    gboolean failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    if (good && failed)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: cannot be written", path);
    return good && !failed;
}
