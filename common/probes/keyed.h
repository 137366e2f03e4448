/* A hash table without deletion that maps lists of values to cells: for dictionaries and aggregations.
 *
 * One thread at a time may add rows and change cells. Others may read rows meanwhile: a row never moves, and it is
 * counted only when it is complete. */
#pragma once

#include "store.h"

enum { HIERA_KEYED_CHUNKS = 28, HIERA_KEYED_WORDS = HIERA_PROBE_KEY_BYTES / 8 };

/* The key of a row; the row's cell follows in memory. */
typedef struct HieraKeyedRow {
    const uint64_t *key;
    uint32_t n_words; /* length of the key in words of 8 bytes */
} HieraKeyedRow;

typedef struct HieraKeyed {
    size_t row_size;
    uint32_t n;                       /* number of rows */
    char *chunks[HIERA_KEYED_CHUNKS]; /* arrays of rows, each with twice as many as the previous one */
    uint64_t *index;  /* hash table with open addressing: upper half of the hash, and row + 1; 0: empty */
    uint32_t n_index; /* size of `index`, a power of two, or 0 */
    HieraProbeStore *store;
} HieraKeyed;

/* Make an empty table in `store`. @param cell_size  bytes of a cell, a multiple of 8 */
void hiera_keyed_init(HieraKeyed *keyed, size_t cell_size, HieraProbeStore *store);

/* Find the cell of these keys, none of which may be missing. A whole number equals the integer as a key.
 *
 * @param add  if there is no cell, add one, filled with zeros
 * @return  NULL if there is none, or no memory for it */
void *hiera_keyed_find(HieraKeyed *keyed, const HieraValue *keys, unsigned n, bool add);

/* Encode keys as words, in the same way in every process.
 *
 * @param words  room for HIERA_KEYED_WORDS words
 * @return  number of words; more than HIERA_KEYED_WORDS if there is no room for them */
size_t hiera_keys_encode(const HieraValue *keys, unsigned n, uint64_t *words);
/* Decode keys; their texts point into `words`. */
void hiera_keys_decode(const uint64_t *words, HieraValue *keys, unsigned n);
/* Compare two lists of keys: numbers first, by value, then durations, texts by their bytes, and truths. */
int hiera_keys_compare(const HieraValue *a, const HieraValue *b, unsigned n);

/* Return the number of complete rows; any thread may call this. */
uint32_t hiera_keyed_count(const HieraKeyed *keyed);
void *hiera_keyed_cell(const HieraKeyed *keyed, uint32_t row);
/* Read the keys of a row; their texts belong to the table. @param keys  room for the n keys of the row */
void hiera_keyed_read(const HieraKeyed *keyed, uint32_t row, HieraValue *keys, unsigned n);

/* Return the numbers of the rows, sorted by keys, in memory of `store`. NULL: no memory. (sort.c) */
const uint32_t *hiera_keyed_sort(const HieraKeyed *keyed, unsigned n_keys, HieraProbeStore *store);
