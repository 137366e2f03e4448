/* Turn argument vectors into one text, quoted as for a shell, so that a reader can split the text again. */
#include "array_arguments.h"
#include "call_record.h"

#include <stdlib.h>
#include <string.h>

/* Output buffer. Functions that take it run twice: the first time they only count bytes, the second time they write. */
typedef struct Words {
    char *at; /* begin of the text; NULL while bytes are only counted */
    size_t bytes;
} Words;

static void add(Words *words, const char *text, size_t n)
{
    if (words->at)
        memcpy(words->at + words->bytes, text, n);
    words->bytes += n;
}

static void add_quoted(Words *words, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-";
    size_t length = strlen(word);
    if (length > 0 && strspn(word, safe) == length) {
        add(words, word, length);
        return;
    }
    add(words, "'", 1);
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1) {
        add(words, word, (size_t)(quote - word));
        add(words, "'\\''", 4);
    }
    add(words, word, strlen(word));
    add(words, "'", 1);
}

static void add_list(Words *words, char *const *list, int64_t n)
{
    for (int64_t i = 0; list && (n < 0 || i < n) && list[i]; i++) {
        if (i > 0)
            add(words, " ", 1);
        add_quoted(words, list[i]);
    }
}

static void add_lists(Words *words, char **const *lists, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (i > 0)
            add(words, " ; ", 3);
        add_list(words, lists[i], -1);
    }
}

/* Store the text in the record and free it. Only MPI_Comm_spawn and similar functions come here; they are rare, so
 * allocating memory is acceptable. */
static void put(HieraThread *thread, HieraMpiRecord *record, unsigned argument, Words *words)
{
    if (words->at)
        hiera_mpi_put_text(thread, record, argument, words->at, (int64_t)words->bytes);
    free(words->at);
}

void hiera_mpi_put_words(HieraThread *thread, HieraMpiRecord *record, unsigned argument, char *const *list, int64_t n)
{
    Words words = {NULL, 0};
    add_list(&words, list, n);
    words = (Words){malloc(words.bytes + 1), 0};
    if (words.at)
        add_list(&words, list, n);
    put(thread, record, argument, &words);
}

void hiera_mpi_put_wordlists(HieraThread *thread, HieraMpiRecord *record, unsigned argument, char **const *lists,
                             int64_t n)
{
    Words words = {NULL, 0};
    add_lists(&words, lists, n);
    words = (Words){malloc(words.bytes + 1), 0};
    if (words.at)
        add_lists(&words, lists, n);
    put(thread, record, argument, &words);
}
