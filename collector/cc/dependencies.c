#include "dependencies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Escape a file name for make. */
static char *escape(const char *name)
{
    char *escaped = hiera_words_format("%*s", (int)(2 * strlen(name) + 1), ""), *end = escaped;
    for (; *name; name++) {
        if (*name == ' ' || *name == '#' || *name == '$')
            *end++ = *name == '$' ? '$' : '\\';
        *end++ = *name;
    }
    *end = '\0';
    return escaped;
}

static void mend(const char *path, const char *old, const char *new)
{
    FILE *stream = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    bool has = stream && getdelim(&text, &room, '\0', stream) > 0 && strstr(text, old);
    if (stream)
        fclose(stream);
    stream = has ? fopen(path, "w") : NULL;
    if (!stream)
        return;
    const char *at = text;
    for (const char *found; (found = strstr(at, old)) != NULL; at = found + strlen(old))
        fprintf(stream, "%.*s%s", (int)(found - at), at, new);
    fputs(at, stream);
    fclose(stream);
}

/* Return a copy of the path without the suffix of its last component. */
static char *without_suffix(const char *path)
{
    const char *dot = strrchr(path, '.');
    return hiera_words_format("%.*s", dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path), path);
}

void hiera_dependencies_mend(const HieraCommandLine *line, const HieraEdited *edited)
{
    if (!line->has_dependencies)
        return;
    const char *name = strrchr(edited->path, '/') + 1;
    char *old = escape(edited->path), *new = escape(edited->input->path), *source = without_suffix(name);
    if (line->dependencies)
        mend(line->dependencies, old, new);
    mend(hiera_words_format("%s.d", source), old, new);
    if (!line->output)
        return;
    /* gcc and clang name the dependencies after the output; gcc 11 and later, when linking, also after the source. */
    mend(hiera_words_format("%s.d", without_suffix(line->output)), old, new);
    mend(hiera_words_format("%s.d", line->output), old, new);
    mend(hiera_words_format("%s-%s.d", line->output, source), old, new);
}
