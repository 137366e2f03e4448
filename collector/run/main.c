/* hiera-run: trace an MPI program that is not linked with Hiera.
 *
 * It finds the libhiera for the program's MPI, and adds words to the command that preload it into the ranks, but not
 * into the launcher. Then it runs the command, as if it were the command itself (command.h), and completes the traces
 * of ranks that were killed (left.h). If nothing has to be done afterwards, it replaces itself by the command
 * (exec). */
#include "assert.h"
#include "attach.h"
#include "check.h"
#include "command.h"
#include "doctor.h"
#include "job/launcher_env.h"
#include "left.h"
#include "library.h"
#include "loaded/elf.h"
#include "options.h"
#include "preloading.h"
#include "probes/ready.h"
#include "probing/script_file.h"
#include "probing/shared/stale_files.h"
#include "silent.h"
#include "watch.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_quiet;

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    va_list arguments;
    if (is_quiet)
        return;
    va_start(arguments, format);
    hiera_run_say(format, arguments);
    va_end(arguments);
}

static char *last_of(const HieraWords *words)
{
    return words->n > 0 ? words->at[words->n - 1] : NULL;
}

/* Print a list by running `true` with libhiera preloaded: that of the option, or `chosen` with what it needs, or any.
 * HIERA_HELP=`what` makes the library print the list. */
static void print_by_library(const HieraRunOptions *options, HieraWords chosen, const char *what)
{
    const HieraWords *libraries = hiera_library_all();
    if (libraries->n == 0)
        hiera_run_fail("no libhiera found; looked in %s", HIERA_LIBDIR);
    setenv("HIERA_HELP", what, 1);
    HieraWords preloaded = options->library.n > 0 ? options->library : chosen;
    if (preloaded.n == 0)
        hiera_words_add(&preloaded, libraries->at[0]);
    if (hiera_library_malloc())
        hiera_words_add(&preloaded, hiera_library_malloc());
    setenv("LD_PRELOAD", hiera_words_join(&preloaded, ':'), 1);
    execlp("true", "true", NULL);
    hiera_run_fail("true: %s", strerror(errno));
}

/* Add the libhiera for the MPI of a program. That of the ABI is linked with no MPI, so the program's is added. */
static void add_library_of(char *program, HieraWords *libraries)
{
    HieraCommand command = hiera_launcher_read((char *[]){program, NULL});
    hiera_words_add(libraries, hiera_library_for(&command));
    for (size_t i = 0; command.n_programs > 0 && i < command.programs[0].linked.sonames.n; i++)
        if (hiera_elf_is_abi(command.programs[0].linked.sonames.at[i]))
            hiera_words_add(libraries, command.programs[0].linked.paths.at[i]);
}

/* Print the counters of the machine. Words behind the options are patterns for their names, but for a program, which
 * says whose MPI is asked. */
static void print_counters(const HieraRunOptions *options)
{
    HieraWords patterns = {0}, libraries = {0};
    for (char **word = options->command; *word; word++)
        if (libraries.n == 0 && strchr(*word, '/') && hiera_launcher_file(*word))
            add_library_of(*word, &libraries);
        else
            hiera_words_add(&patterns, *word);
    setenv("HIERA_COUNTERS", patterns.n > 0 ? hiera_words_join(&patterns, ',') : "", 1);
    print_by_library(options, libraries, "counters-end");
}

static const char *library_of(const HieraRunOptions *options, const HieraCommand *command)
{
    if (options->library.n == 0)
        return hiera_library_for(command);
    const char *given = options->library.at[options->library.n - 1];
    char *path = realpath(given, NULL);
    if (!path)
        hiera_run_fail("--library=%s: %s", given, strerror(errno));
    return path;
}

/* Whether the script of HIERA_PROBE uses the numbers or bytes of allocations in regions. */
static bool script_asks_for_malloc(void)
{
    static const HieraProbeVariableId variables[] = {HIERA_PROBE_VARIABLE_ALLOCATIONS, HIERA_PROBE_VARIABLE_FREES,
                                                     HIERA_PROBE_VARIABLE_BYTES_ALLOCATED,
                                                     HIERA_PROBE_VARIABLE_BYTES_FREED, HIERA_PROBE_VARIABLE_ALLOCATED};
    char report[HIERA_PROBE_REPORT];
    const char *given = getenv("HIERA_PROBE"), *name;
    HieraProbeScript *script = given && *given ? hiera_probe_file_read("--probe", given, report) : NULL;
    bool asks = false;
    for (size_t i = 0; script && i < sizeof variables / sizeof variables[0]; i++)
        asks = asks || hiera_probe_script_asks(script, variables[i]);
    for (unsigned i = 0; script && i < hiera_probe_script_count(script); i++)
        asks = asks || ((name = hiera_probe_clause_name(script, i)) && strstr(name, "malloc"));
    hiera_probe_script_free(script);
    return asks;
}

static bool checks_buffers(void)
{
    const char *check = getenv("HIERA_CHECK");
    return check && strstr(check, "buffers");
}

static bool asks_for_malloc(void)
{
    static const char *const settings[] = {"HIERA_COUNTERS", "HIERA_COUNTERS_PRINT"};
    bool asks = script_asks_for_malloc();
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        asks = asks || (getenv(settings[i]) && strstr(getenv(settings[i]), "malloc:"));
    return asks;
}

/* Add libhiera-malloc. It must find the program's malloc behind it; a sanitizer must come first, and has a malloc that
 * others must not call. */
static void add_malloc(HieraWords *libraries, bool has_sanitizer)
{
    bool counts = asks_for_malloc();
    if (!counts && !checks_buffers())
        return;
    if (has_sanitizer && counts)
        note("what the program allocates is not known: a sanitizer does so");
    if (!has_sanitizer && hiera_library_malloc())
        hiera_words_add(libraries, hiera_library_malloc());
}

/* Return the list of libraries to preload, in order. Libraries that the user preloads come last, unless they must be
 * first. */
static char *preload_of(const HieraRunOptions *options, const HieraCommand *command)
{
    HieraWords all = {0}, levels = {0};
    if (options->check.n > 0)
        hiera_check_want();
    const char *before = hiera_preloading_before(command), *markers = hiera_library_markers();
    for (size_t i = 0; i < options->level.n; i++) {
        const char *level = hiera_library_level(options->level.at[i]);
        if (!level)
            hiera_run_fail("--level=%s: neither a file nor a level of a library in %s", options->level.at[i],
                           hiera_library_levels_dir());
        hiera_words_add_once(&levels, level);
    }
    if (options->no_levels.n == 0)
        hiera_library_add_levels(&levels, command);
    if (before && strstr(before, "san.so"))
        hiera_words_add(&all, before);
    hiera_library_add_sanitizers(&all, command);
    bool has_sanitizer = all.n > 0;
    hiera_words_add(&all, library_of(options, command));
    for (size_t i = 0; i < levels.n; i++)
        hiera_words_add(&all, levels.at[i]);
    if (markers && hiera_library_needs_markers(command->words))
        hiera_words_add(&all, markers);
    add_malloc(&all, has_sanitizer);
    if (before && *before && !strstr(before, "san.so"))
        hiera_words_add(&all, before);
    return hiera_words_join(&all, ':');
}

/* Return the text of the built-in probe script `name`; NULL: there is a file of this name. */
static const char *find_ready(const char *name)
{
    char advice[HIERA_PROBE_REPORT];
    if (access(name, F_OK) == 0 || errno != ENOENT)
        return NULL;
    const char *text = hiera_ready_find(name);
    if (text)
        return text;
    hiera_ready_advise(name, advice, sizeof advice);
    hiera_run_fail("--probe %s: %s", name, advice);
}

/* Set HIERA_PROBE. Check the script here, so that its mistakes are reported once and not by each rank. */
static void set_probe(const char *given)
{
    char report[HIERA_PROBE_REPORT];
    const char *ready = strchr(given, '{') ? NULL : find_ready(given);
    if (ready)
        given = ready;
    HieraProbeScript *script = hiera_probe_file_read("--probe", given, report);
    if (!script)
        hiera_run_fail_lines(report);
    hiera_probe_script_free(script);
    setenv("HIERA_PROBE", strchr(given, '{') ? given : realpath(given, NULL), 1);
}

static bool is_asserting(const HieraRunOptions *options)
{
    return options->assert_.n + options->assertions.n > 0;
}

/* Relative paths start at the folder in which this process was started, not where a script or a launcher starts the
 * ranks. */
static void set_folder(const HieraRunOptions *options)
{
    char *here = getcwd(NULL, 0);
    if (options->dir.n > 0)
        setenv("HIERA_DIR", last_of(&options->dir), 1);
    const char *dir = getenv("HIERA_DIR");
    if (dir && strcmp(dir, "-") == 0)
        hiera_run_fail("%s: several files cannot go to standard output; name a folder for them",
                       options->dir.n > 0 ? "--dir -" : "HIERA_DIR=-");
    if (options->print.n == 0 && here && here[0] == '/' && (!dir || dir[0] != '/')) {
        bool is_here = !dir || !*dir || strcmp(dir, ".") == 0;
        setenv("HIERA_DIR", is_here ? here : hiera_words_format("%s/%s", here, dir), 1);
        setenv("HIERA_RUN_DIR", here, 1);
    }
    free(here);
}

static void set_environment(const HieraRunOptions *options)
{
    set_folder(options);
    if (options->baseline.n > 0 && options->assert_.n == 0)
        hiera_run_fail("--baseline is for the rules of --assert; name their file");
    if (is_asserting(options) && options->print.n == 0)
        hiera_assert_check(last_of(&options->assert_), last_of(&options->baseline));
    if (is_asserting(options) && options->print.n + options->doctor.n == 0)
        hiera_assert_prepare();
    if (options->suppress.n > 0 && options->check.n == 0)
        hiera_run_fail("--suppress is for --check");
    if (options->check.n > 0)
        hiera_check_prepare(last_of(&options->suppress));
    if (!getenv("NVTX_INJECTION64_PATH") && hiera_library_markers() && hiera_library_has_nvtx(options->command))
        setenv("NVTX_INJECTION64_PATH", hiera_library_markers(), 1);
    if (!is_quiet)
        setenv("HIERA_SUMMARY", "1", 0);
}

/* Print a command as a shell takes it. @return  whether that failed */
static bool print_command(const HieraWords *words)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%^~";
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->at[i];
        bool quotes = *word == '\0' || word[strspn(word, plain)] != '\0';
        printf("%s%s", i > 0 ? " " : "", quotes ? "'" : "");
        for (; *word; word++)
            fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
        fputs(quotes ? "'" : "", stdout);
    }
    return putchar('\n') == EOF;
}

/* For --doctor: what comes before a run, and its messages. */
static void rehearse(const HieraRunOptions *options, const HieraCommand *command)
{
    is_quiet = false;
    if (options->probe.n > 0)
        set_probe(last_of(&options->probe));
    char *preload = preload_of(options, command);
    set_environment(options);
    printf("LD_PRELOAD=%s\n", preload);
}

/* Whether there will be work when the command has ended. A process that a launcher has started beside others leaves
 * that work to the hiera-run before the launcher: its role for the launcher is not known. */
static bool is_to_stay(const HieraRunOptions *options)
{
    const char *survive = getenv("HIERA_SURVIVE");
    bool survives = !hiera_silent_is_off("HIERA_ENABLED") && !hiera_silent_is_off("HIERA_TRACE") &&
                    !(survive && strcmp(survive, "off") == 0);
    return is_asserting(options) || options->check.n > 0 || options->watch.n > 0 ||
           (survives && hiera_launch_read_any().size <= 1);
}

/* Whether ranks may use files of shared memory, which stay if the ranks are killed. */
static bool may_share(void)
{
    const char *search = getenv("HIERA_SEARCH");
    return getenv("HIERA_PROBE") || (search && hiera_words_begins(search, "common"));
}

/* Run the command and do the work after its end. Returns only if the command could not be started as a process. */
static void run_and_complete(const HieraRunOptions *options, const HieraCommand *command, const char *preload,
                             char **words)
{
    int status;
    pid_t watch = options->watch.n > 0 ? hiera_watch_begin(last_of(&options->watch)) : 0;
    bool has_run = hiera_run_command(words, &status);
    hiera_watch_end(watch);
    if (!has_run)
        return;
    hiera_left_complete(status, is_quiet);
    HieraMade made = WIFSIGNALED(status) || !hiera_silent_is_meant(command) ? HIERA_MADE_TRACE : hiera_left_trace();
    if (made != HIERA_MADE_TRACE)
        hiera_silent_say(note, command, preload,
                         (HieraSilence){.is_known = made == HIERA_MADE_NOTHING,
                                        .has_earlier = hiera_left_has_earlier(),
                                        .is_failed = status != 0});
    if (may_share() || is_asserting(options))
        hiera_stale_files_remove(); /* remove shared memory that killed ranks have left */
    if (is_asserting(options))
        status = hiera_assert_judge(status);
    if (options->check.n > 0)
        status = hiera_check_judge(status, made != HIERA_MADE_NOTHING);
    hiera_run_end_like(status);
}

int main(int argc, char **argv)
{
    (void)argc;
    HieraRunOptions options = hiera_run_options_read(argv + 1);
    const char *quiet = getenv("HIERA_QUIET");
    is_quiet = options.quiet.n > 0 || (quiet && strcmp(quiet, "1") == 0);
    if (options.attach.n > 0)
        return hiera_run_attach(last_of(&options.attach), options.command);
    hiera_library_locate();
    if (options.help.n > 0)
        return fputs(hiera_run_help(), stdout) < 0;
    if (options.help_all.n > 0) {
        if (puts(hiera_run_help()) < 0 || fflush(stdout) != 0)
            return 1;
        print_by_library(&options, (HieraWords){0}, "now-all");
    }
    if (options.version.n > 0)
        return printf("hiera-run %s\n", HIERA_VERSION) < 0;
    if (options.settings.n > 0)
        print_by_library(&options, (HieraWords){0}, "now");
    if (options.counters.n > 0)
        print_counters(&options);
    if (options.doctor.n > 0) {
        set_folder(&options);
        return hiera_doctor(&options, rehearse);
    }
    if (!options.command[0]) {
        fputs(hiera_run_help(), stderr);
        return 2;
    }
    HieraCommand command = hiera_launcher_read(options.command);
    if (options.probe.n > 0)
        set_probe(last_of(&options.probe));
    char *preload = preload_of(&options, &command);
    bool stays = is_to_stay(&options);
    set_environment(&options);
    if (options.print.n == 0 && (stays || hiera_launch_read_any().size <= 1))
        hiera_left_begin();
    HieraWords words = hiera_preloading_command(&command, preload);
    if (options.print.n > 0)
        return print_command(&words);
    hiera_silent_warn(note, note, &command, preload);
    if (may_share())
        hiera_stale_files_remove();
    hiera_left_say(note);
    if (stays)
        run_and_complete(&options, &command, preload, words.at);
    execvp(words.at[0], words.at);
    hiera_run_fail("%s: %s", words.at[0], strerror(errno));
}
