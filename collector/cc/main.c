/* hiera-cc, hiera-c++: called in place of the compiler; replaces assertions in pragmas by declarations of hiera.h. If
 * no source has assertions, it executes the compiler with the same words. */
#include "compiler.h"
#include "dependencies.h"
#include "edited_source.h"
#include "libraries.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Sources {
    HieraEdited *edited; /* array of n temporary copies of sources */
    size_t n;
    bool refused, has_c;
    int input; /* descriptor of the edited copy of standard input; -1: not edited */
} Sources;

static bool stands_for_cxx(const char *program)
{
    const char *slash = strrchr(program, '/');
    return strstr(slash ? slash + 1 : program, "++") != NULL;
}

/* Make an edited copy of each source that has assertions. */
static Sources edit_sources(const HieraCommandLine *line, const HieraWords *compiler)
{
    Sources sources = {calloc(line->n_inputs + 1, sizeof *sources.edited), 0, false, false, -1};
    for (size_t i = 0; sources.edited && line->compiles && i < line->n_inputs; i++) {
        const HieraInput *input = &line->inputs[i];
        if (!input->is_c && !input->is_cxx)
            continue;
        if (strcmp(input->path, "-") == 0)
            hiera_edited_keep_stdin();
        HieraEditing editing = hiera_edited_make(line, input, compiler, &sources.edited[sources.n]);
        sources.refused = sources.refused || editing == HIERA_EDITING_REFUSED;
        sources.has_c = sources.has_c || (editing == HIERA_EDITED && input->is_c);
        sources.n += editing == HIERA_EDITED;
    }
    return sources;
}

/* Replace the user's sources in `words` by their edited copies. */
static void exchange(const HieraCommandLine *line, HieraWords *words, Sources *sources)
{
    for (size_t i = 0; i < sources->n; i++) {
        const HieraEdited *edited = &sources->edited[i];
        if (strcmp(edited->input->path, "-") == 0)
            sources->input = open(edited->path, O_RDONLY | O_CLOEXEC);
        else
            words->at[edited->input->word] = edited->path;
        if (line->keeps_source)
            hiera_edited_keep(line, edited);
    }
}

/* Return flags with which an edited copy is compiled as if it were in the source's folder. */
static HieraWords flags_before(const HieraCommandLine *line, const Sources *sources)
{
    HieraWords flags = {0};
    if (sources->has_c)
        hiera_words_add(&flags, "-fexceptions");
    for (size_t i = 0; i < sources->n; i++) {
        const HieraEdited *edited = &sources->edited[i];
        const char *path = edited->input->path, *slash = strrchr(path, '/');
        if (strcmp(path, "-") == 0)
            continue;
        const char *folder = slash ? hiera_words_format("%.*s", (int)(slash - path), path) : ".";
        hiera_words_add(&flags, "-iquote");
        hiera_words_add(&flags, folder[0] ? folder : "/");
        if (line->has_debug)
            hiera_words_add(&flags, hiera_words_format("-fdebug-prefix-map=%s/=%s%s", edited->folder,
                                                       slash ? folder : "", slash ? "/" : ""));
    }
    return flags;
}

static int compile(HieraCommandLine *line, const HieraWords *compiler, Sources *sources)
{
    exchange(line, &line->words, sources);
    HieraWords words = line->links ? hiera_libraries_add(line, &line->words, compiler) : line->words;
    HieraWords all = flags_before(line, sources);
    for (size_t i = 0; i < words.n; i++)
        hiera_words_add(&all, words.at[i]);
    int status = hiera_compiler_run(compiler, &all, sources->input);
    for (size_t i = 0; i < sources->n; i++) {
        hiera_dependencies_mend(line, &sources->edited[i]);
        hiera_edited_remove(&sources->edited[i]);
    }
    return status;
}

int main(int n, char **words)
{
    static char *none[] = {NULL};
    bool is_cxx = stands_for_cxx(words[0]);
    HieraCommandLine line = hiera_command_line_read(n > 0 ? words + 1 : none, is_cxx);
    HieraWords compiler = hiera_compiler_find(is_cxx);
    Sources sources = {.edited = NULL};
    if (!hiera_compiler_is_inside())
        sources = edit_sources(&line, &compiler);
    if (sources.n > 0 && !sources.refused)
        return compile(&line, &compiler, &sources);
    for (size_t i = 0; i < sources.n; i++)
        hiera_edited_remove(&sources.edited[i]);
    if (sources.refused)
        return 1;
    if (!hiera_compiler_is_inside() && line.links && hiera_libraries_are_needed(&line))
        line.unchanged = hiera_libraries_add(&line, &line.words, &compiler);
    hiera_compiler_become(&compiler, &line.unchanged);
}
