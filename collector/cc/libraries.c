/* Adds libhiera to a link command, before the MPI library, whose functions libhiera replaces. */
#include "libraries.h"

#include "compiler.h"
#include "places.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- files of libraries --- */

/* Whether a file contains these bytes. */
static bool has_bytes(const char *path, const char *bytes, size_t n)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
        if (file >= 0)
            close(file);
        return false;
    }
    char *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (text == MAP_FAILED)
        return false;
    bool has = memmem(text, (size_t)status.st_size, bytes, n) != NULL;
    munmap(text, (size_t)status.st_size);
    return has;
}

/* Path of the library in `folder` that `-lNAME` means; NULL: there is none. */
static char *file_in(const char *folder, const char *name)
{
    static const char *const suffixes[] = {"so", "a"};
    for (unsigned i = 0; i < 2; i++) {
        char *path = hiera_words_format("%s/lib%s.%s", folder, name, suffixes[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

/* Path of the library that `-lNAME` means in the folders of the command line's -L; NULL: there is none. */
static char *file_of(const HieraWords *words, const char *name)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->at[i];
        if (!hiera_words_begins(word, "-L"))
            continue;
        const char *folder = word[2] ? word + 2 : words->at[i + 1];
        char *path = folder ? file_in(folder, name) : NULL;
        if (path)
            return path;
    }
    return NULL;
}

/* NAME, if word i is `-lNAME` or `-l` before NAME; else NULL. */
static const char *library_name(const HieraWords *words, size_t i)
{
    if (!hiera_words_begins(words->at[i], "-l"))
        return NULL;
    return words->at[i][2] ? words->at[i] + 2 : words->at[i + 1];
}

bool hiera_libraries_are_needed(const HieraCommandLine *line)
{
    static const char symbol[] = "hiera_assert_open";
    for (size_t i = 0; i < line->n_inputs; i++) {
        const HieraInput *input = &line->inputs[i];
        if (!input->is_c && !input->is_cxx && has_bytes(input->path, symbol, sizeof symbol - 1))
            return true;
    }
    for (size_t i = 0; i < line->words.n; i++) {
        const char *name = library_name(&line->words, i), *path = name ? file_of(&line->words, name) : NULL;
        if (path && has_bytes(path, symbol, sizeof symbol - 1))
            return true;
    }
    return false;
}

/* --- the libhiera for this MPI library --- */

/* Whether word i names an MPI library: `-lmpi`, `-lmpich`, `-lmpi_mpifh`, `/usr/lib/libmpi.so`. */
static bool is_mpi(const HieraWords *words, size_t i)
{
    const char *name = library_name(words, i), *slash = strrchr(words->at[i], '/');
    if (!name && words->at[i][0] != '-') {
        const char *file = slash ? slash + 1 : words->at[i];
        name = hiera_words_begins(file, "libmpi") && (strstr(file, ".so") || strstr(file, ".a")) ? file + 3 : NULL;
    }
    return name && hiera_words_begins(name, "mpi") && strncmp(name, "mpio", 4) != 0;
}

/* Whether a libhiera file needs this MPI library: it contains the library's file name, up to some number of the
 * version. */
static bool suits(const char *hiera, const char *mpi)
{
    char real[PATH_MAX];
    if (!realpath(mpi, real))
        return false;
    char *name = strrchr(real, '/');
    for (char *so = strstr(name, ".so"), *dot = so; dot; dot = strchr(dot + 1, '.')) {
        /* In the string table of libhiera the library's name stands between two NULs. */
        char *end = dot == so ? so + 3 : dot;
        char *needed = hiera_words_format("_%.*s", (int)(end - name - 1), name + 1);
        needed[0] = '\0';
        if (has_bytes(hiera, needed, (size_t)(end - name) + 1))
            return true;
    }
    char *needed = hiera_words_format("_%s", name + 1);
    needed[0] = '\0';
    return has_bytes(hiera, needed, strlen(name + 1) + 2);
}

static char *ask_for_file(const HieraWords *compiler, const char *name)
{
    HieraWords question = {0};
    hiera_words_add(&question, hiera_words_format("-print-file-name=lib%s.so", name));
    char *path = hiera_compiler_ask(compiler, &question, false);
    path[strcspn(path, "\n")] = '\0';
    return path;
}

/* Return NAME for `-lNAME`: the libhiera that needs the command line's MPI library; "hiera" if none does. */
static const char *choose(const char *folder, const HieraWords *words, const HieraWords *compiler)
{
    HieraWords names = {0};
    hiera_words_split(&names, HIERA_MPIS, ' ');
    for (size_t i = 0; i < words->n; i++) {
        if (!is_mpi(words, i))
            continue;
        const char *name = library_name(words, i), *mpi = name ? file_of(words, name) : words->at[i];
        if (!mpi)
            mpi = ask_for_file(compiler, name);
        for (size_t k = 0; k < names.n; k++) {
            if (suits(hiera_words_format("%s/libhiera-%s.so", folder, names.at[k]), mpi))
                return hiera_words_format("hiera-%s", names.at[k]);
        }
    }
    return "hiera";
}

/* --- the new link command --- */

/* Index of the word before which libhiera is inserted: the MPI library, or what follows the last input. */
static size_t find_place(const HieraCommandLine *line, const HieraWords *words)
{
    for (size_t i = 0; i < words->n; i++) {
        if (is_mpi(words, i))
            return i;
    }
    return line->n_inputs > 0 ? line->inputs[line->n_inputs - 1].word + 1 : words->n;
}

static bool has_hiera(const HieraWords *words)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *name = library_name(words, i);
        if ((name && hiera_words_begins(name, "hiera")) || strstr(words->at[i], "libhiera"))
            return true;
    }
    return false;
}

HieraWords hiera_libraries_add(const HieraCommandLine *line, const HieraWords *words, const HieraWords *compiler)
{
    const char *folder = hiera_places_libraries();
    if (!folder || has_hiera(words))
        return *words;
    /* mpicc and the like add the MPI library themselves, and print the whole command when called with -show. */
    const char *slash = strrchr(compiler->at[0], '/');
    bool is_wrapper = hiera_words_begins(slash ? slash + 1 : compiler->at[0], "mpi");
    HieraWords shown = {0}, question = {0}, all = {0};
    hiera_words_add(&question, "-show");
    if (is_wrapper) {
        char *command = hiera_compiler_ask(compiler, &question, false);
        command[strcspn(command, "\n")] = '\0';
        hiera_words_split(&shown, command, ' ');
    }
    const char *name = choose(folder, is_wrapper ? &shown : words, compiler);
    size_t place = find_place(line, words);
    for (size_t i = 0; i <= words->n; i++) {
        if (i == place) {
            hiera_words_add(&all, hiera_words_format("-L%s", folder));
            if (strcmp(folder, "/usr/lib") != 0)
                hiera_words_add(&all, hiera_words_format("-Wl,-rpath,%s", folder));
            hiera_words_add(&all, "-Wl,--push-state,--no-as-needed");
            hiera_words_add(&all, hiera_words_format("-l%s", name));
            hiera_words_add(&all, "-Wl,--pop-state");
        }
        if (i < words->n)
            hiera_words_add(&all, words->at[i]);
    }
    return all;
}
