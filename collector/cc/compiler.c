/* Find and run the compiler in whose place hiera-cc is called. */
#include "compiler.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Variable for the compiler: the compilers that hiera-cc has started so far. A hiera-cc that one of these starts
 * (HIERA_CC is mpicc and OMPI_CC is hiera-cc, or ccache finds hiera-cc under the name `cc`) must not start it again. */
static const char inside[] = "HIERA_CC_INSIDE";

bool hiera_compiler_is_inside(void)
{
    return getenv(inside) != NULL;
}

static bool was_started(const char *path)
{
    HieraWords started = {0};
    const char *all = getenv(inside);
    hiera_words_split(&started, all ? all : "", ':');
    for (size_t i = 0; i < started.n; i++) {
        if (strcmp(started.at[i], path) == 0)
            return true;
    }
    return false;
}

static bool is_self(const char *path)
{
    struct stat own, other;
    return stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev &&
           own.st_ino == other.st_ino;
}

/* Find the first program of this name in PATH that is neither hiera-cc nor one that hiera-cc has already started. */
static const char *search(const char *name)
{
    HieraWords folders = {0};
    const char *path = getenv("PATH");
    hiera_words_split(&folders, path ? path : "/usr/local/bin:/usr/bin:/bin", ':');
    for (size_t i = 0; i < folders.n; i++) {
        char *program = hiera_words_format("%s/%s", folders.at[i], name);
        if (access(program, X_OK) == 0 && !is_self(program) && !was_started(program))
            return program;
        free(program);
    }
    hiera_run_fail("no %s found in PATH", name);
}

HieraWords hiera_compiler_find(bool is_cxx)
{
    HieraWords compiler = {0};
    const char *chosen = getenv(inside) ? NULL : getenv(is_cxx ? "HIERA_CXX" : "HIERA_CC");
    hiera_words_split(&compiler, chosen ? chosen : "", ' ');
    if (compiler.n == 0)
        hiera_words_add(&compiler, is_cxx ? "c++" : "cc");
    if (!strchr(compiler.at[0], '/'))
        compiler.at[0] = (char *)search(compiler.at[0]);
    else if (is_self(compiler.at[0]))
        hiera_run_fail("%s: this is hiera-cc itself; HIERA_CC and HIERA_CXX name the compiler behind it",
                       compiler.at[0]);
    return compiler;
}

static HieraWords command(const HieraWords *compiler, const HieraWords *words)
{
    HieraWords all = {0};
    for (size_t i = 0; i < compiler->n; i++)
        hiera_words_add(&all, compiler->at[i]);
    for (size_t i = 0; i < words->n; i++)
        hiera_words_add(&all, words->at[i]);
    return all;
}

void hiera_compiler_become(const HieraWords *compiler, const HieraWords *words)
{
    HieraWords all = command(compiler, words);
    const char *before = getenv(inside);
    setenv(inside, hiera_words_format("%s:%s", before ? before : "", all.at[0]), 1);
    execvp(all.at[0], all.at);
    hiera_run_fail("%s: %s", all.at[0], strerror(errno));
}

static pid_t running;

static void forward(int signal)
{
    if (running > 0)
        kill(running, signal);
}

int hiera_compiler_run(const HieraWords *compiler, const HieraWords *words, int input)
{
    int status;
    /* Ctrl-C reaches the compiler directly; this process ignores it, to remove its temporary files afterwards. */
    struct sigaction ignoring = {.sa_handler = SIG_IGN}, forwarding = {.sa_handler = forward}, old;
    sigaction(SIGINT, &ignoring, &old);
    running = fork();
    if (running == 0) {
        sigaction(SIGINT, &old, NULL);
        if (input >= 0)
            dup2(input, STDIN_FILENO);
        hiera_compiler_become(compiler, words);
    }
    sigaction(SIGTERM, &forwarding, NULL);
    sigaction(SIGHUP, &forwarding, NULL);
    if (running < 0)
        hiera_run_fail("no process for the compiler: %s", strerror(errno));
    while (waitpid(running, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* In a forked child: execute the compiler, with standard output or standard error into the pipe `ends`. */
static void answer(const HieraWords *compiler, const HieraWords *words, const int *ends, bool on_stderr)
{
    if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", on_stderr ? stdout : stderr))
        _exit(1);
    dup2(ends[1], on_stderr ? STDERR_FILENO : STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("LC_ALL", "C", 1);
    hiera_compiler_become(compiler, words);
}

char *hiera_compiler_ask(const HieraWords *compiler, const HieraWords *words, bool on_stderr)
{
    int ends[2];
    char *text = NULL;
    size_t room = 0;
    if (pipe(ends) != 0)
        return hiera_words_format("%s", "");
    pid_t child = fork();
    if (child == 0)
        answer(compiler, words, ends, on_stderr);
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    if (!stream || getdelim(&text, &room, '\0', stream) < 0)
        text = hiera_words_format("%s", "");
    if (stream)
        fclose(stream);
    if (child > 0)
        waitpid(child, NULL, 0);
    return text;
}
