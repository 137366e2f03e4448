/* See preloading.h. Only words before the program are examined, because those behind it belong to the program. */
#include "preloading.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char assignment[] = "LD_PRELOAD=", variable[] = "LD_PRELOAD", export[] = "--export";

/* Return the names of the environment variables that all ranks must have. */
static HieraWords settings(void)
{
    HieraWords names = {0};
    for (char **setting = environ; *setting; setting++)
        if (hiera_words_begins(*setting, "HIERA_") || hiera_words_begins(*setting, "NVTX_INJECTION64_PATH="))
            hiera_words_add(&names, hiera_words_format("%.*s", (int)strcspn(*setting, "="), *setting));
    return names;
}

/* Append -x NAME for each of these variables, because Open MPI's launcher passes only named ones to other hosts. */
static void add_settings(HieraWords *words)
{
    HieraWords names = settings();
    for (size_t i = 0; i < names.n; i++) {
        hiera_words_add(words, "-x");
        hiera_words_add(words, names.at[i]);
    }
}

/* Whether the words of a further program begin behind word i, a colon: mpirun -n 2 ./a : -n 2 ./b */
static bool is_before_program(const HieraCommand *command, size_t i)
{
    const char *next = command->words[i + 1];
    return i > command->launcher && strcmp(command->words[i], ":") == 0 && next && strcmp(next, ":") != 0;
}

/* --- libraries that the user's command itself preloads --- */

static bool is_one_of(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

bool hiera_preloading_is_env(const char *word)
{
    const char *slash = strrchr(word, '/');
    return strcmp(slash ? slash + 1 : word, "env") == 0;
}

bool hiera_preloading_is_before_value(const char *option)
{
    size_t n = strlen(option);
    bool is_short = n > 1 && option[0] == '-' && option[1] != '-';
    return (is_short && strcspn(option, "uC") == n - 1) || is_one_of(option, "--unset", "--chdir");
}

const char *hiera_preloading_before(const HieraCommand *command)
{
    const char *before = getenv(variable);
    bool is_behind_env = false;
    for (size_t i = 0; i < command->launcher; i++) {
        is_behind_env = is_behind_env || hiera_preloading_is_env(command->words[i]);
        if (is_behind_env && hiera_words_begins(command->words[i], assignment))
            before = command->words[i] + sizeof assignment - 1;
    }
    return before;
}

/* Join our list of libraries and the command's own list; sanitizers in the command's list must come first. */
static char *merge(const char *preload, const char *own)
{
    if (!*own || strstr(preload, own))
        return hiera_words_format("%s", preload);
    return strstr(own, "san.so") ? hiera_words_format("%s:%s", own, preload)
                                 : hiera_words_format("%s:%s", preload, own);
}

/* Return LD_PRELOAD=LIST with our list added. LD_PRELOAD alone means the environment's list, which ours contains. */
static char *merge_assignment(const char *word, const char *preload)
{
    return hiera_words_format("%s%s", assignment,
                              merge(preload, hiera_words_begins(word, assignment) ? word + sizeof assignment - 1 : ""));
}

/* Whether a list of variables contains `name` or `name=VALUE`. */
static bool gives(const HieraWords *list, const char *name)
{
    size_t n = strlen(name);
    bool does = false;
    for (size_t i = 0; i < list->n; i++)
        does = does || (hiera_words_begins(list->at[i], name) && (list->at[i][n] == '=' || list->at[i][n] == '\0'));
    return does;
}

/* Merge the list of variables that Slurm's srun passes to the ranks; it may be ALL, NONE or NIL (the last two pass
 * fewer). */
static char *merge_export(const char *list, const char *preload)
{
    HieraWords given = {0}, all = {0}, names = settings();
    bool is_all = false, has = false;
    hiera_words_split(&given, list, ',');
    for (size_t i = 0; i < given.n; i++) {
        bool is_own = strcmp(given.at[i], variable) == 0 || hiera_words_begins(given.at[i], assignment);
        is_all = is_all || strcmp(given.at[i], "ALL") == 0;
        has = has || is_own;
        if (!is_one_of(given.at[i], "NONE", "NIL"))
            hiera_words_add(&all, is_own ? merge_assignment(given.at[i], preload) : given.at[i]);
    }
    if (!has)
        hiera_words_add(&all, hiera_words_format("%s%s", assignment, preload));
    for (size_t i = 0; i < names.n && !is_all; i++)
        if (!gives(&given, names.at[i]))
            hiera_words_add(&all, names.at[i]);
    return hiera_words_join(&all, ',');
}

/* The programs for which a word of the launcher's options is the value of LD_PRELOAD, or an assignment of it. Open
 * MPI's -x without a value takes the value of the environment. */
typedef enum Reach { OF_NONE, OF_ONE, OF_ALL } Reach;

static Reach reach_of(HieraLauncherKind kind, char **words, size_t i, size_t first)
{
    const char *word = words[i];
    if (kind == HIERA_LAUNCHER_OPENMPI)
        return i > first && is_one_of(words[i - 1], "-x", "--x") &&
               (hiera_words_begins(word, assignment) || strcmp(word, variable) == 0);
    if (kind == HIERA_LAUNCHER_SLURM)
        return hiera_words_begins(word, "--export=") || (i > first && strcmp(words[i - 1], export) == 0) ? OF_ALL
                                                                                                         : OF_NONE;
    if (kind != HIERA_LAUNCHER_HYDRA || i < first + 2 || strcmp(words[i - 1], variable) != 0)
        return OF_NONE;
    if (is_one_of(words[i - 2], "-genv", "--genv"))
        return OF_ALL;
    return is_one_of(words[i - 2], "-env", "--env") ? OF_ONE : OF_NONE;
}

static char *merge_word(const char *word, const char *preload)
{
    return hiera_words_begins(word, variable) ? merge_assignment(word, preload) : merge(preload, word);
}

/* Add our libraries to "--export=LIST", or to the list behind "--export". */
static char *merge_export_word(const char *word, const char *preload)
{
    bool is_option = hiera_words_begins(word, export);
    return hiera_words_format("%s%s", is_option ? "--export=" : "",
                              merge_export(is_option ? word + sizeof export : word, preload));
}

/* Merge libraries that the options of a launcher, or an `env` behind them, preload with ours: in the words from `first`
 * on, up to the program's own. */
static Reach merge_all(char **words, size_t first, HieraLauncherKind kind, const char *preload)
{
    Reach reach = OF_NONE;
    bool is_behind_env = false;
    for (size_t i = first; words[i]; i++) {
        Reach its = is_behind_env ? OF_NONE : reach_of(kind, words, i, first);
        reach = its > reach ? its : reach;
        if (its != OF_NONE || (is_behind_env && hiera_words_begins(words[i], assignment)))
            words[i] = its != OF_NONE && kind == HIERA_LAUNCHER_SLURM ? merge_export_word(words[i], preload)
                                                                      : merge_word(words[i], preload);
        else if (hiera_preloading_is_env(words[i]))
            is_behind_env = true;
        else if (is_behind_env && hiera_preloading_is_before_value(words[i]) && words[i + 1])
            i++;
        else if (words[i][0] != '-' && (is_behind_env ? !strchr(words[i], '=') : hiera_launcher_file(words[i]) != NULL))
            break;
    }
    return reach;
}

static void add_preload(HieraWords *words, HieraLauncherKind kind, const char *preload)
{
    char *given = hiera_words_format("LD_PRELOAD=%s", preload);
    if (kind == HIERA_LAUNCHER_OPENMPI) {
        hiera_words_add(words, "-x");
        hiera_words_add(words, given);
    } else if (kind == HIERA_LAUNCHER_HYDRA) {
        hiera_words_add(words, "-genv");
        hiera_words_add(words, "LD_PRELOAD");
        hiera_words_add(words, preload);
    } else if (kind == HIERA_LAUNCHER_SLURM) {
        const char *list = getenv("SLURM_EXPORT_ENV"); /* used by srun if it has no option --export */
        hiera_words_add(words,
                        hiera_words_format("%s=%s", export, merge_export(list && *list ? list : "ALL", preload)));
    } else {
        hiera_words_add(words, "env");
        hiera_words_add(words, given);
    }
}

/* `env` takes a word with '=' for a variable, so a shell starts a program with such a name. */
static void add_shell(HieraWords *words)
{
    static const char *const shell[] = {"sh", "-c", "exec \"$@\"", "sh"};
    for (size_t i = 0; i < sizeof shell / sizeof *shell; i++)
        hiera_words_add(words, shell[i]);
}

/* Options are added for each program if the launcher is Open MPI's, for which they hold for one program only. */
HieraWords hiera_preloading_command(const HieraCommand *command, const char *preload)
{
    HieraWords words = {0}, copy = {0};
    bool is_behind = command->kind != HIERA_LAUNCHER_NONE && command->kind != HIERA_LAUNCHER_UNKNOWN;
    bool is_open_mpi = command->kind == HIERA_LAUNCHER_OPENMPI;
    for (size_t i = 0; command->words[i]; i++)
        hiera_words_add(&copy, command->words[i]);
    for (size_t i = 0; copy.at[i]; i++) {
        bool is_first = i == command->launcher, begins = is_behind && (is_first || is_before_program(command, i));
        Reach own = begins ? merge_all(copy.at, i + 1, command->kind, preload) : OF_NONE;
        if (is_first && !is_behind) {
            add_preload(&words, command->kind, preload);
            if (strchr(copy.at[i], '='))
                add_shell(&words);
        }
        hiera_words_add(&words, copy.at[i]);
        if (begins && is_open_mpi)
            add_settings(&words);
        if (begins && (is_open_mpi ? own == OF_NONE : is_first && own != OF_ALL))
            add_preload(&words, command->kind, preload);
    }
    return words;
}
