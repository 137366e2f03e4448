/* See doctor.h. Each question is asked of the part of hiera-run that decides it in a run: in a child process, since
 * such a part prints and may exit. Here are the rows about the program; doctor_trace.c has those about its trace,
 * doctor_host.c those about the machine. */
#include "doctor.h"

#include "base/settings.h"
#include "base/unknown_settings.h"
#include "library.h"
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

static const char *first[HIERA_HEALTH_END]; /* of each health, what the first row is about */

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

__attribute__((format(printf, 3, 0))) static void print_row(HieraHealth health, const char *what, const char *format,
                                                            va_list arguments)
{
    static const char *const words[] = {"ok", "note", "maybe", "BAD"};
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    print_wrapped(hiera_words_format("%-10s %s", what, words[health]), text);
    if (!first[health])
        first[health] = what;
}

void hiera_doctor_row(HieraHealth health, const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_row(health, what, format, arguments);
    va_end(arguments);
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

static void print_programs(const HieraCommand *command)
{
    for (size_t i = 0; i < command->n_programs; i++)
        print_program(&command->programs[i]);
    if (command->n_programs > 0 || command->is_static || command->foreign || command->other)
        return;
    if (command->has_hiera)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "program", "Hiera is linked into it");
    else
        hiera_doctor_row(HIERA_HEALTH_MAYBE, "program",
                         "no word of the command is a program here that is linked with an MPI: what is recorded is one "
                         "that loads an MPI later, as Python does, or that a script starts");
}

/* Print what hiera-run would say before the run. @return the libraries to preload; NULL: it would fail */
static char *print_libraries(const Question *question)
{
    int status;
    char *preload = NULL;
    HieraWords lines = overhear(ask_rehearsal, question, &status), paths = {0};
    for (size_t i = 0; i < lines.n; i++)
        if (hiera_words_begins(lines.at[i], "LD_PRELOAD="))
            preload = lines.at[i] + strlen("LD_PRELOAD=");
        else
            hiera_doctor_row(status == 0 ? HIERA_HEALTH_LESS : HIERA_HEALTH_BAD, "job", "%s",
                             without_name(lines.at[i]));
    if (!preload)
        return NULL;
    hiera_words_split(&paths, preload, ':');
    hiera_doctor_row(HIERA_HEALTH_GOOD, "library", "%s", hiera_words_join(&paths, ' '));
    return preload;
}

/* Print what the dynamic loader says of the libraries; what other libraries print that are preloaded is no harm. */
static void print_loading(const Question *question)
{
    int status;
    HieraWords lines = overhear(ask_loader, question, &status);
    for (size_t i = 0; i < lines.n; i++)
        hiera_doctor_row(strstr(lines.at[i], "libhiera") ? HIERA_HEALTH_BAD : HIERA_HEALTH_LESS, "loading", "%s",
                         lines.at[i]);
    if (status != 0)
        hiera_doctor_row(HIERA_HEALTH_BAD, "loading", "`true` fails with these libraries in it");
    else if (lines.n == 0)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "loading", "the dynamic loader takes these libraries");
}

__attribute__((format(printf, 1, 2))) static void say_certain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_row(HIERA_HEALTH_BAD, "job", format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 1, 2))) static void say_doubt(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_row(HIERA_HEALTH_MAYBE, "preloading", format, arguments);
    va_end(arguments);
}

/* Whether a word of the command contains a text, in any case of its letters. */
static bool has_word(const HieraCommand *command, const char *text)
{
    bool has = false;
    for (size_t i = 0; command->words[i]; i++)
        has = has || strcasestr(command->words[i], text);
    return has;
}

/* Print whether the launcher of Open MPI runs programs of root. */
static void print_root(const HieraCommand *command)
{
    bool is_allowed = (getenv("OMPI_ALLOW_RUN_AS_ROOT") && getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")) ||
                      has_word(command, "allow-run-as-root");
    if (is_allowed || geteuid() != 0 || command->kind != HIERA_LAUNCHER_OPENMPI)
        return;
    hiera_doctor_row(command->launcher == 0 ? HIERA_HEALTH_BAD : HIERA_HEALTH_MAYBE, "launcher",
                     "that of Open MPI does not run programs of root");
    hiera_doctor_advise("set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
}

static void print_command(Question *question)
{
    const HieraCommand *command = question->command;
    print_programs(command);
    question->preload = print_libraries(question);
    if (!question->preload)
        return;
    print_loading(question);
    print_root(command);
    hiera_silent_warn(say_certain, say_doubt, command, question->preload);
    hiera_silent_reasons(say_doubt, command, question->preload);
    hiera_doctor_trace(command, question->preload);
}

static void print_settings(const Question *question)
{
    int status;
    HieraWords lines = overhear(ask_settings, question, &status);
    for (size_t i = 0; i < lines.n; i++)
        hiera_doctor_row(HIERA_HEALTH_LESS, "settings", "%s", without_name(lines.at[i]));
    if (lines.n == 0)
        hiera_doctor_row(HIERA_HEALTH_GOOD, "settings",
                         "all variables HIERA_… in the environment have names of settings");
}

/* Whether a word behind the launcher is a program or a script. */
static bool is_run(const char *word)
{
    const char *file = word[0] == '-' ? NULL : hiera_launcher_file(word);
    return file && access(file, X_OK) == 0;
}

/* The number of ranks in the words of the launcher; 0: it is not known. */
static unsigned long ranks_of(const HieraCommand *command)
{
    static const char *const options[] = {"-n", "-np", "--np", "--n", "--ntasks"};
    unsigned long all = 0;
    bool is_behind = false; /* behind a program, whose own words follow */
    for (size_t i = command->launcher; command->kind && command->words[i] && command->words[i + 1]; i++) {
        is_behind =
            strcmp(command->words[i], ":") != 0 && (is_behind || (i > command->launcher && is_run(command->words[i])));
        for (size_t k = 0; k < sizeof options / sizeof *options && !is_behind; k++)
            if (strcmp(command->words[i], options[k]) == 0)
                all += strtoul(command->words[i + 1], NULL, 10);
    }
    return all;
}

int hiera_doctor(const HieraRunOptions *options, HieraRehearsal *rehearse)
{
    Question question = {.options = options, .rehearse = rehearse};
    const HieraWords *all = hiera_library_all();
    unsigned long ranks = 0;
    bool has_slots = false;
    HieraCommand command;
    if (options->command[0]) {
        command = hiera_launcher_read(options->command);
        question.command = &command;
        print_command(&question);
        ranks = ranks_of(&command);
        has_slots = command.kind == HIERA_LAUNCHER_OPENMPI && !has_word(&command, "oversubscribe") &&
                    !getenv("OMPI_MCA_rmaps_base_oversubscribe");
    } else
        hiera_doctor_row(all->n > 0 ? HIERA_HEALTH_GOOD : HIERA_HEALTH_BAD, "library", "%s",
                         all->n > 0 ? hiera_words_join(all, ' ') : "no libhiera found; looked in " HIERA_LIBDIR);
    print_settings(&question);
    hiera_doctor_host(ranks, has_slots);
    if (first[HIERA_HEALTH_BAD] || first[HIERA_HEALTH_MAYBE])
        printf("\nA recording %s not work: see %s.\n", first[HIERA_HEALTH_BAD] ? "would" : "may",
               first[HIERA_HEALTH_BAD] ? first[HIERA_HEALTH_BAD] : first[HIERA_HEALTH_MAYBE]);
    else
        printf("\nA recording would work%s.\n", question.command ? "" : ", as far as is seen without a command");
    return first[HIERA_HEALTH_BAD] != NULL;
}
