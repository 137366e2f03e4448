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
    uint32_t n_place; /* number of words, first in `words`, that are the place: operation and call site */
    uint32_t n_words, n_bytes;
    uint64_t sizes; /* bit mask of the words behind the place that are sizes; where calls are folded, keys that differ
                     * only in these words and in their bytes share a declaration */
    uint64_t words[HIERA_KEY_WORDS];
    char bytes[HIERA_KEY_BYTES];
} HieraKey;

/* Number of bytes for the begin of a call's element, such as `\n<c r="c17" t="`. */
enum { HIERA_CALL_BEGIN = 24 };

typedef struct HieraDeclared {
    struct HieraDeclared *next_of_hash, *next_of_place;
    uint64_t hash;
    uint64_t kin; /* hash of the operation and the call site, the first two words */
    uint32_t number;
    uint32_t n_words, n_bytes;
    uint32_t begin_length;
    char begin[HIERA_CALL_BEGIN]; /* begin of each element `c` that refers to the declaration, up to its start time */
    uint64_t words[];             /* words of the declared key, followed by the key's bytes */
} HieraDeclared;

typedef struct HieraDictionary HieraDictionary;

typedef enum HieraDictionaryMatch {
    HIERA_DICTIONARY_SAME, /* the declaration equals the key, and is in the file already */
    HIERA_DICTIONARY_NEW, /* the declaration equals the key, but is new: the caller must write it into the file first */
    HIERA_DICTIONARY_SIMILAR, /* the declaration has the key's place, but other words or bytes: the caller must write
                                 the differences */
} HieraDictionaryMatch;

/* Make an empty dictionary for one trace file; NULL: no memory. */
HieraDictionary *hiera_dictionary_make(void);
void hiera_dictionary_free(HieraDictionary *dictionary);

/* Return the declaration to which a call with this key must refer; NULL: no memory. *known: how well it matches. */
const HieraDeclared *hiera_dictionary_choose(HieraDictionary *dictionary, const HieraKey *key,
                                             HieraDictionaryMatch *known);

/* Whether declaration and key have the same bytes. */
bool hiera_declared_same_bytes(const HieraDeclared *declared, const HieraKey *key);

/* Return the bytes of a declaration, which are those of its key. */
static inline const char *hiera_declared_bytes(const HieraDeclared *declared)
{
    return (const char *)(declared->words + declared->n_words);
}

/* Whether declaration and key have equally many words, and the same ones from index `from` on. */
bool hiera_declared_same_rest(const HieraDeclared *declared, const HieraKey *key, uint32_t from);

/* Drop all declarations, because they are no longer in the file, or the same key would now mean another call. */
void hiera_dictionary_forget(HieraDictionary *dictionary);

/* Calls are folded: differences from a similar declaration are written only where they change, so few declarations are
 * needed. */
void hiera_dictionary_set_folds(HieraDictionary *dictionary);

/* Return how often hiera_dictionary_forget() has dropped declarations. */
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
