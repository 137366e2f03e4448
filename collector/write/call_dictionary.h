/* The compact encoding of a trace (HIERA_FORMAT=compact): equal calls refer to one declaration, by its number.
 *
 * Each call has a key. Its first words are the place: the operation and its call site. The other words and
 * the bytes have the arguments that often repeat. Keys of one place have the same words in the same order; only at the
 * end may some have more. A key that occurred before has a declaration. A new key gets one, unless its place already
 * has many: then the call refers to a similar declaration of the same place, and writes the differences; if the same
 * key occurs again, it may get a declaration.
 *
 * Each trace file has a dictionary. Its memory is limited: if a program never repeats its calls, all declarations are
 * dropped from time to time and made again. The functions need the session's lock. */
#pragma once

#include "base/internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_KEY_WORDS = 160, HIERA_KEY_BYTES = 1024 };

typedef struct HieraKey {
    uint32_t n_place; /* number of words of the place */
    uint32_t n_words, n_bytes;
    uint64_t sizes; /* bit mask of the words behind the place that are sizes; where calls are folded, keys that differ
                     * only in these words and in their bytes share a declaration */
    uint64_t words[HIERA_KEY_WORDS];
    char bytes[HIERA_KEY_BYTES];
} HieraKey;

/* Room for a text such as `\n<c r="c17" t="`. */
enum { HIERA_CALL_BEGIN = 24 };

typedef struct HieraDeclared {
    struct HieraDeclared *next_of_hash, *next_of_place;
    uint64_t hash;
    uint64_t kin; /* hash of the first two words: the operation and its call site */
    uint32_t number;
    uint32_t n_words, n_bytes;
    uint32_t begin_length;
    char begin[HIERA_CALL_BEGIN]; /* text of references to it, up to the start time */
    uint64_t words[];             /* words of the key, followed by its bytes */
} HieraDeclared;

typedef struct HieraDictionary HieraDictionary;

typedef enum HieraDictionaryMatch {
    HIERA_DICTIONARY_SAME,    /* the declaration equals the key */
    HIERA_DICTIONARY_NEW,     /* the declaration equals the key, and the caller must write it first */
    HIERA_DICTIONARY_SIMILAR, /* same place, but other words or bytes differ */
} HieraDictionaryMatch;

/* Make a dictionary. NULL if there is no memory. */
HieraDictionary *hiera_dictionary_make(void);
void hiera_dictionary_free(HieraDictionary *dictionary);

/* Return the declaration that a call with this key must refer to; NULL if there is no memory. */
const HieraDeclared *hiera_dictionary_choose(HieraDictionary *dictionary, const HieraKey *key,
                                             HieraDictionaryMatch *known);

/* Whether the bytes are the same. */
bool hiera_declared_same_bytes(const HieraDeclared *declared, const HieraKey *key);

/* Return the bytes of a declaration, as in its key. */
static inline const char *hiera_declared_bytes(const HieraDeclared *declared)
{
    return (const char *)(declared->words + declared->n_words);
}

/* Whether the words from index `from` on are the same, and their number too. */
bool hiera_declared_same_rest(const HieraDeclared *declared, const HieraKey *key, uint32_t from);

/* Drop all declarations: they are no longer in the file, or the keys have another meaning now. */
void hiera_dictionary_forget(HieraDictionary *dictionary);

/* Calls are folded: differences from a similar declaration are written only where they change, so few declarations are
 * needed. */
void hiera_dictionary_set_folds(HieraDictionary *dictionary);

/* Return how often the declarations were dropped. */
uint32_t hiera_dictionary_age(const HieraDictionary *dictionary);

/* A number that increases whenever a declaration may have become invalid, in any trace file. This includes declarations
 * of communicators, datatypes and groups. */
extern uint32_t hiera_declared_now HIERA_INTERNAL;
static inline uint32_t hiera_declared_epoch(void)
{
    return __atomic_load_n(&hiera_declared_now, __ATOMIC_ACQUIRE);
}
void hiera_declared_invalidate(void);

static inline void hiera_key_add(HieraKey *key, uint64_t word)
{
    key->words[key->n_words++] = word;
}
