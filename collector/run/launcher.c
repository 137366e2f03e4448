/* Finds launcher and programs in a command line. Commands that only run another one (nice, strace), here called
 * runners, may come before the launcher. See launcher.h. */
#include "launcher.h"

#include "loaded/elf.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Commands that run the command after them (runners). `loads`: debuggers and similar programs, which would examine an
 * `env` between them and the program. So the environment is set before them. */
static const struct {
    const char *name;
    bool loads;
} runners[] = {
    {"catchsegv", false}, {"cgdb", true},         {"chpst", false},   {"chrt", false},     {"doas", false},
    {"env", false},       {"gdb", true},          {"ionice", false},  {"lldb", true},      {"ltrace", true},
    {"nice", false},      {"nohup", false},       {"numactl", false}, {"perf", false},     {"prlimit", false},
    {"rr", true},         {"setarch", false},     {"setsid", false},  {"stdbuf", false},   {"strace", false},
    {"sudo", false},      {"systemd-run", false}, {"taskset", false}, {"time", false},     {"timeout", false},
    {"unbuffer", false},  {"unshare", false},     {"valgrind", true}, {"xvfb-run", false},
};

static const char *const launchers[] = {"mpirun*", "mpiexec*", "orterun", "prterun", "srun"};

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

const char *hiera_launcher_file(const char *word)
{
    HieraWords folders = {0};
    const char *path = getenv("PATH");
    if (strchr(word, '/'))
        return is_file(word) ? word : NULL;
    hiera_words_split(&folders, path ? path : "/bin:/usr/bin", ':');
    for (size_t i = 0; i < folders.n && *word; i++) {
        char *file = hiera_words_format("%s/%s", folders.at[i], word);
        if (is_file(file) && access(file, X_OK) == 0)
            return file;
    }
    return NULL;
}

static int runner_of(const char *word)
{
    for (size_t i = 0; i < sizeof runners / sizeof runners[0]; i++)
        if (strcmp(base_of(word), runners[i].name) == 0)
            return (int)i;
    return -1;
}

static bool is_launcher_name(const char *word)
{
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        if (fnmatch(launchers[i], base_of(word), 0) == 0)
            return true;
    return false;
}

static bool is_open_rte(const char *soname)
{
    return hiera_words_begins(soname, "libopen-rte.so") || hiera_words_begins(soname, "libprrte.so") ||
           hiera_words_begins(soname, "libopen-pal.so");
}

/* Find the kind of a launcher from what it prints as its version. This takes as long as starting the launcher. */
static HieraLauncherKind kind_by_version(const char *file)
{
    char *text = hiera_loader_output(file, (char *[]){(char *)file, (char *)"--version", NULL}, false);
    static const char *const open_mpi[] = {"Open MPI", "OpenRTE", "PRRTE", "prte"}, *const hydra[] = {"HYDRA", "ydra",
                                                                                                      "Intel"};
    for (size_t i = 0; i < sizeof open_mpi / sizeof open_mpi[0]; i++)
        if (strstr(text, open_mpi[i]))
            return HIERA_LAUNCHER_OPENMPI;
    for (size_t i = 0; i < sizeof hydra / sizeof hydra[0]; i++)
        if (strstr(text, hydra[i]))
            return HIERA_LAUNCHER_HYDRA;
    return HIERA_LAUNCHER_UNKNOWN;
}

static HieraLauncherKind kind_of(const char *word, const char *file)
{
    char real[PATH_MAX];
    HieraElf elf;
    if (strcmp(base_of(word), "srun") == 0)
        return HIERA_LAUNCHER_SLURM;
    if (!realpath(file, real) || !hiera_elf_open(real, &elf))
        return kind_by_version(file);
    bool open_mpi = hiera_elf_needs(&elf, is_open_rte) != NULL, hydra = strstr(base_of(real), "hydra") != NULL;
    hiera_elf_close(&elf);
    if (open_mpi)
        return HIERA_LAUNCHER_OPENMPI;
    return hydra ? HIERA_LAUNCHER_HYDRA : kind_by_version(file);
}

static bool is_mpi_program(const char *file)
{
    HieraLinked linked = hiera_loader_ask(file);
    return hiera_loader_mpi(&linked) != NULL;
}

static bool is_loading(const char *word)
{
    int runner = runner_of(word);
    return runner >= 0 && runners[runner].loads;
}

/* Find launcher or program after a runner and its options; further runners may come between. A file that is neither may
 * be the value of an option: the search continues after it. */
static void find_behind_runners(HieraCommand *command)
{
    size_t loading = is_loading(command->words[0]) ? 0 : SIZE_MAX;
    for (size_t i = 1; command->words[i]; i++) {
        const char *word = command->words[i], *file = word[0] == '-' ? NULL : hiera_launcher_file(word);
        if (!file)
            continue;
        if (is_launcher_name(word)) {
            command->kind = kind_of(word, file);
            command->launcher = command->named = i;
            return;
        }
        if (runner_of(word) >= 0) {
            loading = loading == SIZE_MAX && is_loading(word) ? i : loading;
            continue;
        }
        if (command->named == 0)
            command->named = i;
        command->launcher = loading == SIZE_MAX ? command->named : loading;
        if (is_mpi_program(file)) {
            command->named = i;
            command->launcher = loading == SIZE_MAX ? i : loading;
            return;
        }
    }
}

/* Set `named` when neither a launcher nor a program was found: to the first word that looks like a command. */
static void name_something(HieraCommand *command)
{
    for (size_t i = 1; command->words[i] && command->named == 0; i++) {
        const char *word = command->words[i];
        if (word[0] != '-' && !strchr(word, '=') && word[strspn(word, "0123456789.,")] != '\0' && runner_of(word) < 0)
            command->named = i;
    }
}

static bool is_dlopen(const char *name)
{
    return strcmp(name, "dlopen") == 0;
}

static bool calls_dlopen(const char *path)
{
    HieraElf elf;
    if (!hiera_elf_open(path, &elf))
        return false;
    bool does = hiera_elf_calls(&elf, is_dlopen);
    hiera_elf_close(&elf);
    return does;
}

/* Whether the program or one of its libraries calls dlopen(), and so may load an MPI later, as interpreters do. */
static bool may_load(const char *path, const HieraLinked *linked)
{
    bool may = calls_dlopen(path);
    for (size_t i = 0; i < linked->paths.n && !may; i++)
        may = calls_dlopen(linked->paths.at[i]);
    return may;
}

static const char *name_of_loader(const HieraElf *elf)
{
    const char *loader = hiera_elf_loader(elf), *slash = loader ? strrchr(loader, '/') : NULL;
    return slash ? slash + 1 : loader;
}

/* Whether the program is of another C library: by the name of its loader, since one library may be in several places.
 */
static bool is_foreign(const HieraElf *elf)
{
    HieraElf own;
    const char *theirs = name_of_loader(elf);
    if (!theirs || !hiera_elf_open("/proc/self/exe", &own))
        return false;
    const char *ours = name_of_loader(&own);
    bool is = ours && strcmp(theirs, ours) != 0;
    hiera_elf_close(&own);
    return is;
}

/* Add a file to the programs of the job, or to one of the other groups, according to how it is linked. */
static void take_file(HieraCommand *command, const char *path)
{
    HieraElf elf;
    if (!hiera_elf_open(path, &elf))
        return;
    bool is_static = hiera_elf_is_static(&elf) && access(path, X_OK) == 0;
    bool has_hiera = is_static && hiera_elf_find(&elf, "HIERA_BUFFER");
    bool has_other_library = is_foreign(&elf);
    command->has_hiera = command->has_hiera || has_hiera;
    hiera_elf_close(&elf);
    HieraLinked linked = hiera_loader_ask(path);
    if (hiera_loader_mpi(&linked)) {
        command->programs = realloc(command->programs, (command->n_programs + 1) * sizeof *command->programs);
        if (!command->programs)
            hiera_run_fail("no memory");
        command->programs[command->n_programs++] = (HieraCommandProgram){path, linked};
    } else if (is_static && !has_hiera && !command->is_static) {
        command->is_static = path;
    } else if (has_other_library && !command->foreign) {
        command->foreign = path;
    } else if (linked.sonames.n > 0 && command->n_others++ == 0 && !may_load(path, &linked)) {
        command->other = path;
    }
}

HieraCommand hiera_launcher_read(char **words)
{
    HieraCommand command = {.words = words};
    const char *first = hiera_launcher_file(words[0]);
    if (!first)
        hiera_run_fail("%s: no such command", words[0]);
    if (is_launcher_name(words[0]))
        command.kind = kind_of(words[0], first);
    else if (runner_of(words[0]) >= 0) {
        find_behind_runners(&command);
        name_something(&command);
    }
    for (size_t i = command.launcher + (command.kind != HIERA_LAUNCHER_NONE); words[i]; i++) {
        const char *path = words[i][0] == '-' || runner_of(words[i]) >= 0 ? NULL
                           : is_file(words[i])                            ? words[i]
                                                                          : hiera_launcher_file(words[i]);
        if (path)
            take_file(&command, path);
    }
    return command;
}
