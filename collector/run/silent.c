/* See silent.h. Nothing is known about processes without libhiera. So only visible signs are reported:
 * words of the command, scripts, and files into which nothing can be preloaded. */
#include "silent.h"

#include "base/whole_file.h"
#include "library.h"
#include "preloading.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

bool hiera_silent_is_off(const char *setting)
{
    const char *value = getenv(setting);
    return value && strcmp(value, "0") == 0;
}

static bool names_setting(const char *word)
{
    static const char *const settings[] = {"HIERA_DIR", "HIERA_TRACE", "HIERA_ENABLED"};
    bool does = false;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        does = does || strstr(word, settings[i]);
    return does;
}

bool hiera_silent_is_meant(const HieraCommand *command)
{
    bool is_ours = !hiera_silent_is_off("HIERA_ENABLED") && !hiera_silent_is_off("HIERA_TRACE");
    for (size_t i = 0; command->words[i]; i++)
        is_ours = is_ours && !names_setting(command->words[i]);
    return is_ours;
}

/* Whether the text of a script, or a word of a command, may change or remove LD_PRELOAD. */
static bool is_about_preload(const char *text)
{
    return strstr(text, "LD_PRELOAD") || strstr(text, "env -i");
}

static bool is_script_about_preload(const char *path)
{
    enum { SCRIPT_MAX = 1 << 20 };
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > SCRIPT_MAX)
        return false;
    size_t length;
    char *text = hiera_whole_file_read(path, &length);
    bool is = text && strncmp(text, "#!", 2) == 0 && is_about_preload(text);
    free(text);
    return is;
}

/* Whether the file has setuid, setgid or capabilities that this process lacks: LD_PRELOAD is ignored then. */
static bool has_rights(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    bool is_of_user = (status.st_mode & S_ISUID) && status.st_uid != getuid(),
         is_of_group = (status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid();
    return is_of_user || is_of_group || (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

/* What a word is for an `env` before the program: not its option, its option, or an option's value. */
typedef enum Env { OUTSIDE, OPTIONS, VALUE } Env;

static Env env_at(Env before, const char *word)
{
    if (before == VALUE)
        return OPTIONS;
    if (before == OPTIONS && (word[0] == '-' || strchr(word, '=')))
        return hiera_preloading_is_before_value(word) ? VALUE : OPTIONS;
    return hiera_preloading_is_env(word) ? OPTIONS : OUTSIDE;
}

/* Whether an option of `env` clears the environment: -, -i, --ignore-environment or a short form of these. */
static bool clears_environment(const char *option)
{
    bool is_long = hiera_words_begins(option, "--");
    return is_long ? strlen(option) > 3 && hiera_words_begins("--ignore-environment", option)
                   : strcmp(option, "-") == 0 || (option[0] == '-' && option[1 + strcspn(option + 1, "iuCS")] == 'i');
}

/* Print a message if this word may be the reason for the missing trace. @return whether it may */
static bool say_of_word(HieraSay *say, Env env, const char *word, const char *before, const char *preload)
{
    const char *file = hiera_launcher_file(word);
    if ((env == OPTIONS && clears_environment(word)) || is_about_preload(word))
        say("'%s%s%s' may take away what hiera-run preloads: LD_PRELOAD=%s", env == VALUE ? before : "",
            env == VALUE ? " " : "", word, preload);
    else if (file && is_script_about_preload(file))
        say("%s sets LD_PRELOAD or clears the environment: keep there what hiera-run preloads: LD_PRELOAD=%s", file,
            preload);
    else if (file && has_rights(file))
        say("%s has rights of its own (setuid, setgid or capabilities): nothing can be preloaded into it. Link it with "
            "Hiera (docs/install.md)",
            file);
    else
        return false;
    return true;
}

bool hiera_silent_reasons(HieraSay *say, const HieraCommand *command, const char *preload)
{
    bool is_found = false;
    Env env = OUTSIDE;
    for (size_t i = 0; command->words[i]; i++) {
        Env next = env_at(env, command->words[i]);
        is_found = say_of_word(say, env == VALUE ? VALUE : next, command->words[i], i > 0 ? command->words[i - 1] : "",
                               preload) ||
                   is_found;
        env = next;
    }
    if (command->is_static)
        say("%s is wholly static: nothing can be preloaded into it; link it with libhiera.a (docs/install.md)",
            command->is_static);
    return is_found || command->is_static;
}

void hiera_silent_say(HieraSay *say, const HieraCommand *command, const char *preload, HieraSilence silence)
{
    char folder[PATH_MAX];
    const char *dir = getenv("HIERA_DIR");
    if (!realpath(dir && *dir ? dir : ".", folder))
        strcpy(folder, dir && strlen(dir) < sizeof folder ? dir : ".");
    if (silence.is_known)
        say("this run left no trace in %s: none of its processes on this host has called MPI through libhiera", folder);
    else
        say("whether there was a trace in %s is not known: the folder was made or removed meanwhile, or could not be "
            "watched",
            folder);
    if (silence.has_earlier)
        say("the traces in this folder are those of an earlier run");
    if (!hiera_silent_reasons(say, command, preload) && !silence.is_failed && !command->other)
        say("if it did call MPI: does a script or program before it set LD_PRELOAD or clear the environment? Keep "
            "there "
            "LD_PRELOAD=%s",
            preload);
}

/* True if a file names the programs. Open MPI then ignores all other words, and passes none of our variables to the
 * programs. */
static bool has_appfile(const HieraCommand *command)
{
    bool has = false;
    for (size_t i = command->launcher; command->words[i] && command->kind == HIERA_LAUNCHER_OPENMPI; i++)
        has = has || strcmp(command->words[i], "--app") == 0 || strcmp(command->words[i], "-app") == 0;
    return has && command->n_programs == 0;
}

void hiera_silent_warn(HieraSay *say, HieraSay *doubt, const HieraCommand *command, const char *preload)
{
    if (hiera_silent_is_off("HIERA_ENABLED"))
        say("HIERA_ENABLED=0: nothing is recorded");
    if (hiera_silent_is_off("HIERA_TRACE") && !getenv("HIERA_PROBE") && !getenv("HIERA_PLUGIN") &&
        !getenv("HIERA_ASSERT") && !getenv("HIERA_ASSERT_DIR"))
        say("HIERA_TRACE=0: there is no trace; only assertions are checked that the program has in its source");
    if (command->n_programs == 0 && command->other)
        doubt("%s is not linked with an MPI library: if it calls no MPI, nothing is recorded", command->other);
    if (hiera_library_is_alien(command))
        say("%s is linked with %s, but %s belongs to another MPI: each process would be a job of its own",
            command->programs[0].path, hiera_loader_mpi(&command->programs[0].linked),
            command->words[command->launcher]);
    if (has_appfile(command))
        doubt("with --app %s ignores all other options: write -x LD_PRELOAD=%s into each line of the file, or nothing "
              "is recorded",
              command->words[command->launcher], preload);
}
