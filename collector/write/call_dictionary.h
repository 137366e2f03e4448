/* What calls have in common, given numbers: the compact spelling of a trace (HIERA_FORMAT=compact).
 *
 * A call is told by a key. Its first words say what it is and where it was made: its place. Further words and bytes say
 * the rest, as far as it repeats; keys of one place have as many but for the last ones. What was met before has a
 * number. What is new gets one and is declared, unless its place has many: then the call refers to one of the same
 * place and says what differs, the first time that it is met; the second time it may be declared.
 *
 * One for each stream; its memory has a bound: where a program never repeats itself, all is forgotten now and then, and
 * declared again. With the session's lock held. */
#ifndef HIERA_CALL_DICTIONARY_H
#define HIERA_CALL_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_KEY_WORDS = 160, HIERA_KEY_BYTES = 1024 };

typedef struct HieraKey {
    uint32_t n_place; /* of the words */
    uint32_t n_words, n_bytes;
    uint64_t words[HIERA_KEY_WORDS];
    char bytes[HIERA_KEY_BYTES];
} HieraKey;

/* `\n<c r="c17" t="` */
enum { HIERA_CALL_BEGIN = 24 };

typedef struct HieraDeclared {
    struct HieraDeclared *next_of_hash, *next_of_place;
    uint64_t hash;
    uint32_t number;
    uint32_t n_words, n_bytes;
    uint32_t begin_length;
    char begin[HIERA_CALL_BEGIN]; /* of the calls that refer to it, up to their times */
    uint64_t words[];             /* and behind them the bytes */
} HieraDeclared;

typedef struct HieraDictionary HieraDictionary;

typedef enum HieraKnown {
    HIERA_KNOWN_SAME,    /* it says all */
    HIERA_KNOWN_NEW,     /* … and is to be declared first */
    HIERA_KNOWN_SIMILAR, /* of the same place: words behind it, or the bytes, differ */
} HieraKnown;

/* NULL without memory. */
HieraDictionary *hiera_dictionary_make(void);
void hiera_dictionary_free(HieraDictionary *dictionary);

/* What a call with this key refers to; NULL without memory. */
const HieraDeclared *hiera_dictionary_choose(HieraDictionary *dictionary, const HieraKey *key, HieraKnown *known);

bool hiera_declared_same_bytes(const HieraDeclared *declared, const HieraKey *key);

/* The bytes, as they were in the key. */
static inline const char *hiera_declared_bytes(const HieraDeclared *declared)
{
    return (const char *)(declared->words + declared->n_words);
}

/* Are the words from one on the same, and as many? */
bool hiera_declared_same_rest(const HieraDeclared *declared, const HieraKey *key, uint32_t from);

/* Nothing of it stands in the file any more, or the keys mean something else now. */
void hiera_dictionary_forget(HieraDictionary *dictionary);

/* Rises whenever something that was declared in some trace may hold no more: communicators, datatypes and groups too.
 */
uint32_t hiera_declared_epoch(void);
void hiera_declared_invalidate(void);

static inline void hiera_key_add(HieraKey *key, uint64_t word)
{
    key->words[key->n_words++] = word;
}

/* Of words: four at a time, so that their products do not wait for each other. */
static inline uint64_t hiera_hash(const uint64_t *words, size_t n, uint64_t hash)
{
    static const uint64_t factors[] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                                       UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93)};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        uint64_t sum =
            words[i] * factors[0] + words[i + 1] * factors[1] + words[i + 2] * factors[2] + words[i + 3] * factors[3];
        hash = (hash ^ sum ^ sum >> 32) * factors[0];
    }
    for (; i < n; i++)
        hash = (hash ^ words[i] * factors[i % 4]) * factors[0];
    hash = (hash ^ hash >> 32) * factors[1]; /* tables look at the low bits */
    return hash ^ hash >> 29;
}

#endif
