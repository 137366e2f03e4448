/* See doctor.h. What a trace of the command would lack. */
#include "base/settings.h"
#include "doctor.h"
#include "loaded/elf.h"
#include "silent.h"

#include <stdlib.h>
#include <string.h>

static void print_lines(const char *path)
{
    HieraElf elf;
    if (!hiera_elf_open(path, &elf))
        return;
    bool has = hiera_elf_find(&elf, ".debug_line"), is_apart = hiera_elf_find(&elf, ".gnu_debuglink");
    hiera_elf_close(&elf);
    if (has || is_apart)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "lines", "%s has debug information%s", path, has ? "" : " in another file");
    else {
        hiera_doctor_row(HIERA_HEALTH_LESS, "lines",
                         "%s has no debug information: operations have an address instead of file and line", path);
        hiera_doctor_advise("compile and link it with -g, and do not strip it");
    }
}

static bool is_openmp(const char *soname)
{
    return hiera_words_begins(soname, "libgomp.") || hiera_words_begins(soname, "libomp") ||
           hiera_words_begins(soname, "libiomp5.");
}

static void print_levels(const HieraCommand *command, const char *preload)
{
    HieraWords paths = {0}, names = {0};
    hiera_words_split(&paths, preload, ':');
    for (size_t i = 0; i < paths.n; i++) {
        const char *name = strstr(paths.at[i], "/libhiera-level-");
        if (name)
            hiera_words_add(&names, hiera_words_format("%.*s", (int)strcspn(name + 16, "."), name + 16));
    }
    if (names.n > 0)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "levels", "of libraries: %s", hiera_words_join(&names, ' '));
    else
        hiera_doctor_row(HIERA_HEALTH_GOOD, "levels", "MPI, and regions of the program; of libraries none");
    for (size_t i = 0; i < command->n_programs && !strstr(preload, "libhiera-level-openmp"); i++)
        for (size_t k = 0; k < command->programs[i].linked.sonames.n; k++)
            if (is_openmp(command->programs[i].linked.sonames.at[k])) {
                hiera_doctor_row(HIERA_HEALTH_LESS, "levels",
                                 "%s: the threads of OpenMP are not recorded unless asked for",
                                 command->programs[i].linked.sonames.at[k]);
                hiera_doctor_advise("hiera-run --level=openmp …");
            }
}

/* Print why messages would have no partner. */
static void print_matching(const HieraCommand *command)
{
    static const char *const settings[] = {"HIERA_FILTER", "HIERA_LEVELS", "HIERA_MODE"};
    bool has = command->is_static && command->n_programs > 0;
    if (has)
        hiera_doctor_row(HIERA_HEALTH_LESS, "matching",
                         "%s is not recorded, so messages with its ranks have no partner", command->is_static);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = getenv(settings[i]);
        if (!value || !*value || strcmp(value, "trace") == 0 || hiera_settings_has_word(value, "mpi"))
            continue;
        has = true;
        hiera_doctor_row(HIERA_HEALTH_LESS, "matching",
                         "%s=%s: calls that it does not keep one by one have no partner, and waiting for them is not "
                         "seen",
                         settings[i], value);
    }
    if (!has)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "matching", "no setting leaves out messages or their partners");
}

void hiera_doctor_trace(const HieraCommand *command, const char *preload)
{
    for (size_t i = 0; i < command->n_programs; i++)
        print_lines(command->programs[i].path);
    print_levels(command, preload);
    if (!hiera_silent_is_off("HIERA_ENABLED") && !hiera_silent_is_off("HIERA_TRACE"))
        print_matching(command);
}
