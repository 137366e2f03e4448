/* See library.h. Finds wrappers of levels, and other libraries to preload besides libhiera. */
#include "library.h"
#include "loaded/elf.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a library of wrappers says of itself in a text: "name=NAME levels=A,B libraries=PATTERN,PATTERN". */
typedef struct About {
    HieraWords names, patterns;
} About;

static const char ABOUT[] = "hiera-level name=";

static About about(const char *path)
{
    About about = {0};
    HieraWords fields = {0};
    HieraElf elf;
    const char *text = hiera_elf_open(path, &elf) ? hiera_elf_find(&elf, ABOUT) : NULL;
    if (!text)
        return about;
    const char *end = memchr(text, '\n', elf.size - (size_t)(text - (const char *)elf.bytes));
    if (!end)
        return about;
    text += strlen("hiera-level ");
    hiera_words_split(&fields, hiera_words_format("%.*s", (int)(end - text), text), ' ');
    for (size_t i = 0; i < fields.n; i++) {
        char *value = strchr(fields.at[i], '=');
        if (value)
            hiera_words_split(hiera_words_begins(fields.at[i], "libraries=") ? &about.patterns : &about.names,
                              value + 1, ',');
    }
    return about;
}

static HieraWords all_levels(void)
{
    HieraWords paths = {0};
    glob_t found;
    if (glob(hiera_words_format("%s/libhiera-level-*.so", hiera_library_levels_dir()), 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            hiera_words_add(&paths, found.gl_pathv[i]);
    return paths; /* do not free `found`: the texts in `paths` belong to it */
}

const char *hiera_library_level(const char *name)
{
    size_t length = strlen(name);
    if (strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0))
        return access(name, F_OK) == 0 ? realpath(name, NULL) : NULL;
    HieraWords paths = all_levels();
    for (size_t i = 0; i < paths.n; i++) {
        About it = about(paths.at[i]);
        for (size_t k = 0; k < it.names.n; k++)
            if (strcmp(it.names.at[k], name) == 0)
                return paths.at[i];
    }
    return NULL;
}

/* Whether a program of the command is linked with a library whose soname matches one of the patterns. */
static bool is_needed(const HieraWords *patterns, const HieraCommand *command)
{
    for (size_t i = 0; i < command->n_programs; i++)
        for (size_t k = 0; k < command->programs[i].linked.sonames.n; k++)
            for (size_t p = 0; p < patterns->n; p++)
                if (fnmatch(patterns->at[p], command->programs[i].linked.sonames.at[k], 0) == 0)
                    return true;
    return false;
}

/* Whether HIERA_LEVELS names a level that is of no library, and so is recorded only on request. */
static bool is_requested(const About *it)
{
    const char *levels = getenv("HIERA_LEVELS");
    HieraWords requested = {0};
    bool is = false;
    hiera_words_split(&requested, levels ? levels : "", ',');
    for (size_t i = 0; i < requested.n && it->patterns.n == 0; i++)
        for (size_t k = 0; k < it->names.n; k++)
            is = is || strcmp(requested.at[i], it->names.at[k]) == 0;
    return is;
}

/* Whether a check needs the level: HIERA_CHECK=buffers compares what threads of OpenMP do with the same memory, and so
 * has to know what orders them. */
static bool is_checked(const About *it, const HieraCommand *command)
{
    static char gnu[] = "libgomp.so*", llvm[] = "libomp.so*", intel[] = "libiomp5.so*";
    char *patterns[] = {gnu, llvm, intel};
    const HieraWords runtimes = {.at = patterns, .n = sizeof patterns / sizeof *patterns};
    const char *check = getenv("HIERA_CHECK");
    return check && *check && it->names.n > 0 && strcmp(it->names.at[0], "openmp") == 0 &&
           is_needed(&runtimes, command);
}

void hiera_library_add_levels(HieraWords *to, const HieraCommand *command)
{
    HieraWords paths = all_levels();
    for (size_t i = 0; i < paths.n; i++) {
        About it = about(paths.at[i]);
        if (is_needed(&it.patterns, command) || is_requested(&it) || is_checked(&it, command))
            hiera_words_add_once(to, paths.at[i]);
    }
}

void hiera_library_add_sanitizers(HieraWords *to, const HieraCommand *command)
{
    static const char *const runtimes[] = {"libasan.so*", "libhwasan.so*", "libtsan.so*", "liblsan.so*"};
    for (size_t i = 0; i < command->n_programs; i++)
        for (size_t k = 0; k < command->programs[i].linked.sonames.n; k++)
            for (size_t r = 0; r < sizeof runtimes / sizeof runtimes[0]; r++)
                if (fnmatch(runtimes[r], command->programs[i].linked.sonames.at[k], 0) == 0)
                    hiera_words_add_once(to, command->programs[i].linked.paths.at[k]);
}

static bool is_marker(const char *name)
{
    return (hiera_words_begins(name, "nvtx") && name[4] >= 'A' && name[4] <= 'Z') ||
           (hiera_words_begins(name, "cali_") && name[5] >= 'a' && name[5] <= 'z');
}

bool hiera_library_needs_markers(char **words)
{
    HieraElf elf;
    bool needs = false;
    for (; *words && !needs; words++)
        if (hiera_elf_open(*words, &elf)) {
            needs = hiera_elf_calls(&elf, is_marker);
            hiera_elf_close(&elf);
        }
    return needs;
}

bool hiera_library_has_nvtx(char **words)
{
    HieraElf elf;
    bool has = false;
    for (; *words && !has; words++)
        if (access(*words, X_OK) == 0 && hiera_elf_open(*words, &elf)) {
            has = hiera_elf_find(&elf, "NVTX_INJECTION64_PATH") != NULL;
            hiera_elf_close(&elf);
        }
    return has;
}
