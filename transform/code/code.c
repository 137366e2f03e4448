#include "base/own_library.h"
#include "hiera_code.h"
#include "image/lookup/lookup.h"
#include <dlfcn.h>

G_STATIC_ASSERT(sizeof(HieraCodeSpan) == sizeof(HieraCodeLines) && sizeof(HieraCodeAt) == sizeof(HieraCodePlace));

typedef struct {
    HieraCode *code; /* opened file of machine code; NULL: it cannot be read, for the reason `problem` */
    char *problem;   /* reason why the file cannot be read */
} File;

static GMutex lock;
static GHashTable *files; /* "build id, path, folder" as one text → File */

/* Return the library that reads machine code, loaded at the first call. @return NULL with a reason */
static const HieraCodeLibrary *library(const char **problem)
{
    static gsize once;
    static const HieraCodeLibrary *loaded;
    if (g_once_init_enter(&once)) {
        g_autofree char *path = hiera_own_library_find("../../image", HIERA_CODE_LIBRARY);
        gpointer handle = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
        loaded = handle ? dlsym(handle, HIERA_CODE_LIBRARY_SYMBOL) : NULL;
        g_once_init_leave(&once, 1);
    }
    *problem = HIERA_CODE_LIBRARY " is not there: build Hiera with Capstone and elfutils";
    return loaded;
}

/* Open the file where it was, or else beside the trace. A relative path counts from a folder that nobody knows. */
static File *open_file(const HieraCodeLibrary *lookup, const HieraSampled *sampled)
{
    g_autofree char *folder = g_path_get_dirname(sampled->trace), *base = g_path_get_basename(sampled->object);
    g_autofree char *beside = g_build_filename(folder, base, NULL);
    g_autoptr(GError) error = NULL, second = NULL;
    File *file = g_new0(File, 1);
    if (g_path_is_absolute(sampled->object))
        file->code = lookup->open(sampled->object, sampled->build, &error);
    if (!file->code)
        file->code = lookup->open(beside, sampled->build, &second);
    if (!file->code)
        file->problem = g_strconcat(error ? error->message : "its path is relative", "; ", second->message, NULL);
    return file;
}

static File *find_file(const HieraCodeLibrary *lookup, const HieraSampled *sampled)
{
    g_autofree char *folder = g_path_get_dirname(sampled->trace);
    char *key = g_strconcat(sampled->build, "\n", sampled->object, "\n", folder, NULL);
    if (!files)
        files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    File *file = g_hash_table_lookup(files, key);
    if (file) {
        g_free(key);
        return file;
    }
    file = open_file(lookup, sampled);
    g_hash_table_insert(files, key, file);
    return file;
}

const HieraCodeAt *hiera_code_find(const HieraSampled *sampled, const char **problem)
{
    const char *reason = NULL;
    const HieraCodeAt *at = NULL;
    g_mutex_lock(&lock);
    const HieraCodeLibrary *lookup = library(&reason);
    if (lookup && !*sampled->build)
        reason = "it is in no file with a build id";
    else if (lookup) {
        const File *file = find_file(lookup, sampled);
        reason = file->problem;
        at = file->code ? (const HieraCodeAt *)(const void *)lookup->find(file->code, sampled->offset) : NULL;
    }
    g_mutex_unlock(&lock);
    if (problem)
        *problem = at ? NULL : reason;
    return at;
}
