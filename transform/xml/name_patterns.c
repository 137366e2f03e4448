/* See name_patterns.h. A hash table with open addressing. It takes ASCII names without a colon only: these have no
 * namespace prefix. */
#include "name_patterns.h"
#include "base/hash.h"
#include "read_buffer.h"
#include <string.h>

#define SLOTS    2048                  /* size of the hash table, a power of two */
#define MOST     1024                  /* most patterns that are kept; a usual trace has a tenth of that */
#define LONGEST  64                    /* longest name that becomes a pattern, in bytes */
#define COMPARED (2 * sizeof(guint64)) /* number of bytes that are compared at once with a guessed pattern */

G_STATIC_ASSERT(COMPARED <= HIERA_READ_BUFFER_ZEROS);

struct HieraPatterns {
    HieraXmlIntern intern;
    gpointer parser;
    const char *const *differing;
    HieraNamePattern *slots[SLOTS];
    guint used;
    HieraNamePattern elements; /* stands before element names: its `next` are guesses for such a name */
};

HieraPatterns *hiera_patterns_new(HieraXmlIntern intern, gpointer parser, const char *const *differing)
{
    HieraPatterns *patterns = g_new0(HieraPatterns, 1);
    patterns->intern = intern;
    patterns->parser = parser;
    patterns->differing = differing;
    return patterns;
}

void hiera_patterns_free(HieraPatterns *patterns)
{
    if (!patterns)
        return;
    for (guint i = 0; i < SLOTS; i++) {
        if (patterns->slots[i])
            g_free((char *)patterns->slots[i]->text);
        g_free(patterns->slots[i]);
    }
    g_free(patterns);
}

static gboolean is_at(const HieraNamePattern *pattern, const char *at)
{
    guint64 here[2];
    memcpy(here, at, sizeof here);
    return (((here[0] ^ pattern->bytes[0]) & pattern->use[0]) | ((here[1] ^ pattern->bytes[1]) & pattern->use[1])) == 0;
}

/* Return the pattern whose text is at `at` if it is one of the two that followed `before` last; else NULL. */
static HieraNamePattern *guess(const HieraNamePattern *before, const char *at)
{
    for (guint i = 0; i < G_N_ELEMENTS(before->next); i++)
        if (before->next[i] && is_at(before->next[i], at))
            return before->next[i];
    return NULL;
}

static gboolean goes_on(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
}

static gboolean ends_element(char c)
{
    return c == ' ' || c == '>' || c == '/';
}

/* @param trailing  number of bytes in `text` after the name */
static HieraNamePattern *pattern_new(const HieraPatterns *patterns, const char *text, guint32 length, guint32 hash,
                                     guint32 trailing)
{
    HieraNamePattern *pattern = g_new0(HieraNamePattern, 1);
    g_autofree char *name = g_strndup(text + 1, length - 1 - trailing);
    pattern->name = patterns->intern(patterns->parser, name);
    pattern->text = g_strndup(text, length);
    pattern->differs = patterns->differing && g_strv_contains(patterns->differing, name);
    pattern->length = length;
    pattern->hash = hash;
    memcpy(pattern->bytes, text, MIN(length, COMPARED));
    memset(pattern->use, 0xff, MIN(length, COMPARED));
    return pattern;
}

static HieraNamePattern *find(HieraPatterns *patterns, const char *text, guint32 length, guint32 trailing)
{
    guint32 hash = hiera_hash(text, length), at = hash % SLOTS;
    for (; patterns->slots[at]; at = (at + 1) % SLOTS) {
        HieraNamePattern *pattern = patterns->slots[at];
        if (pattern->hash == hash && pattern->length == length && memcmp(pattern->text, text, length) == 0)
            return pattern;
    }
    if (patterns->used == MOST)
        return NULL;
    patterns->used++;
    return patterns->slots[at] = pattern_new(patterns, text, length, hash, trailing);
}

/* Return the length of the name at `at`; 0 if there is none, or if it is too long. */
static guint32 measure_name(const char *at)
{
    guint32 length = 0;
    if (g_ascii_isalpha(*at) || *at == '_')
        while (length < LONGEST && goes_on(at[length]))
            length++;
    return goes_on(at[length]) ? 0 : length;
}

/* Read a pattern at *at byte by byte, and make it the first guess after `before`. */
static HieraNamePattern *read_text(HieraPatterns *patterns, HieraNamePattern *before, const char **at, guint32 trailing)
{
    guint32 length = 1 + measure_name(*at + 1) + trailing;
    HieraNamePattern *found = find(patterns, *at, length, trailing);
    if (found && length <= COMPARED) {
        before->next[1] = before->next[0];
        before->next[0] = found;
    }
    *at += length;
    return found;
}

HieraNamePattern *hiera_patterns_read_element(HieraPatterns *patterns, const char **at)
{
    HieraNamePattern *guessed = guess(&patterns->elements, *at);
    if (guessed && ends_element((*at)[guessed->length])) {
        *at += guessed->length;
        return guessed;
    }
    guint32 length = measure_name(*at + 1);
    return length > 0 && ends_element((*at)[1 + length]) ? read_text(patterns, &patterns->elements, at, 0) : NULL;
}

static gboolean is_reserved(const char *name, guint32 length)
{
    static const char word[] = "xmlns";
    return length == sizeof word - 1 && memcmp(name, word, length) == 0;
}

HieraNamePattern *hiera_patterns_read_attribute(HieraPatterns *patterns, HieraNamePattern *before, const char **at)
{
    HieraNamePattern *guessed = guess(before, *at);
    if (guessed) {
        *at += guessed->length;
        return guessed;
    }
    guint32 length = measure_name(*at + 1);
    const char *after = *at + 1 + length;
    if (length == 0 || after[0] != '=' || after[1] != '"' || is_reserved(*at + 1, length))
        return NULL;
    return read_text(patterns, before, at, 2);
}
