/* Parse the compiler's command line: inputs, output, and flags that hiera-cc must know. */
#include "command_line.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    HieraCommandLine *line;
    const char *language; /* value of -x; NULL: the suffix of a file's name decides */
    bool is_cxx, only_compiles, only_preprocesses, only_asks;
} Reader;

static bool is_one_of(const char *text, const char *const *texts)
{
    while (*texts && strcmp(text, *texts) != 0)
        texts++;
    return *texts != NULL;
}

static void add_input(Reader *reader, size_t word, const char *path)
{
    static const char *const cxx[] = {"cc", "cp", "cxx", "cpp", "CPP", "c++", "C", NULL};
    HieraCommandLine *line = reader->line;
    const char *dot = strrchr(path, '.'), *suffix = dot && !strchr(dot, '/') ? dot + 1 : "";
    HieraInput input = {word, path, false, false};
    if (reader->language) {
        input.is_c = strcmp(reader->language, "c") == 0;
        input.is_cxx = strcmp(reader->language, "c++") == 0;
    } else {
        input.is_c = strcmp(suffix, "c") == 0 && !reader->is_cxx;
        input.is_cxx = is_one_of(suffix, cxx) || (strcmp(suffix, "c") == 0 && reader->is_cxx);
    }
    line->inputs = realloc(line->inputs, (line->n_inputs + 1) * sizeof *line->inputs);
    if (!line->inputs)
        hiera_run_fail("no memory");
    line->inputs[line->n_inputs++] = input;
}

static void read_mode(Reader *reader, const char *flag)
{
    static const char *const compile[] = {"-c", "-S", "-fsyntax-only", NULL};
    static const char *const preprocess[] = {"-E", "-M", "-MM", NULL};
    static const char *const ask[] = {"--version", "-dumpversion", "-dumpmachine", "-dumpspecs",
                                      "-r",        "-###",         "--help",       NULL};
    reader->only_compiles = reader->only_compiles || is_one_of(flag, compile);
    reader->only_preprocesses = reader->only_preprocesses || is_one_of(flag, preprocess);
    reader->only_asks = reader->only_asks || is_one_of(flag, ask) || hiera_words_begins(flag, "-print-");
}

/* Note flags that ask for a file of dependencies: `-MD`, `-MF FILE`, `-Wp,-MD,FILE`. */
static void read_dependencies(HieraCommandLine *line, const char *flag, const char *next)
{
    static const char *const some[] = {"-MD", "-MMD", NULL};
    bool through = hiera_words_begins(flag, "-Wp,-MD,") || hiera_words_begins(flag, "-Wp,-MMD,");
    line->has_dependencies = line->has_dependencies || through || is_one_of(flag, some);
    if (through)
        line->dependencies = strchr(flag + strlen("-Wp,-"), ',') + 1;
    else if (strcmp(flag, "-MF") == 0)
        line->dependencies = next;
    else if (hiera_words_begins(flag, "-MF"))
        line->dependencies = flag + strlen("-MF");
}

static void read_flag(Reader *reader, const char *flag, const char *next)
{
    HieraCommandLine *line = reader->line;
    read_mode(reader, flag);
    read_dependencies(line, flag, next);
    hiera_flag_keep(&line->parse_flags, flag, next);
    if (strcmp(flag, "-o") == 0)
        line->output = next;
    else if (hiera_words_begins(flag, "-o"))
        line->output = flag + 2;
    if (hiera_words_begins(flag, "-x")) {
        const char *language = flag[2] ? flag + 2 : next;
        reader->language = language && strcmp(language, "none") != 0 ? language : NULL;
    }
    line->has_debug = line->has_debug || (hiera_words_begins(flag, "-g") && strcmp(flag, "-g0") != 0);
    line->has_standard = line->has_standard || hiera_words_begins(flag, "-std=") || strcmp(flag, "-ansi") == 0;
}

/* Note a flag that only hiera-cc understands. Returns whether `word` is one. */
static bool take_own(HieraCommandLine *line, const char *word)
{
    bool is_lenient = strcmp(word, "-Wno-error=hiera") == 0, keeps = strcmp(word, "--hiera-keep-source") == 0;
    line->is_lenient = line->is_lenient || is_lenient;
    line->keeps_source = line->keeps_source || keeps;
    return is_lenient || keeps || strcmp(word, "-Werror=hiera") == 0;
}

/* Return the words without those that only hiera-cc understands; *has_own becomes true if there are any. */
static HieraWords leave_own(HieraCommandLine *line, char *const *words, bool *has_own)
{
    HieraWords left = {0};
    for (; words && *words; words++) {
        bool is_own = take_own(line, *words);
        *has_own = *has_own || is_own;
        if (!is_own)
            hiera_words_add(&left, *words);
    }
    return left;
}

/* Read all words of the command line into reader->line. */
static void read_words(Reader *reader, const HieraWords *words)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->at[i];
        if (word[0] != '-' || word[1] == '\0') {
            add_input(reader, i, word);
            continue;
        }
        bool takes = hiera_flag_takes_word(word) && i + 1 < words->n;
        read_flag(reader, word, takes ? words->at[i + 1] : NULL);
        i += takes;
    }
}

HieraCommandLine hiera_command_line_read(char *const *words, bool is_cxx)
{
    HieraCommandLine line = {.output = NULL};
    bool has_own = false, has_own_in_files = false;
    line.unchanged = leave_own(&line, words, &has_own);
    line.words = leave_own(&line, line.unchanged.n > 0 ? hiera_response_files_expand(line.unchanged.at).at : NULL,
                           &has_own_in_files);
    if (has_own_in_files)
        line.unchanged = line.words;
    Reader reader = {.line = &line, .is_cxx = is_cxx};
    read_words(&reader, &line.words);
    line.compiles = !reader.only_preprocesses && !reader.only_asks;
    line.links = line.compiles && !reader.only_compiles && line.n_inputs > 0;
    return line;
}
