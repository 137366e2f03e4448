/* hiera-cc-parse: replaces the assertions of a source by declarations of hiera.h. hiera-cc runs it for files with
 * assertions, as a separate process, since libclang may crash or hang.
 *
 *     hiera-cc-parse [--lenient] --name=NAME --header=HIERA_H -- FLAG… <SOURCE >EDITED
 *
 * FLAGs are the compiler flags that libclang knows. Exit status: one of parse.h. */
#include "edits.h"
#include "parse.h"

#include "run/words.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Options {
    const char *name, *header;
    bool lenient;
    const char *const *flags; /* compiler flags for libclang: array of n_flags */
    int n_flags;
} Options;

static Options read_options(int n, char **words)
{
    Options options = {0};
    int i = 1;
    for (; i < n && strcmp(words[i], "--") != 0; i++) {
        if (hiera_words_begins(words[i], "--name="))
            options.name = words[i] + strlen("--name=");
        else if (hiera_words_begins(words[i], "--header="))
            options.header = words[i] + strlen("--header=");
        else if (strcmp(words[i], "--lenient") == 0)
            options.lenient = true;
        else
            hiera_run_fail("%s: unknown option", words[i]);
    }
    if (!options.name || !options.header || i == n)
        hiera_run_fail("it is run by hiera-cc");
    options.flags = (const char *const *)words + i + 1;
    options.n_flags = n - i - 1;
    return options;
}

/* Called for each included file: warn if a header has assertions, since these have no effect. */
static void look_into_header(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    (void)data;
    if (depth == 0 || clang_Location_isInSystemHeader(stack[0]))
        return;
    CXString name = clang_getFileName(file);
    HieraSource source = {.name = clang_getCString(name)};
    FILE *stream = fopen(source.name, "r");
    if (stream) {
        hiera_source_read(&source, fileno(stream));
        fclose(stream);
        HieraSourceSpan place;
        if (hiera_parse_has_words(source.text, source.length, &place.begin)) {
            place.end = place.begin + strcspn(source.text + place.begin, "\r\n");
            hiera_source_tell(&source, false, place, "assertions in headers are not checked");
        }
    }
    clang_disposeString(name);
}

/* Warn that the source is compiled without its assertions, and why. */
static int give_up(const HieraSource *source, const char *message)
{
    fprintf(stderr, "%s: warning: hiera-cc cannot read this file (%s); it is compiled without its assertions\n",
            source->name, message);
    return HIERA_PARSE_NOT_READ;
}

/* Return the first error of clang in a function that has an assertion, as text; NULL: there is none. */
static const char *find_error(const HieraPragmas *pragmas, const HieraClangError *errors, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t p = 0; p < pragmas->n; p++) {
            if (!pragmas->at[p].is_dropped && hiera_span_has(pragmas->at[p].function, errors[i].at))
                return hiera_words_format("line %u: %s", errors[i].line, errors[i].message);
        }
    }
    return NULL;
}

static void write_edited(const Options *options, const HieraPragmas *pragmas)
{
    HieraEdits edits = hiera_edits_make(pragmas, hiera_edits_declare);
    bool has_mark = strncmp(edits.text, "\xef\xbb\xbf", 3) == 0;
    printf("#include %s\n#line 1 %s\n", hiera_edits_quote(options->header), hiera_edits_quote(options->name));
    fwrite(edits.text + (has_mark ? 3 : 0), 1, edits.length - (has_mark ? 3 : 0), stdout);
    if (fflush(stdout) != 0)
        hiera_run_fail("the changed source cannot be written");
}

static int parse(const Options *options, const HieraSource *source)
{
    HieraTranslationUnit unit;
    size_t n_errors;
    char *fatal;
    if (!hiera_unit_parse(&unit, source, options->flags, options->n_flags))
        return give_up(source, "libclang does not take its flags");
    HieraClangError *errors = hiera_unit_errors(&unit, &n_errors, &fatal);
    HieraPragmas pragmas = {.source = source, .lenient = options->lenient};
    hiera_unit_cut(&unit);
    hiera_pragmas_find(&pragmas, &unit);
    clang_getInclusions(unit.clang, look_into_header, NULL);
    if (pragmas.n == 0)
        return HIERA_PARSE_NOTHING;
    if (fatal)
        return give_up(source, fatal);
    hiera_pragmas_check(&pragmas);
    hiera_statements_find(&pragmas, &unit);
    const char *error = find_error(&pragmas, errors, n_errors);
    if (error)
        return give_up(source, error);
    if (hiera_pragmas_count(&pragmas) > 0 &&
        !hiera_variables_check(&pragmas, errors, n_errors, options->flags, options->n_flags))
        return give_up(source, "libclang failed");
    if (hiera_pragmas_tell(&pragmas) > 0)
        return HIERA_PARSE_REFUSED;
    if (hiera_pragmas_count(&pragmas) == 0)
        return HIERA_PARSE_NOTHING;
    write_edited(options, &pragmas);
    return HIERA_PARSE_EDITED;
}

int main(int n, char **words)
{
    Options options = read_options(n, words);
    HieraSource source = {.name = options.name};
    hiera_source_read(&source, STDIN_FILENO);
    return parse(&options, &source);
}
