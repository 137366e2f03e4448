/* Run hiera-cc-parse to make an edited copy of a source, with declarations for assertions. */
#include "edited_source.h"

#include "compiler.h"
#include "parse.h"
#include "places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PARSE_S = 60 }; /* after so many seconds libclang is taken to hang */

void hiera_edited_keep_stdin(void)
{
    char part[1 << 16];
    int copy = lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 ? -1 : memfd_create("stdin", 0);
    for (ssize_t n; copy >= 0 && (n = read(STDIN_FILENO, part, sizeof part)) > 0;) {
        if (write(copy, part, (size_t)n) != n)
            hiera_run_fail("standard input: %s", strerror(errno));
    }
    if (copy >= 0 && lseek(copy, 0, SEEK_SET) == 0)
        dup2(copy, STDIN_FILENO);
}

static bool is_stdin(const HieraInput *input)
{
    return strcmp(input->path, "-") == 0;
}

/* Whether a source may have assertions: a line has `pragma` and then `hiera` or `perfAssertion`. */
static bool has_words(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return false;
    size_t length = (size_t)status.st_size;
    char *text = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
    bool has = text != MAP_FAILED && hiera_parse_has_words(text, length, NULL);
    if (text != MAP_FAILED)
        munmap(text, length);
    return has;
}

/* --- flags for libclang --- */

/* Add header folders that the compiler searches by default and libclang does not, such as those of mpicc. */
static void add_folders(HieraWords *flags, const HieraWords *compiler, bool is_cxx)
{
    HieraWords question = {0}, lines = {0};
    hiera_words_split(&question, is_cxx ? "-E -v -x c++ /dev/null" : "-E -v -x c /dev/null", ' ');
    char *answer = hiera_compiler_ask(compiler, &question, true);
    const char *begin = strstr(answer, "#include <...>");
    hiera_words_split(&lines, begin ? begin : "", '\n');
    for (size_t i = 1; i < lines.n && lines.at[i][0] == ' '; i++) {
        const char *folder = lines.at[i] + 1;
        bool is_known = strstr(folder, "/clang/") || strstr(folder, "c++") || strcmp(folder, "/usr/include") == 0 ||
                        strcmp(folder, "/usr/local/include") == 0;
        if (!is_known) {
            /* GCC's own headers are searched last, so that only those that libclang lacks, such as omp.h, are GCC's. */
            hiera_words_add(flags, strstr(folder, "/gcc/") ? "-idirafter" : "-isystem");
            hiera_words_add(flags, folder);
        }
    }
}

static HieraWords parser_words(const HieraCommandLine *line, const HieraInput *input, const HieraWords *compiler)
{
    HieraWords words = {0};
    const char *header = hiera_places_header();
    hiera_words_add(&words, hiera_places_parser());
    hiera_words_add(&words, hiera_words_format("--name=%s", is_stdin(input) ? "<stdin>" : input->path));
    hiera_words_add(&words, hiera_words_format("--header=%s", header ? header : "hiera.h"));
    if (line->is_lenient)
        hiera_words_add(&words, "--lenient");
    hiera_words_split(&words, input->is_cxx ? "-- -x c++" : "-- -x c", ' ');
    if (!line->has_standard)
        hiera_words_add(&words, input->is_cxx ? "-std=gnu++17" : "-std=gnu17");
    hiera_words_split(&words, "-w -ferror-limit=0 -fspell-checking -iquote", ' ');
    const char *slash = strrchr(input->path, '/');
    hiera_words_add(&words, slash ? hiera_words_format("%.*s", (int)(slash - input->path + 1), input->path) : ".");
    for (size_t i = 0; i < line->parse_flags.n; i++)
        hiera_words_add(&words, line->parse_flags.at[i]);
    add_folders(&words, compiler, input->is_cxx);
    return words;
}

/* --- the temporary file with the edited source --- */

static bool make_file(HieraEdited *edited, int *file)
{
    const char *temporary = getenv("TMPDIR"), *path = edited->input->path, *slash = strrchr(path, '/');
    const char *name = strcmp(path, "-") == 0 ? "stdin" : slash ? slash + 1 : path;
    edited->folder = hiera_words_format("%s/hiera-cc-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(edited->folder))
        return false;
    edited->path = hiera_words_format("%s/%s", edited->folder, name);
    *file = open(edited->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return *file >= 0;
}

void hiera_edited_remove(const HieraEdited *edited)
{
    unlink(edited->path);
    rmdir(edited->folder);
}

static int run_parser(const HieraWords *words, int source, int edited)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(source, STDIN_FILENO);
        dup2(edited, STDOUT_FILENO);
        alarm(PARSE_S);
        execv(words->at[0], words->at);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Warn that this input is compiled without its assertions, and why. */
static HieraEditing give_up(const HieraInput *input, const char *reason)
{
    fprintf(stderr, "%s: warning: hiera-cc %s; it is compiled without its assertions\n", input->path, reason);
    return HIERA_NOT_EDITED;
}

static HieraEditing edit(const HieraCommandLine *line, const HieraInput *input, const HieraWords *compiler, int source,
                         HieraEdited *edited)
{
    int file;
    *edited = (HieraEdited){.input = input};
    if (!hiera_places_parser())
        return give_up(input, "finds no hiera-cc-parse, which reads this file");
    if (!make_file(edited, &file))
        return give_up(input, hiera_words_format("cannot make a file in %s: %s", edited->folder, strerror(errno)));
    HieraWords words = parser_words(line, input, compiler);
    int status = run_parser(&words, source, file);
    close(file);
    if (status == HIERA_PARSE_EDITED)
        return HIERA_EDITED;
    hiera_edited_remove(edited);
    if (status == HIERA_PARSE_REFUSED)
        return HIERA_EDITING_REFUSED;
    if (status != HIERA_PARSE_NOTHING && status != HIERA_PARSE_NOT_READ)
        return give_up(input, "cannot read this file: libclang crashed or took too long");
    return HIERA_NOT_EDITED;
}

HieraEditing hiera_edited_make(const HieraCommandLine *line, const HieraInput *input, const HieraWords *compiler,
                               HieraEdited *edited)
{
    int source = is_stdin(input) ? dup(STDIN_FILENO) : open(input->path, O_RDONLY | O_CLOEXEC);
    HieraEditing result = HIERA_NOT_EDITED;
    if (source >= 0 && has_words(source))
        result = edit(line, input, compiler, source, edited);
    if (is_stdin(input))
        lseek(STDIN_FILENO, 0, SEEK_SET);
    if (source >= 0)
        close(source);
    return result;
}

/* --- --hiera-keep-source: a copy for the user --- */

/* Path of the copy of the edited source that is kept for the user: beside the output, or in the current folder. */
static char *kept_path(const HieraCommandLine *line, const HieraEdited *edited)
{
    const char *name = strrchr(edited->path, '/') + 1;
    const char *dot = strrchr(name, '.'), *slash = line->output ? strrchr(line->output, '/') : NULL;
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    int folder = slash ? (int)(slash - line->output + 1) : 0;
    return hiera_words_format("%.*s%.*s.hiera%s", folder, slash ? line->output : "", stem, name, dot ? dot : ".c");
}

void hiera_edited_keep(const HieraCommandLine *line, const HieraEdited *edited)
{
    char part[1 << 14];
    char *path = kept_path(line, edited);
    FILE *from = fopen(edited->path, "r"), *to = fopen(path, "w");
    size_t n;
    while (from && to && (n = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, n, to);
    if (from)
        fclose(from);
    if (!to || fclose(to) != 0)
        fprintf(stderr, "hiera-cc: %s: %s\n", path, strerror(errno));
}
