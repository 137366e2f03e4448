#include "transform.h"

#include "command.h"
#include "words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return the path of the program `name` that PATH finds; NULL: there is none. */
static char *find_in_path(const char *name)
{
    HieraWords folders = {0};
    hiera_words_split(&folders, getenv("PATH") ? getenv("PATH") : "", ':');
    for (size_t i = 0; i < folders.n; i++) {
        char *path = hiera_words_format("%s/%s", folders.at[i], name);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

/* It is beside hiera-run (installed), in the build folder, or in PATH. */
char *hiera_transform_find(const char *needs)
{
    char here[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    char *slash = n > 0 ? strrchr(here, '/') : NULL;
    if (slash)
        *slash = '\0';
    char *installed = hiera_words_format("%s/hiera-transform", here),
         *built = hiera_words_format("%s/../transform/cli/hiera-transform", here);
    if (access(installed, X_OK) == 0)
        return installed;
    char *found = access(built, X_OK) == 0 ? built : find_in_path("hiera-transform");
    if (!found)
        hiera_run_fail("%s hiera-transform, which is neither beside hiera-run nor in PATH", needs);
    return found;
}

int hiera_transform_run(char **words)
{
    sigset_t none;
    sigemptyset(&none);
    setenv("HIERA_PARALLEL", "no",
           1); /* hiera-transform works alone: if a launcher has started hiera-run, it has started no other processes */
    return hiera_run_wait(hiera_run_start(words, STDERR_FILENO, &none));
}
