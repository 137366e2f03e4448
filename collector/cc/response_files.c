/* Replaces each `@FILE` on a command line by the words in that file. */
#include "command_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 };

static char *read_whole(const char *path)
{
    FILE *stream = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!stream)
        return NULL;
    if (getdelim(&text, &room, '\0', stream) < 0) {
        free(text);
        text = calloc(1, 1);
    }
    fclose(stream);
    return text;
}

/* Return the next word of the text at *at, with quotes and backslashes as compilers read them; NULL: none is left. */
static char *next_word(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
    if (**at == '\0')
        return NULL;
    char *word = hiera_words_format("%s", *at), *end = word, quote = '\0';
    for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        if (**at == '\\' && (*at)[1])
            *end++ = *++*at;
        else if (quote ? **at == quote : **at == '"' || **at == '\'')
            quote = quote ? '\0' : **at;
        else
            *end++ = **at;
    }
    *end = '\0';
    return word;
}

static void expand(HieraWords *words, char *word, int depth)
{
    char *text = word[0] == '@' && depth < DEEPEST ? read_whole(word + 1) : NULL;
    if (!text) {
        hiera_words_add(words, word);
        return;
    }
    const char *at = text;
    for (char *inner = next_word(&at); inner; inner = next_word(&at))
        expand(words, inner, depth + 1);
    free(text);
}

HieraWords hiera_response_files_expand(char *const *words)
{
    HieraWords expanded = {0};
    for (; *words; words++)
        expand(&expanded, *words, 0);
    return expanded;
}
