/* Cells found by a list of values: dictionaries and aggregations. A hash table without deletions.
 *
 * One thread at a time may add rows and change cells. Others may read the rows meanwhile: a row never moves, and it is
 * counted when it is complete. */
#ifndef HIERA_PROBES_KEYED_H
#define HIERA_PROBES_KEYED_H

#include "store.h"

enum { HIERA_KEYED_CHUNKS = 28, HIERA_KEYED_WORDS = HIERA_PROBE_KEY_BYTES / 8 };

/* A row; behind it stands its cell. */
typedef struct HieraKeyedRow {
    const uint64_t *key;
    uint32_t n_words; /* of the key */
} HieraKeyedRow;

typedef struct HieraKeyed {
    size_t row_size;
    uint32_t n;                       /* rows */
    char *chunks[HIERA_KEYED_CHUNKS]; /* of rows, each twice as long as the one before */
    uint64_t *index;                  /* open addressing; a part of the hash, and row + 1 */
    uint32_t n_index;                 /* a power of two, or 0 */
    HieraProbeStore *store;
} HieraKeyed;

/* @param cell_size  a multiple of 8 */
void hiera_keyed_init(HieraKeyed *keyed, size_t cell_size, HieraProbeStore *store);

/* Find the cell of these keys. None of them is missing; a whole number is the same key as the integer.
 *
 * @param add  if there is none, add one, of zeros
 * @return NULL if there is none, or no memory for it */
void *hiera_keyed_find(HieraKeyed *keyed, const HieraValue *keys, unsigned n, bool add);

/* Keys as words: the same for the same keys in any process.
 *
 * @param words  room for HIERA_KEYED_WORDS
 * @return how many; more than HIERA_KEYED_WORDS if there is no room for them */
size_t hiera_keys_encode(const HieraValue *keys, unsigned n, uint64_t *words);
/* Back from words; texts are parts of them. */
void hiera_keys_decode(const uint64_t *words, HieraValue *keys, unsigned n);
/* Order of two lists of keys: numbers by their size, then durations, texts by their letters, and truths. */
int hiera_keys_compare(const HieraValue *a, const HieraValue *b, unsigned n);

/* Rows that are complete; any thread may ask. */
uint32_t hiera_keyed_count(const HieraKeyed *keyed);
void *hiera_keyed_cell(const HieraKeyed *keyed, uint32_t row);
/* The keys of a row; texts belong to the table. @param keys  room for n of them, as many as the row has */
void hiera_keyed_read(const HieraKeyed *keyed, uint32_t row, HieraValue *keys, unsigned n);

/* The rows by their keys, as hiera_keyed_count() of numbers; in the store. NULL: there is no memory. (sort.c) */
const uint32_t *hiera_keyed_sort(const HieraKeyed *keyed, unsigned n_keys, HieraProbeStore *store);

#endif
