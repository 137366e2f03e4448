/* Finds libraries in folders and in the cache of ldconfig. See library_path.h.
 *
 * Not supported: subfolders for newer processors (glibc-hwcaps), and $LIB and $PLATFORM in folder names. */
#include "library_path.h"
#include <gelf.h>
#include <string.h>

enum { CACHE_HEADER = 48, CACHE_ENTRY = 24, LIBC6 = 3, X86_64_LIB64 = 0x0300, AARCH64_LIB64 = 0x0a00 };
#define CACHE       "/etc/ld.so.cache"
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

static const char *const folders_x86_64[] = {
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib", NULL};
static const char *const folders_aarch64[] = {
    "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib", NULL};

struct HieraLibraryPath {
    guint machine;
    char **environment;  /* folders of LD_LIBRARY_PATH; NULL: it is not set */
    GMappedFile *cache;  /* file of ldconfig's cache; NULL: there is none */
    const guint8 *bytes; /* bytes of the cache, from its header on; NULL: there is no cache in a known format */
    gsize n_bytes;
};

static void open_cache(HieraLibraryPath *path)
{
    path->cache = g_mapped_file_new(CACHE, FALSE, NULL);
    const char *contents = path->cache ? g_mapped_file_get_contents(path->cache) : NULL;
    gsize n = contents ? g_mapped_file_get_length(path->cache) : 0;
    const char *header = contents ? memmem(contents, n, CACHE_MAGIC, strlen(CACHE_MAGIC)) : NULL;
    if (!header || n - (gsize)(header - contents) < CACHE_HEADER)
        return;
    path->bytes = (const guint8 *)header;
    path->n_bytes = n - (gsize)(header - contents);
}

HieraLibraryPath *hiera_library_path_new(guint machine)
{
    HieraLibraryPath *path = g_new0(HieraLibraryPath, 1);
    const char *environment = g_getenv("LD_LIBRARY_PATH");
    path->machine = machine;
    path->environment = environment && *environment ? g_strsplit_set(environment, ":;", -1) : NULL;
    open_cache(path);
    return path;
}

void hiera_library_path_free(HieraLibraryPath *path)
{
    if (!path)
        return;
    g_strfreev(path->environment);
    if (path->cache)
        g_mapped_file_unref(path->cache);
    g_free(path);
}

static HieraLinkedFile *try_folder(const HieraLibraryPath *path, const char *folder, const char *name)
{
    g_autofree char *file = g_build_filename(*folder ? folder : ".", name, NULL);
    return hiera_linked_file_open(file, path->machine);
}

static HieraLinkedFile *try_folders(const HieraLibraryPath *path, const char *const *folders, const char *name)
{
    HieraLinkedFile *file = NULL;
    for (; folders && *folders && !file; folders++)
        file = try_folder(path, *folders, name);
    return file;
}

/* Replace $ORIGIN by the folder of the file `by`. @return  NULL if the text has another, unknown variable */
static char *expand(const char *text, const HieraLinkedFile *by)
{
    g_autofree char *folder = g_path_get_dirname(by->path);
    g_autoptr(GString) expanded = g_string_new(text);
    g_string_replace(expanded, "${ORIGIN}", folder, 0);
    g_string_replace(expanded, "$ORIGIN", folder, 0);
    return strchr(expanded->str, '$') && !strchr(folder, '$') ? NULL : g_strdup(expanded->str);
}

/* Look for a library in the folders that a file names. @param folders  as written in the file; NULL: none */
static HieraLinkedFile *try_own(const HieraLibraryPath *path, const char *folders, const HieraLinkedFile *by,
                                const char *name)
{
    g_auto(GStrv) all = folders ? g_strsplit(folders, ":", -1) : NULL;
    HieraLinkedFile *file = NULL;
    for (char **folder = all; folder && *folder && !file; folder++) {
        g_autofree char *expanded = expand(*folder, by);
        file = expanded ? try_folder(path, expanded, name) : NULL;
    }
    return file;
}

static guint32 cache_number(const HieraLibraryPath *path, gsize at)
{
    guint32 number = 0;
    if (path->n_bytes >= 4 && at <= path->n_bytes - 4)
        memcpy(&number, path->bytes + at, 4);
    return GUINT32_FROM_LE(number);
}

static const char *cache_string(const HieraLibraryPath *path, gsize at)
{
    return at < path->n_bytes && memchr(path->bytes + at, 0, path->n_bytes - at) ? (const char *)path->bytes + at
                                                                                 : NULL;
}

/* Look for a library in ldconfig's cache. Entries that suit any processor are tried first. */
static HieraLinkedFile *try_cache(const HieraLibraryPath *path, const char *name)
{
    guint32 n = path->bytes ? cache_number(path, 20) : 0,
            lib64 = path->machine == EM_X86_64 ? X86_64_LIB64 : AARCH64_LIB64;
    HieraLinkedFile *file = NULL;
    for (guint pass = 0; pass < 2 && !file; pass++) {
        for (guint32 i = 0; i < n && !file; i++) {
            gsize at = CACHE_HEADER + (gsize)i * CACHE_ENTRY;
            if (at > path->n_bytes - CACHE_HEADER || cache_number(path, at) != (lib64 | LIBC6))
                continue;
            gboolean plain = cache_number(path, at + 16) == 0 && cache_number(path, at + 20) == 0;
            const char *key = plain == (pass == 0) ? cache_string(path, cache_number(path, at + 4)) : NULL,
                       *value = key && strcmp(key, name) == 0 ? cache_string(path, cache_number(path, at + 8)) : NULL;
            file = value ? hiera_linked_file_open(value, path->machine) : NULL;
        }
    }
    return file;
}

HieraLinkedFile *hiera_library_path_find(HieraLibraryPath *path, const char *name, const GPtrArray *by)
{
    const HieraLinkedFile *user = by->pdata[0];
    HieraLinkedFile *file = NULL;
    if (strchr(name, '/')) {
        g_autofree char *expanded = expand(name, user);
        return expanded ? hiera_linked_file_open(expanded, path->machine) : NULL;
    }
    for (guint i = 0; !user->runpath && i < by->len && !file; i++)
        file = try_own(path, ((const HieraLinkedFile *)by->pdata[i])->rpath, by->pdata[i], name);
    if (!file)
        file = try_folders(path, (const char *const *)path->environment, name);
    if (!file)
        file = try_own(path, user->runpath, user, name);
    if (!file)
        file = try_cache(path, name);
    if (!file)
        file = try_folders(path, path->machine == EM_X86_64 ? folders_x86_64 : folders_aarch64, name);
    return file;
}
