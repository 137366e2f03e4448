/* See check.h. Checks need single operations of all ranks. */
#include "check.h"

#include "base/settings.h"
#include "command.h"
#include "left.h"
#include "silent.h"
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is set if the user has not, and the collector has such a setting: checks of more than the calls. */
static const char *const wanted[][2] = {{"HIERA_CHECK", "buffers"}};

static char *transform; /* path of hiera-transform */
static char *known;     /* file of --suppress; NULL: none */

static bool is_setting(const char *variable)
{
    static const char *const names[] = {
#define X(field, kind, name, value, help) name,
        HIERA_SETTINGS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], variable) == 0)
            return true;
    return false;
}

void hiera_check_prepare(char *suppress)
{
    const char *mode = getenv("HIERA_MODE");
    if (hiera_silent_is_off("HIERA_TRACE") || hiera_silent_is_off("HIERA_ENABLED"))
        hiera_run_fail("--check needs a trace, and %s=0 leaves none",
                       hiera_silent_is_off("HIERA_TRACE") ? "HIERA_TRACE" : "HIERA_ENABLED");
    if (mode && hiera_words_begins(mode, "profile"))
        hiera_run_fail("--check needs single operations; HIERA_MODE=%s has sums", mode);
    transform = hiera_transform_find("--check needs");
    known = suppress ? realpath(suppress, NULL) : NULL;
    if (suppress && !known)
        hiera_run_fail("--suppress=%s: %s", suppress, strerror(errno));
}

void hiera_check_want(void)
{
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (is_setting(wanted[i][0]))
            setenv(wanted[i][0], wanted[i][1], 0);
}

/* Return the folder of the traces, from the current one if it is inside: findings are easier to read. */
static char *find_folder(void)
{
    char *here = getcwd(NULL, 0);
    const char *folder = hiera_left_folder();
    size_t length = here ? strlen(here) : 0;
    bool inside = here && strncmp(folder, here, length) == 0 && (folder[length] == '/' || folder[length] == '\0');
    char *path = inside ? hiera_words_format(".%s", folder + length) : hiera_words_format("%s", folder);
    free(here);
    return path;
}

int hiera_check_judge(int status, bool has_trace)
{
    char validate[] = "--validate", fail[] = "--fail-on", error[] = "error", option[] = "--suppress";
    char *words[] = {transform, find_folder(), validate, fail, error, known ? option : NULL, known, NULL};
    int judged = has_trace ? hiera_transform_run(words) : W_EXITCODE(1, 0);
    bool is_good = WIFEXITED(judged) && WEXITSTATUS(judged) == 0;
    if (!has_trace)
        fprintf(stderr, "hiera-run: there is no trace, so nothing was checked\n");
    else if (!WIFEXITED(judged) || WEXITSTATUS(judged) > 1)
        fprintf(stderr, "hiera-run: not all could be checked\n");
    return is_good || !WIFEXITED(status) || WEXITSTATUS(status) != 0 ? status : W_EXITCODE(1, 0);
}
