/* See loader.h. Asks the dynamic loader for the libraries of a program, as ldd(1) does, but without a shell. */
#include "loader.h"

#include "loaded/elf.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 256 << 10 };

static void become(const char *path, char *const *arguments, int out, bool without_preload)
{
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDERR_FILENO);
    dup2(out, STDOUT_FILENO);
    if (without_preload)
        unsetenv("LD_PRELOAD");
    execv(path, arguments);
    _exit(127);
}

/* Open a pipe whose two descriptors are above 2, even if a standard stream of hiera-run is closed. */
static bool make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        int high = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(ends[i]);
        ends[i] = high;
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

/* Read all output of a command; beyond the limit it is dropped, since otherwise the command would wait. */
static size_t read_all(int fd, char *text)
{
    size_t n = 0;
    char rest[4096];
    ssize_t got;
    do {
        got = n < OUTPUT_MAX ? read(fd, text + n, OUTPUT_MAX - n) : read(fd, rest, sizeof rest);
        n += got > 0 && n < OUTPUT_MAX ? (size_t)got : 0;
    } while (got > 0);
    return n;
}

char *hiera_loader_output(const char *path, char *const *arguments, bool without_preload)
{
    int pipe_ends[2];
    char *text = calloc(OUTPUT_MAX + 1, 1);
    if (!text || !make_pipe(pipe_ends))
        hiera_run_fail("no memory or no file descriptor");
    pid_t child = fork();
    if (child == 0)
        become(path, arguments, pipe_ends[1], without_preload);
    close(pipe_ends[1]);
    if (child > 0) {
        text[read_all(pipe_ends[0], text)] = '\0';
        waitpid(child, NULL, 0);
    }
    close(pipe_ends[0]);
    return text;
}

static bool has_function(const char *path, const char *name)
{
    HieraElf elf;
    if (!hiera_elf_open(path, &elf))
        return false;
    bool has = hiera_elf_has(&elf, name);
    hiera_elf_close(&elf);
    return has;
}

/* Whether this library is a draft of the ABI, with other handles and constants: MPICH 4.3.1 and 4.3.2 have one, by the
 * name that MPICH 5.0 has for the ABI. */
static bool is_draft(const char *soname, const char *path)
{
    return hiera_elf_is_abi(soname) && has_function(path, "MPI_Init") && !has_function(path, "MPI_Abi_get_version");
}

/* Add the library of an output line: "SONAME => PATH (ADDRESS)" or "SONAME => not found". */
static void take_line(HieraLinked *linked, char *line)
{
    char *arrow = strstr(line, " => ");
    if (!arrow)
        return;
    *arrow = '\0';
    char *path = arrow + 4, *address = strrchr(path, '(');
    if (address && address > path)
        address[-1] = '\0';
    line += strspn(line, " \t");
    hiera_words_add(&linked->sonames, is_draft(line, path) ? hiera_words_format("%s, a draft", line) : line);
    hiera_words_add(&linked->paths, *path == '/' ? path : "");
}

/* Return the loader to run. It is the one that the program names, so the file must be executable for the user. For a
 * library it is the loader of hiera-run. Any other file is data, and nothing is run for it. */
static const char *loader_for(const char *path, const HieraElf *elf)
{
    HieraElf own;
    const char *named = hiera_elf_loader(elf), *slash = strrchr(path, '/');
    if (named)
        return *named == '/' && access(path, X_OK) == 0 ? named : NULL;
    bool is_library = strstr(slash ? slash : path, ".so") && !hiera_elf_is_static(elf);
    return is_library && hiera_elf_open("/proc/self/exe", &own) ? hiera_elf_loader(&own) : NULL;
}

HieraLinked hiera_loader_ask(const char *program)
{
    HieraLinked linked = {0};
    HieraElf elf;
    if (!hiera_elf_open(program, &elf))
        return linked;
    const char *loader = loader_for(program, &elf);
    if (loader) {
        char *path = hiera_words_format(strchr(program, '/') ? "%s" : "./%s", program);
        char *text = hiera_loader_output(loader, (char *[]){(char *)loader, (char *)"--list", path, NULL}, true), *rest;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            take_line(&linked, line);
    }
    hiera_elf_close(&elf);
    return linked;
}

/* The library that has MPI's functions and is no MPI that is known, such as a layer with handles of its own. */
static const char *other_mpi(const HieraLinked *linked)
{
    const char *other = NULL;
    for (size_t i = 0; i < linked->paths.n && !other; i++)
        other = has_function(linked->paths.at[i], "MPI_Init") ? linked->sonames.at[i] : NULL;
    return other;
}

const char *hiera_loader_mpi(const HieraLinked *linked)
{
    const char *first = NULL;
    for (size_t i = 0; i < linked->sonames.n; i++) {
        if (hiera_elf_is_abi(linked->sonames.at[i])) /* another MPI may be below it */
            return linked->sonames.at[i];
        if (!first && hiera_elf_is_mpi(linked->sonames.at[i]))
            first = linked->sonames.at[i];
    }
    return first ? first : other_mpi(linked);
}
