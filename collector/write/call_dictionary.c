/* See call_dictionary.h. Two hash tables: one of declarations, one of their places (operation and call site). */
#include "call_dictionary.h"

#include "base/kept.h"
#include "base/xml_text.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"

#include <string.h>

/* A new key is declared if its place has fewer than DECLARED_MAX declarations. Else it is declared only if it occurs
 * again, its place has fewer than AGAIN_MAX declarations, and all places together have fewer than ALL_AGAIN_MAX. If
 * there are ALL_MAX declarations, all are dropped. */
enum {
    RECENT = 256,
    SLOTS = 1024,
    DECLARED_MAX = 16,
    AGAIN_MAX = 256,
    ALL_AGAIN_MAX = 2048,
    ALL_MAX = 4096 + ALL_AGAIN_MAX,
    MET = 4096
};

typedef struct Place {
    struct Place *next;
    HieraDeclared *declared; /* list of the declarations of this operation and call site, the newest first */
    uint64_t hash;
    uint32_t n_declared, n_words;
    uint32_t usual; /* number of words in which the key differed from the best declaration, in the last search through
                       all of them */
    uint64_t words[];
} Place;

/* Cache for a call site: the declaration and the place that were used last. Most calls need the same again. */
typedef struct Recent {
    const HieraDeclared *declared;
    Place *place;
} Recent;

struct HieraDictionary {
    Recent recent[RECENT];
    HieraDeclared *by_hash[SLOTS];
    Place *places[SLOTS];
    uint64_t met[MET]; /* hashes of keys that occurred without getting a declaration */
    size_t n;
    uint32_t age;
    bool folds;
};

static uint32_t last_number HIERA_KEPT; /* unique in the process, as all its threads go into one document */
uint32_t hiera_declared_now = 1;

void hiera_declared_invalidate(void)
{
    __atomic_add_fetch(&hiera_declared_now, 1, __ATOMIC_ACQ_REL);
}

static uint64_t hash_of_key(const HieraKey *key)
{
    uint64_t hash = hiera_hash_words(key->words, key->n_words, key->n_words), word;
    for (uint32_t i = 0; i < key->n_bytes; i += sizeof word) {
        uint32_t left = key->n_bytes - i;
        word = 0;
        memcpy(&word, key->bytes + i, left < sizeof word ? left : sizeof word);
        hash = hiera_hash_words(&word, 1, hash);
    }
    return hash;
}

static inline bool same_words(const uint64_t *a, const uint64_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool hiera_declared_same_bytes(const HieraDeclared *declared, const HieraKey *key)
{
    return declared->n_bytes == key->n_bytes &&
           (key->n_bytes == 0 || memcmp(hiera_declared_bytes(declared), key->bytes, key->n_bytes) == 0);
}

bool hiera_declared_same_rest(const HieraDeclared *declared, const HieraKey *key, uint32_t from)
{
    return declared->n_words == key->n_words &&
           same_words(declared->words + from, key->words + from, key->n_words - from);
}

HieraDictionary *hiera_dictionary_make(void)
{
    return hiera_memory_new(sizeof(HieraDictionary));
}

void hiera_dictionary_forget(HieraDictionary *dictionary)
{
    if (!dictionary || dictionary->n == 0)
        return;
    hiera_declared_invalidate();
    for (size_t slot = 0; slot < SLOTS;
         slot++) { /* a signal handler may interrupt this loop: so each item is unlinked before it is freed */
        for (HieraDeclared *at; (at = dictionary->by_hash[slot]);) {
            dictionary->by_hash[slot] = at->next_of_hash;
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
            hiera_memory_free(at, sizeof *at + at->n_words * sizeof(uint64_t) + at->n_bytes);
        }
        for (Place *at; (at = dictionary->places[slot]);) {
            dictionary->places[slot] = at->next;
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
            hiera_memory_free(at, sizeof *at + at->n_words * sizeof(uint64_t));
        }
    }
    uint32_t age = dictionary->age;
    bool folds = dictionary->folds;
    memset(dictionary, 0, sizeof *dictionary);
    dictionary->age = age + 1;
    dictionary->folds = folds;
}

void hiera_dictionary_set_folds(HieraDictionary *dictionary)
{
    dictionary->folds = true;
}

uint32_t hiera_dictionary_age(const HieraDictionary *dictionary)
{
    return dictionary->age;
}

void hiera_dictionary_free(HieraDictionary *dictionary)
{
    hiera_dictionary_forget(dictionary);
    hiera_memory_free(dictionary, sizeof *dictionary);
}

static inline bool is_place(const Place *place, const HieraKey *key)
{
    return place->n_words == key->n_place && same_words(place->words, key->words, key->n_place);
}

static Place *find_place(HieraDictionary *dictionary, const HieraKey *key)
{
    uint64_t hash = hiera_hash_words(key->words, key->n_place, key->n_place);
    Place **slot = &dictionary->places[hash % SLOTS];
    for (Place *place = *slot; place; place = place->next)
        if (place->hash == hash && is_place(place, key))
            return place;
    Place *place = hiera_memory_new(sizeof *place + key->n_place * sizeof(uint64_t));
    if (!place)
        return NULL;
    place->hash = hash;
    place->n_words = key->n_place;
    memcpy(place->words, key->words, key->n_place * sizeof(uint64_t));
    place->next = *slot;
    *slot = place;
    return place;
}

static uint32_t count_differences(const HieraDeclared *declared, const HieraKey *key)
{
    bool longer = declared->n_words > key->n_words;
    uint32_t both = longer ? key->n_words : declared->n_words, all = longer ? declared->n_words : key->n_words;
    uint32_t differences = all - both + !hiera_declared_same_bytes(declared, key);
    for (uint32_t i = key->n_place; i < both; i++)
        differences += declared->words[i] != key->words[i];
    return differences;
}

/* Return the declaration with the fewest differences. Calls of a place usually differ in the same words, so the search
 * ends at the first declaration that is as good as the best one of the last full search. */
static const HieraDeclared *find_similar(Place *place, const HieraKey *key)
{
    const HieraDeclared *best = NULL;
    uint32_t least = UINT32_MAX;
    uint32_t seen = 0;
    for (const HieraDeclared *at = place->declared; at && seen < DECLARED_MAX; at = at->next_of_place, seen++) {
        uint32_t differences = count_differences(at, key);
        if (differences < least) {
            least = differences;
            best = at;
        }
        if (least <= place->usual)
            return best;
    }
    place->usual = least;
    return best;
}

static void make_begin(HieraDeclared *declared)
{
    char block[HIERA_CALL_BEGIN + HIERA_TEXT_MARGIN];
    HieraText text = hiera_text_into(block, HIERA_CALL_BEGIN);
    HIERA_TEXT_LITERAL(&text, "\n<c r=\"c");
    hiera_text_unsigned(&text, declared->number);
    HIERA_TEXT_LITERAL(&text, "\" t=\"");
    declared->begin_length = (uint32_t)(text.next - block);
    memcpy(declared->begin, block, HIERA_CALL_BEGIN);
}

static const HieraDeclared *add(HieraDictionary *dictionary, Place *place, const HieraKey *key, uint64_t hash)
{
    HieraDeclared *declared = hiera_memory_new(sizeof *declared + key->n_words * sizeof(uint64_t) + key->n_bytes);
    if (!declared)
        return NULL;
    declared->hash = hash;
    declared->kin = hiera_hash_words(key->words, key->n_words < 2 ? key->n_words : 2, 0);
    declared->number = ++last_number;
    declared->n_words = key->n_words;
    declared->n_bytes = key->n_bytes;
    memcpy(declared->words, key->words, key->n_words * sizeof(uint64_t));
    memcpy(declared->words + key->n_words, key->bytes, key->n_bytes);
    make_begin(declared);
    declared->next_of_place = place->declared;
    place->declared = declared;
    place->n_declared++;
    declared->next_of_hash = dictionary->by_hash[hash % SLOTS];
    dictionary->by_hash[hash % SLOTS] = declared;
    dictionary->n++;
    return declared;
}

static bool is_same(const HieraDeclared *declared, const HieraKey *key)
{
    return hiera_declared_same_rest(declared, key, 0) && hiera_declared_same_bytes(declared, key);
}

static const HieraDeclared *find(const HieraDictionary *dictionary, const HieraKey *key, uint64_t hash)
{
    for (const HieraDeclared *at = dictionary->by_hash[hash % SLOTS]; at; at = at->next_of_hash)
        if (at->hash == hash && is_same(at, key))
            return at;
    return NULL;
}

/* Whether a new key should be declared. Writing a declaration costs as many bytes as about ten references save. */
static bool is_worth_it(HieraDictionary *dictionary, const Place *place, uint64_t hash)
{
    if (place->n_declared < DECLARED_MAX)
        return true;
    uint64_t *met = &dictionary->met[hash % MET];
    bool again = *met == hash && !dictionary->folds;
    *met = hash;
    return again && place->n_declared < AGAIN_MAX && dictionary->n < ALL_AGAIN_MAX;
}

/* Return a declaration that differs from the key only in sizes; NULL: there is none. All such keys get the same one, so
 * that only numbers change from call to call. */
static const HieraDeclared *find_but_for_sizes(const Place *place, const HieraKey *key)
{
    for (const HieraDeclared *at = place->declared; at; at = at->next_of_place) {
        bool same = at->n_words == key->n_words && at->n_bytes == key->n_bytes;
        for (uint32_t i = key->n_place; i < key->n_words && same; i++)
            same = at->words[i] == key->words[i] || (i - key->n_place < 64 && key->sizes >> (i - key->n_place) & 1);
        if (same)
            return at;
    }
    return NULL;
}

const HieraDeclared *hiera_dictionary_choose(HieraDictionary *dictionary, const HieraKey *key,
                                             HieraDictionaryMatch *known)
{
    Recent *recent = &dictionary->recent[(key->words[0] ^ key->words[1]) % RECENT];
    *known = HIERA_DICTIONARY_SAME;
    if (recent->declared && is_same(recent->declared, key))
        return recent->declared;
    if (dictionary->folds && key->sizes != 0) {
        Place *of = recent->place && is_place(recent->place, key) ? recent->place : find_place(dictionary, key);
        const HieraDeclared *kin = of ? find_but_for_sizes(of, key) : NULL;
        recent->place = of;
        *known = kin && is_same(kin, key) ? HIERA_DICTIONARY_SAME : HIERA_DICTIONARY_SIMILAR;
        if (kin)
            return recent->declared = kin;
    }
    uint64_t hash = hash_of_key(key);
    *known = HIERA_DICTIONARY_SAME;
    const HieraDeclared *same = find(dictionary, key, hash);
    if (same)
        return recent->declared = same;
    if (dictionary->n >= ALL_MAX)
        hiera_dictionary_forget(dictionary);
    Place *place = recent->place && is_place(recent->place, key) ? recent->place : find_place(dictionary, key);
    recent->place = place;
    const HieraDeclared *similar = place && !is_worth_it(dictionary, place, hash) ? find_similar(place, key) : NULL;
    *known = similar ? HIERA_DICTIONARY_SIMILAR : HIERA_DICTIONARY_NEW;
    if (similar || !place)
        return similar;
    return recent->declared = add(dictionary, place, key, hash);
}
