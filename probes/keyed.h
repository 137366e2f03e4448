/* Cells found by a list of values: dictionaries and aggregations. A hash table without deletions. */
#ifndef HIERA_PROBES_KEYED_H
#define HIERA_PROBES_KEYED_H

#include "expressions/expression.h"

typedef struct HieraKeyedRow HieraKeyedRow;

typedef struct HieraKeyed {
    size_t cell_size; /* a multiple of 8 */
    uint32_t n, room; /* of rows and cells */
    HieraKeyedRow *rows;
    char *cells;
    char *keys; /* of all rows */
    size_t n_key_bytes, room_keys;
    uint32_t *index; /* open addressing; rows + 1 */
    uint32_t n_index; /* a power of two, or 0 */
    size_t *budget;   /* bytes that may still be taken */
} HieraKeyed;

enum { HIERA_KEYED_NONE = UINT32_MAX };

void hiera_keyed_init(HieraKeyed *keyed, size_t cell_size, size_t *budget);
void hiera_keyed_clear(HieraKeyed *keyed);

/* Find the row of these keys. None of them is missing; a whole number is the same key as the integer.
 *
 * @param add  if there is none, add one, whose cell has zeros
 * @return HIERA_KEYED_NONE if there is none, or no memory for it */
uint32_t hiera_keyed_find(HieraKeyed *keyed, const HieraValue *keys, unsigned n, bool add);
void *hiera_keyed_cell(const HieraKeyed *keyed, uint32_t row);
/* The keys of a row; texts belong to the table. @param keys  room for n of them, as many as the row has */
void hiera_keyed_read(const HieraKeyed *keyed, uint32_t row, HieraValue *keys, unsigned n);

/* Take bytes from a budget. @return false if there are not so many */
bool hiera_budget_take(size_t *budget, size_t bytes);

#endif
