/* The call dictionary of the compact encoding: what it declares, what refers to a declaration, and when it forgets. */
#include "write/call_dictionary.h"

#include "harness/plain.h"

enum { PLACE_WORDS = 2, DECLARED_OF_A_PLACE = 16, MANY = 20000 };

static HieraKey key_of(uint64_t call, uint64_t site, uint64_t value, const char *bytes)
{
    static HieraKey key;
    key.n_words = 0;
    hiera_key_add(&key, call);
    hiera_key_add(&key, site);
    key.n_place = PLACE_WORDS;
    hiera_key_add(&key, value);
    key.n_bytes = (uint32_t)strlen(bytes);
    memcpy(key.bytes, bytes, key.n_bytes);
    return key;
}

static HieraDictionaryMatch ask(HieraDictionary *dictionary, uint64_t site, uint64_t value, const char *bytes,
                                const HieraDeclared **found)
{
    HieraKey key = key_of(1, site, value, bytes);
    HieraDictionaryMatch known;
    *found = hiera_dictionary_choose(dictionary, &key, &known);
    return known;
}

static void check_same(void)
{
    HieraDictionary *dictionary = hiera_dictionary_make();
    const HieraDeclared *first, *second, *other;
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 10, 1, "abc", &first));
    EXPECT(HIERA_DICTIONARY_SAME, ask(dictionary, 10, 1, "abc", &second));
    EXPECT(1, first == second);
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 10, 1, "abd", &other));
    EXPECT(1, other->number != first->number);
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 10, 2, "abc", &other));
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 11, 1, "abc", &other));
    EXPECT(HIERA_DICTIONARY_SAME, ask(dictionary, 10, 1, "abc", &second));
    EXPECT(1, first == second);
    char begin[HIERA_CALL_BEGIN + 1] = "", expected[32];
    memcpy(begin, first->begin, first->begin_length);
    snprintf(expected, sizeof expected, "\n<c r=\"c%u\" t=\"", first->number);
    EXPECT_TEXT(expected, begin);
    hiera_dictionary_free(dictionary);
}

/* A call site with many declarations: a new call refers to the most similar one, and is declared when it is
 * repeated. */
static void check_similar(void)
{
    HieraDictionary *dictionary = hiera_dictionary_make();
    const HieraDeclared *found;
    for (uint64_t i = 0; i < DECLARED_OF_A_PLACE; i++)
        EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 10, i, "abc", &found));
    EXPECT(HIERA_DICTIONARY_SIMILAR, ask(dictionary, 10, 1000, "abc", &found));
    HieraKey key = key_of(1, 10, 1000, "abc");
    EXPECT(1, hiera_declared_same_bytes(found, &key));
    EXPECT(0, hiera_declared_same_rest(found, &key, PLACE_WORDS));
    EXPECT(0, memcmp("abc", hiera_declared_bytes(found), 3));
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 10, 1000, "abc", &found));
    EXPECT(HIERA_DICTIONARY_SAME, ask(dictionary, 10, 1000, "abc", &found));
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 11, 1000, "abc", &found)); /* another call site has room */
    hiera_dictionary_free(dictionary);
}

/* Calls that are never repeated: memory is limited, and calls that were forgotten are declared again. */
static void check_forgets(void)
{
    HieraDictionary *dictionary = hiera_dictionary_make();
    const HieraDeclared *found;
    uint32_t epoch = hiera_declared_epoch();
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 1, 1, "", &found));
    uint32_t number = found->number;
    for (uint64_t site = 2; site < MANY; site++)
        ask(dictionary, site, 1, "", &found);
    EXPECT(1, hiera_declared_epoch() > epoch);
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 1, 1, "", &found));
    EXPECT(1, found->number > number); /* no number is used twice */
    epoch = hiera_declared_epoch();
    hiera_dictionary_forget(dictionary);
    EXPECT(1, hiera_declared_epoch() > epoch);
    EXPECT(HIERA_DICTIONARY_NEW, ask(dictionary, 1, 1, "", &found));
    hiera_dictionary_free(dictionary);
}

int main(void)
{
    check_same();
    check_similar();
    check_forgets();
    return n_failed != 0;
}
