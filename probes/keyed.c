/* See keyed.h. The keys of a row stand behind each other as bytes: a type, then eight bytes, or a length and a text. So
 * rows are compared as bytes, and no key has a place of its own in memory. */
#include "keyed.h"
#include <stdlib.h>
#include <string.h>

struct HieraKeyedRow {
    uint64_t hash;
    size_t key;
    uint32_t key_length;
};

enum { FIRST_ROWS = 16, NUMBER_BYTES = 9, TEXT_BYTES = 5 };

void hiera_keyed_init(HieraKeyed *keyed, size_t cell_size, size_t *budget)
{
    *keyed = (HieraKeyed){.cell_size = cell_size, .budget = budget};
}

void hiera_keyed_clear(HieraKeyed *keyed)
{
    free(keyed->rows);
    free(keyed->cells);
    free(keyed->keys);
    free(keyed->index);
}

bool hiera_budget_take(size_t *budget, size_t bytes)
{
    if (bytes > *budget)
        return false;
    *budget -= bytes;
    return true;
}

/* --- keys as bytes --- */

static HieraValue simplify(HieraValue key)
{
    bool small = key.type == HIERA_VALUE_NUMBER && key.number >= -0x1p53 && key.number <= 0x1p53;
    if (small && key.number == (double)(int64_t)key.number)
        return hiera_value_integer((int64_t)key.number);
    return key;
}

static size_t count_bytes(const HieraValue *keys, unsigned n)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < n; i++)
        bytes += keys[i].type == HIERA_VALUE_TEXT ? TEXT_BYTES + (size_t)keys[i].length : NUMBER_BYTES;
    return bytes;
}

static uint64_t mix(uint64_t hash, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
    return hash;
}

/* Visit the bytes of keys: write them if `to` is given, compare them with `with` if that is given.
 *
 * @return their hash; 0 if they differ from `with` */
static uint64_t walk(const HieraValue *keys, unsigned n, char *to, const char *with)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned i = 0; i < n; i++) {
        HieraValue key = simplify(keys[i]);
        char head[NUMBER_BYTES] = {(char)key.type};
        bool is_text = key.type == HIERA_VALUE_TEXT;
        int64_t payload = key.type == HIERA_VALUE_TRUTH ? key.truth : key.integer;
        size_t n_head = is_text ? TEXT_BYTES : NUMBER_BYTES, n_text = is_text ? key.length : 0;
        if (is_text)
            memcpy(head + 1, &key.length, sizeof key.length);
        else
            memcpy(head + 1, &payload, sizeof payload);
        if (with && (memcmp(with, head, n_head) != 0 || (n_text && memcmp(with + n_head, key.text, n_text) != 0)))
            return 0;
        with = with ? with + n_head + n_text : NULL;
        if (to) {
            to = (char *)memcpy(to, head, n_head) + n_head;
            to = n_text ? (char *)memcpy(to, key.text, n_text) + n_text : to;
        }
        hash = mix(mix(hash, head, n_head), key.text, n_text);
    }
    return hash | 1;
}

void hiera_keyed_read(const HieraKeyed *keyed, uint32_t row, HieraValue *keys, unsigned n)
{
    const char *at = keyed->keys + keyed->rows[row].key;
    for (unsigned i = 0; i < n; i++) {
        keys[i] = (HieraValue){.type = (HieraValueType)*at};
        if (keys[i].type == HIERA_VALUE_TEXT) {
            memcpy(&keys[i].length, at + 1, sizeof keys[i].length);
            keys[i].text = at + TEXT_BYTES;
            at += TEXT_BYTES + (size_t)keys[i].length;
            continue;
        }
        int64_t payload;
        memcpy(&payload, at + 1, sizeof payload);
        if (keys[i].type == HIERA_VALUE_TRUTH)
            keys[i].truth = payload;
        else
            keys[i].integer = payload;
        at += NUMBER_BYTES;
    }
}

/* --- room --- */

static bool grow(void **items, size_t size, size_t more, size_t *budget)
{
    if (!hiera_budget_take(budget, more))
        return false;
    void *grown = realloc(*items, size);
    if (!grown) {
        *budget += more;
        return false;
    }
    *items = grown;
    return true;
}

static void put(HieraKeyed *keyed, uint32_t row)
{
    uint32_t at = (uint32_t)keyed->rows[row].hash & (keyed->n_index - 1);
    while (keyed->index[at])
        at = (at + 1) & (keyed->n_index - 1);
    keyed->index[at] = row + 1;
}

/* Twice as many rows. */
static bool grow_rows(HieraKeyed *keyed)
{
    uint32_t room = keyed->room ? 2 * keyed->room : FIRST_ROWS, more = room - keyed->room;
    void *rows = keyed->rows, *cells = keyed->cells;
    if (room < keyed->room || !hiera_budget_take(keyed->budget, more * 2 * sizeof *keyed->index))
        return false;
    uint32_t *index = calloc(2 * (size_t)room, sizeof *index);
    bool good = index && grow(&rows, room * sizeof *keyed->rows, more * sizeof *keyed->rows, keyed->budget);
    keyed->rows = rows;
    good = good && grow(&cells, room * keyed->cell_size, more * keyed->cell_size, keyed->budget);
    keyed->cells = cells;
    if (!good) {
        free(index);
        return false;
    }
    free(keyed->index);
    keyed->index = index;
    keyed->n_index = 2 * room;
    keyed->room = room;
    for (uint32_t i = 0; i < keyed->n; i++)
        put(keyed, i);
    return true;
}

static bool grow_keys(HieraKeyed *keyed, size_t bytes)
{
    size_t room = keyed->room_keys ? keyed->room_keys : 256;
    void *keys = keyed->keys;
    while (room - keyed->n_key_bytes < bytes)
        room *= 2;
    if (room > keyed->room_keys) {
        if (!grow(&keys, room, room - keyed->room_keys, keyed->budget))
            return false;
        keyed->keys = keys;
        keyed->room_keys = room;
    }
    return true;
}

/* --- rows --- */

static uint32_t add_row(HieraKeyed *keyed, const HieraValue *keys, unsigned n, uint64_t hash)
{
    size_t bytes = count_bytes(keys, n);
    if (bytes > UINT32_MAX || (keyed->n == keyed->room && !grow_rows(keyed)) || !grow_keys(keyed, bytes))
        return HIERA_KEYED_NONE;
    walk(keys, n, keyed->keys + keyed->n_key_bytes, NULL);
    keyed->rows[keyed->n] = (HieraKeyedRow){hash, keyed->n_key_bytes, (uint32_t)bytes};
    keyed->n_key_bytes += bytes;
    memset(hiera_keyed_cell(keyed, keyed->n), 0, keyed->cell_size);
    put(keyed, keyed->n);
    return keyed->n++;
}

uint32_t hiera_keyed_find(HieraKeyed *keyed, const HieraValue *keys, unsigned n, bool add)
{
    uint64_t hash = walk(keys, n, NULL, NULL);
    size_t bytes = count_bytes(keys, n);
    uint32_t mask = keyed->n_index - 1;
    for (uint32_t at = (uint32_t)hash & mask; keyed->n_index && keyed->index[at]; at = (at + 1) & mask) {
        const HieraKeyedRow *row = &keyed->rows[keyed->index[at] - 1];
        if (row->hash == hash && row->key_length == bytes && walk(keys, n, NULL, keyed->keys + row->key))
            return keyed->index[at] - 1;
    }
    return add ? add_row(keyed, keys, n, hash) : HIERA_KEYED_NONE;
}

void *hiera_keyed_cell(const HieraKeyed *keyed, uint32_t row)
{
    return keyed->cells + row * keyed->cell_size;
}
