/* See doctor.h. Each question is asked of the part of hiera-run that decides it in a run: in a child process, since
 * such a part prints and may exit. Here are the rows about the program; doctor_host.c has those about the machine. */
#include "doctor.h"

#include "base/settings.h"
#include "base/unknown_settings.h"
#include "library.h"
#include "loaded/elf.h"
#include "silent.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- rows --- */

enum { WIDTH = 80, INDENT = 17 };

static bool is_well = true; /* no row so far is bad */

/* Print a text in lines of at most 80 columns, the first of which begins with `head`. */
static void print_wrapped(const char *head, const char *text)
{
    size_t column = (size_t)printf("%-*s", INDENT, head);
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column > INDENT && column + 1 + length > WIDTH)
            column = (size_t)printf("\n%*s", INDENT, "") - 1;
        column += (size_t)printf("%s%.*s", column > INDENT ? " " : "", (int)length, text);
        text += length + strspn(text + length, " \n");
    }
    puts("");
}

void hiera_doctor_row(HieraHealth health, const char *what, const char *format, ...)
{
    static const char *const words[] = {"ok", "note", "BAD"};
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_wrapped(hiera_words_format("%-10s %s", what, words[health]), text);
    is_well = is_well && health != HIERA_HEALTH_BAD;
}

void hiera_doctor_advise(const char *format, ...)
{
    char text[4096] = "-> ";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + 3, sizeof text - 3, format, arguments);
    va_end(arguments);
    print_wrapped("", text);
}

/* --- what parts of hiera-run print --- */

typedef struct Question {
    const HieraRunOptions *options;
    const HieraCommand *command;
    HieraRehearsal *rehearse;
    char *preload;
} Question;

/* Call a function in a child process. @param status  how it ended, as from wait(). @return the lines it has printed */
static HieraWords overhear(void (*ask)(const Question *), const Question *question, int *status)
{
    int ends[2];
    char text[16384];
    size_t n = 0;
    ssize_t got;
    HieraWords lines = {0};
    fflush(stdout);
    if (pipe2(ends, O_CLOEXEC) != 0)
        hiera_run_fail("no file descriptor");
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        ask(question);
        exit(0);
    }
    close(ends[1]);
    while (n < sizeof text - 1 && (got = read(ends[0], text + n, sizeof text - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    close(ends[0]);
    *status = -1;
    waitpid(child, status, 0);
    hiera_words_split(&lines, text, '\n');
    return lines;
}

/* A message without the name of the program that has printed it. */
static const char *without_name(const char *line)
{
    const char *colon = strstr(line, ": ");
    return hiera_words_begins(line, "hiera") && colon ? colon + 2 : line;
}

static void ask_rehearsal(const Question *question)
{
    question->rehearse(question->options, question->command);
}

static void ask_settings(const Question *question)
{
    (void)question;
    unsetenv("HIERA_QUIET");
    unsetenv("HIERA_HELP");
    hiera_settings_read();
    hiera_unknown_find();
    hiera_settings_complain();
}

static void ask_loader(const Question *question)
{
    setenv("HIERA_ENABLED", "0", 1);
    setenv("LD_PRELOAD", question->preload, 1);
    execlp("true", "true", NULL);
}

/* --- the program and its libraries --- */

static void print_program(const HieraCommandProgram *program)
{
    const char *mpi = hiera_loader_mpi(&program->linked);
    hiera_doctor_row(HIERA_HEALTH_GOOD, "program", "%s is linked with %s", program->path, mpi);
    for (size_t i = 0; i < program->linked.sonames.n; i++)
        if (!*program->linked.paths.at[i]) {
            hiera_doctor_row(HIERA_HEALTH_BAD, "program", "the dynamic loader does not find %s",
                             program->linked.sonames.at[i]);
            hiera_doctor_advise("set LD_LIBRARY_PATH, or load the module of that library");
        }
}

/* The first word of the command that is the path of no file; NULL: none. */
static const char *missing_file(const HieraCommand *command)
{
    for (size_t i = command->launcher; command->words[i]; i++)
        if (command->words[i][0] != '-' && strchr(command->words[i], '/') && access(command->words[i], F_OK) != 0)
            return command->words[i];
    return NULL;
}

static void print_programs(const HieraCommand *command)
{
    bool has_program = command->n_programs + command->n_others > 0 || command->is_static || command->foreign;
    for (size_t i = 0; i < command->n_programs; i++)
        print_program(&command->programs[i]);
    if (command->n_programs == 0 && command->has_hiera)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "program", "Hiera is linked into it");
    else if (!has_program && missing_file(command))
        hiera_doctor_row(HIERA_HEALTH_BAD, "program", "%s: there is no such file", missing_file(command));
    else if (!has_program || (command->n_programs == 0 && command->n_others > 0 && !command->other))
        hiera_doctor_row(HIERA_HEALTH_LESS, "program",
                         "no word of the command is a program that is linked with an MPI: it is recorded if it loads "
                         "one later, as Python does");
}

/* Print the libraries to preload, and what hiera-run would say before the run. @return the list; NULL: none */
static char *print_libraries(const Question *question)
{
    int status;
    char *preload = NULL;
    HieraWords lines = overhear(ask_rehearsal, question, &status);
    for (size_t i = 0; i < lines.n; i++)
        if (hiera_words_begins(lines.at[i], "LD_PRELOAD="))
            preload = lines.at[i] + strlen("LD_PRELOAD=");
        else
            hiera_doctor_row(HIERA_HEALTH_BAD, status == 0 ? "job" : "library", "%s", without_name(lines.at[i]));
    if (!preload)
        return NULL;
    HieraWords paths = {0};
    hiera_words_split(&paths, preload, ':');
    hiera_doctor_row(HIERA_HEALTH_GOOD, "library", "%s", hiera_words_join(&paths, ' '));
    return preload;
}

static void print_loading(Question *question)
{
    int status;
    HieraWords lines = overhear(ask_loader, question, &status);
    for (size_t i = 0; i < lines.n; i++)
        hiera_doctor_row(HIERA_HEALTH_BAD, "loading", "%s", lines.at[i]);
    if (status != 0)
        hiera_doctor_row(HIERA_HEALTH_BAD, "loading", "`true` fails with these libraries in it");
    else if (lines.n == 0)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "loading", "the dynamic loader takes these libraries");
}

/* Print what the words of a command may do to the preloaded libraries. */
__attribute__((format(printf, 1, 2))) static void say_reason(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hiera_doctor_row(format == hiera_silent_rights ? HIERA_HEALTH_BAD : HIERA_HEALTH_LESS, "preloading", "%s", text);
}

static void print_lines(const char *path)
{
    HieraElf elf;
    if (!hiera_elf_open(path, &elf))
        return;
    bool has = hiera_elf_find(&elf, ".debug_line"), is_apart = hiera_elf_find(&elf, ".gnu_debuglink");
    hiera_elf_close(&elf);
    if (has)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "lines", "%s has debug information", path);
    else if (is_apart)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "lines", "%s has its debug information in another file", path);
    else {
        hiera_doctor_row(HIERA_HEALTH_LESS, "lines",
                         "%s has no debug information: operations have an address instead of file and line", path);
        hiera_doctor_advise("compile and link it with -g, and do not strip it");
    }
}

static bool is_openmp(const char *soname)
{
    static const char *const names[] = {"libgomp.", "libomp.", "libomp5.", "libiomp5."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hiera_words_begins(soname, names[i]))
            return true;
    return false;
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
        hiera_doctor_row(HIERA_HEALTH_GOOD, "levels",
                         "MPI, and regions of the program; it is linked with no library that has a level");
    for (size_t i = 0; i < command->n_programs && !strstr(preload, "libhiera-level-openmp"); i++)
        for (size_t k = 0; k < command->programs[i].linked.sonames.n; k++)
            if (is_openmp(command->programs[i].linked.sonames.at[k])) {
                hiera_doctor_row(HIERA_HEALTH_LESS, "levels",
                                 "%s: the threads of OpenMP are not recorded unless asked for",
                                 command->programs[i].linked.sonames.at[k]);
                hiera_doctor_advise("hiera-run --level=openmp …");
            }
}

static bool print_doubt(bool is, const char *what, const char *value, const char *effect)
{
    if (is)
        hiera_doctor_row(HIERA_HEALTH_LESS, "matching", "%s%s: %s", what, value, effect);
    return is;
}

/* Print why messages would have no partner. */
static void print_matching(const HieraCommand *command)
{
    const char *filter = getenv("HIERA_FILTER"), *levels = getenv("HIERA_LEVELS"), *mode = getenv("HIERA_MODE");
    bool is_part = command->is_static && command->n_programs > 0;
    bool has = print_doubt(filter && *filter, "HIERA_FILTER=", filter,
                           "calls that it leaves out have no partner, and waiting for them is not seen");
    has |= print_doubt(levels && *levels && !hiera_settings_has_word(levels, "mpi"), "HIERA_LEVELS=", levels,
                       "without mpi there are no messages");
    has |=
        print_doubt(mode && hiera_words_begins(mode, "profile"), "HIERA_MODE=", mode, "sums have no single messages");
    has |=
        print_doubt(is_part, command->is_static, "", "it is not recorded, so messages with its ranks have no partner");
    if (!has)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "matching", "all messages are recorded, with their partners");
}

static void print_command(Question *question)
{
    print_programs(question->command);
    question->preload = print_libraries(question);
    if (!question->preload)
        return;
    print_loading(question);
    if (question->command->kind == HIERA_LAUNCHER_OPENMPI && geteuid() == 0 && !getenv("OMPI_ALLOW_RUN_AS_ROOT")) {
        hiera_doctor_row(HIERA_HEALTH_BAD, "launcher", "that of Open MPI does not run programs of root");
        hiera_doctor_advise("set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
    }
    hiera_silent_reasons(say_reason, question->command, question->preload);
    for (size_t i = 0; i < question->command->n_programs; i++)
        print_lines(question->command->programs[i].path);
    print_levels(question->command, question->preload);
    print_matching(question->command);
}

static void print_settings(const Question *question)
{
    int status;
    HieraWords lines = overhear(ask_settings, question, &status);
    for (size_t i = 0; i < lines.n; i++)
        hiera_doctor_row(HIERA_HEALTH_LESS, "settings", "%s", without_name(lines.at[i]));
    if (lines.n == 0)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "settings", "all variables HIERA_… in the environment are settings");
}

/* The number of ranks in the words of the launcher; 0: it is not known. */
static unsigned long ranks_of(const HieraCommand *command)
{
    static const char *const options[] = {"-n", "-np", "--np", "--n", "--ntasks"};
    unsigned long all = 0;
    for (size_t i = command->launcher; command->words[i] && command->words[i + 1] && command->kind; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            if (strcmp(command->words[i], options[k]) == 0)
                all += strtoul(command->words[i + 1], NULL, 10);
    return all;
}

int hiera_doctor(const HieraRunOptions *options, HieraRehearsal *rehearse)
{
    Question question = {.options = options, .rehearse = rehearse};
    unsigned long ranks = 0;
    if (options->command[0]) {
        HieraCommand command = hiera_launcher_read(options->command);
        question.command = &command;
        print_command(&question);
        ranks = ranks_of(&command);
    } else
        for (size_t i = 0; i < hiera_library_all()->n; i++)
            hiera_doctor_row(HIERA_HEALTH_GOOD, "library", "%s", hiera_library_all()->at[i]);
    print_settings(&question);
    hiera_doctor_host(ranks);
    printf("\nA recording would %s\n", !is_well           ? "not work: see BAD."
                                       : question.command ? "work."
                                                          : "work, as far as is seen without a command.");
    return !is_well;
}
