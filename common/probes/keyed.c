/* See keyed.h. The keys of a row are stored as words of eight bytes, one key behind the other: a type, then a number;
 * or a type with a length, and a text filled up with zeros. So rows are hashed and compared as words. */
#include "keyed.h"
#include <string.h>

enum { FIRST_ROWS = 8, TYPE_BITS = 8 };

void hiera_keyed_init(HieraKeyed *keyed, size_t cell_size, HieraProbeStore *store)
{
    *keyed = (HieraKeyed){.row_size = sizeof(HieraKeyedRow) + cell_size, .store = store};
}

/* --- keys encoded as words of 8 bytes --- */

static HieraValue simplify(HieraValue key)
{
    if (key.type != HIERA_VALUE_NUMBER || !(key.number >= -0x1p53 && key.number <= 0x1p53))
        return key;
    return key.number == (double)(int64_t)key.number ? hiera_value_integer((int64_t)key.number) : key;
}

static size_t count_words(const HieraValue *keys, unsigned n)
{
    size_t words = 0;
    for (unsigned i = 0; i < n; i++)
        words += keys[i].type == HIERA_VALUE_TEXT ? 1 + ((size_t)keys[i].length + 7) / 8 : 2;
    return words;
}

static void write_words(const HieraValue *keys, unsigned n, uint64_t *to)
{
    for (unsigned i = 0; i < n; i++) {
        HieraValue key = simplify(keys[i]);
        *to++ = (uint64_t)key.type | (key.type == HIERA_VALUE_TEXT ? (uint64_t)key.length << TYPE_BITS : 0);
        if (key.type != HIERA_VALUE_TEXT) {
            *to++ = key.type == HIERA_VALUE_TRUTH ? key.truth : (uint64_t)key.integer;
            continue;
        }
        size_t whole = key.length / 8, rest = key.length % 8;
        memcpy(to, key.text, 8 * whole);
        to += whole;
        if (rest == 0)
            continue;
        *to = 0;
        memcpy(to++, key.text + 8 * whole, rest);
    }
}

size_t hiera_keys_encode(const HieraValue *keys, unsigned n, uint64_t *words)
{
    size_t n_words = count_words(keys, n);
    if (n_words <= HIERA_KEYED_WORDS)
        write_words(keys, n, words);
    return n_words;
}

void hiera_keys_decode(const uint64_t *words, HieraValue *keys, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        keys[i] = (HieraValue){.type = (HieraValueType)(*words & ((1u << TYPE_BITS) - 1))};
        uint64_t length = *words++ >> TYPE_BITS;
        if (keys[i].type == HIERA_VALUE_TEXT) {
            keys[i] = hiera_value_text((const char *)words, length);
            words += (length + 7) / 8;
        } else if (keys[i].type == HIERA_VALUE_TRUTH) {
            keys[i].truth = *words++ != 0;
        } else {
            keys[i].integer = (int64_t)*words++;
        }
    }
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* Order of a type among the types of keys: integers and numbers are sorted together. */
static HieraValueType order_of(HieraValueType type)
{
    return type == HIERA_VALUE_INTEGER ? HIERA_VALUE_NUMBER : type;
}

static int compare_key(const HieraValue *a, const HieraValue *b)
{
    bool number_a = a->type == HIERA_VALUE_NUMBER, number_b = b->type == HIERA_VALUE_NUMBER;
    if (order_of(a->type) != order_of(b->type))
        return order_of(a->type) < order_of(b->type) ? -1 : 1;
    if (a->type == HIERA_VALUE_TEXT) {
        int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
        return order ? order : (a->length > b->length) - (a->length < b->length);
    }
    if (number_a || number_b)
        return compare_numbers(number_a ? a->number : (double)a->integer, number_b ? b->number : (double)b->integer);
    return (a->integer > b->integer) - (a->integer < b->integer);
}

int hiera_keys_compare(const HieraValue *a, const HieraValue *b, unsigned n)
{
    int order = 0;
    for (unsigned i = 0; i < n && order == 0; i++)
        order = compare_key(&a[i], &b[i]);
    return order;
}

static uint64_t hash_words(const uint64_t *words, size_t n)
{
    uint64_t hash = n;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    return hash * 0x9e3779b97f4a7c15;
}

static bool is_same(const uint64_t *a, const uint64_t *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i == n;
}

/* --- rows of a table --- */

/* Index of the chunk that has a row: chunk k has the rows from FIRST_ROWS * (2^k - 1) on. */
static unsigned chunk_of(uint32_t row)
{
    return 31u - (unsigned)__builtin_clz(row / FIRST_ROWS + 1);
}

static HieraKeyedRow *row_at(const HieraKeyed *keyed, uint32_t row)
{
    unsigned chunk = chunk_of(row);
    uint32_t first = FIRST_ROWS * ((1u << chunk) - 1);
    return (HieraKeyedRow *)(void *)(keyed->chunks[chunk] + (row - first) * keyed->row_size);
}

uint32_t hiera_keyed_count(const HieraKeyed *keyed)
{
    return __atomic_load_n(&keyed->n, __ATOMIC_ACQUIRE);
}

void *hiera_keyed_cell(const HieraKeyed *keyed, uint32_t row)
{
    return row_at(keyed, row) + 1;
}

void hiera_keyed_read(const HieraKeyed *keyed, uint32_t row, HieraValue *keys, unsigned n)
{
    hiera_keys_decode(row_at(keyed, row)->key, keys, n);
}

/* --- finding and adding rows --- */

static void put(HieraKeyed *keyed, uint64_t hash, uint32_t row)
{
    uint32_t at = (uint32_t)hash & (keyed->n_index - 1);
    while (keyed->index[at])
        at = (at + 1) & (keyed->n_index - 1);
    keyed->index[at] = (hash & ~(uint64_t)UINT32_MAX) | (row + 1);
}

static bool grow_index(HieraKeyed *keyed)
{
    uint32_t n = keyed->n_index ? 2 * keyed->n_index : 2 * FIRST_ROWS;
    uint64_t *old = keyed->index, *index = n ? hiera_probe_store_take(keyed->store, n * sizeof *index) : NULL;
    if (!index)
        return false;
    keyed->index = index;
    hiera_probe_store_return(keyed->store, old, keyed->n_index * sizeof *old);
    keyed->n_index = n;
    for (uint32_t i = 0; i < keyed->n; i++) {
        const HieraKeyedRow *row = row_at(keyed, i);
        put(keyed, hash_words(row->key, row->n_words), i);
    }
    return true;
}

static bool make_room(HieraKeyed *keyed)
{
    unsigned chunk = chunk_of(keyed->n);
    if (chunk >= HIERA_KEYED_CHUNKS)
        return false;
    if (!keyed->chunks[chunk])
        keyed->chunks[chunk] = hiera_probe_store_take(keyed->store, ((size_t)FIRST_ROWS << chunk) * keyed->row_size);
    return keyed->chunks[chunk] && (2 * (uint64_t)keyed->n < keyed->n_index || grow_index(keyed));
}

static void *add_row(HieraKeyed *keyed, const uint64_t *words, size_t n_words, uint64_t hash)
{
    if (n_words > UINT32_MAX || !make_room(keyed))
        return NULL;
    uint64_t *key = hiera_probe_store_take(keyed->store, (n_words + !n_words) * sizeof *key);
    if (!key)
        return NULL;
    memcpy(key, words, n_words * sizeof *key);
    HieraKeyedRow *row = row_at(keyed, keyed->n);
    *row = (HieraKeyedRow){key, (uint32_t)n_words};
    put(keyed, hash, keyed->n);
    __atomic_store_n(&keyed->n, keyed->n + 1, __ATOMIC_RELEASE);
    return row + 1;
}

void *hiera_keyed_find(HieraKeyed *keyed, const HieraValue *keys, unsigned n, bool add)
{
    uint64_t short_key[HIERA_KEYED_WORDS], *words = short_key;
    size_t n_words = count_words(keys, n);
    if (n_words > HIERA_KEYED_WORDS && !(words = hiera_probe_store_scratch(keyed->store, n_words * sizeof *words)))
        return NULL;
    write_words(keys, n, words);
    uint64_t hash = hash_words(words, n_words);
    uint32_t mask = keyed->n_index - 1;
    for (uint32_t at = (uint32_t)hash & mask; keyed->n_index && keyed->index[at]; at = (at + 1) & mask) {
        if ((keyed->index[at] ^ hash) >> 32)
            continue;
        HieraKeyedRow *row = row_at(keyed, (uint32_t)keyed->index[at] - 1);
        if (row->n_words == n_words && is_same(row->key, words, n_words))
            return row + 1;
    }
    return add ? add_row(keyed, words, n_words, hash) : NULL;
}
