/* See filtered_totals.h. Totals are rows of a growing table; a hash table finds the row of an operation. */
#include "filtered_totals.h"

#include "memory/signal_safe_memory.h"
#include "text/hash.h"

#include <string.h>

/* The number of rows is limited, since each tail has all of them, and a program may have any number of region names and
 * communicators. The limit does not apply to MPI calls without communicator: there is one row per MPI function. */
enum { ROWS_MAX = 1024, FIRST_ROOM = 32 };

static uint32_t hash_of_call(uint32_t call, uint32_t comm)
{
    return (uint32_t)hiera_hash_number((uint64_t)call << 32 | comm);
}

static uint32_t hash_of_names(const char *level, const char *name)
{
    uint64_t hash = hiera_hash_text(hiera_hash_text(HIERA_HASH_BEGIN, level), name);
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t hash_of(const HieraSumRow *row)
{
    return row->level ? hash_of_names(row->level, row->level + strlen(row->level) + 1)
                      : hash_of_call(row->call, row->comm);
}

static uint32_t place_of(const HieraSums *sums, uint32_t hash)
{
    return (hash ^ hash >> 15) & (uint32_t)(sums->n_places - 1);
}

/* Double the number of rows that the table can hold. If there is no memory, nothing changes. */
static bool make_room(HieraSums *sums)
{
    size_t room = sums->room ? 2 * sums->room : FIRST_ROOM, n_places = 2 * room;
    uint32_t *places = hiera_memory_new(n_places * sizeof *places);
    HieraSumRow *rows = places ? hiera_memory_grow(sums->rows, sums->room * sizeof *rows, room * sizeof *rows) : NULL;
    if (!rows) {
        hiera_memory_free(places, n_places * sizeof *places);
        return false;
    }
    hiera_memory_free(sums->places, sums->n_places * sizeof *places);
    sums->rows = rows;
    sums->room = room;
    sums->places = places;
    sums->n_places = n_places;
    if (sums->n == 0)
        sums->rows[sums->n++] = (HieraSumRow){0, HIERA_SUM_NO_COMM, NULL, {0, -1, -1, 0}, {0, -1, -1, 0}};
    for (size_t i = 1; i < sums->n; i++) {
        uint32_t place = place_of(sums, hash_of(&sums->rows[i]));
        while (places[place] != 0)
            place = (place + 1) & (uint32_t)(n_places - 1);
        places[place] = (uint32_t)i + 1;
    }
    return true;
}

static HieraSumRow *rest(HieraSums *sums)
{
    return sums->n > 0 ? &sums->rows[0] : NULL;
}

static HieraSumRow *add_row(HieraSums *sums, const HieraSumRow *row)
{
    if (sums->n == sums->room && !make_room(sums))
        return NULL;
    uint32_t place = place_of(sums, hash_of(row));
    while (sums->places[place] != 0)
        place = (place + 1) & (uint32_t)(sums->n_places - 1);
    sums->places[place] = (uint32_t)sums->n + 1;
    sums->rows[sums->n] = *row;
    return &sums->rows[sums->n++];
}

HieraSumRow *hiera_sums_of_call(HieraSums *sums, uint32_t call, uint32_t comm)
{
    if (sums->n == 0 && !make_room(sums))
        return NULL;
    uint32_t place = place_of(sums, hash_of_call(call, comm));
    for (; sums->places[place] != 0; place = (place + 1) & (uint32_t)(sums->n_places - 1)) {
        HieraSumRow *row = &sums->rows[sums->places[place] - 1];
        if (row->call == call && row->comm == comm)
            return row;
    }
    HieraSumRow *row = NULL;
    if (sums->n < ROWS_MAX || comm == HIERA_SUM_NO_COMM)
        row = add_row(sums, &(HieraSumRow){call, comm, NULL, {0, -1, -1, 0}, {0, -1, -1, 0}});
    else
        row = hiera_sums_of_call(sums, call, HIERA_SUM_NO_COMM);
    return row ? row : rest(sums);
}

static bool is_region(const HieraSumRow *row, const char *level, const char *name)
{
    return row->level && strcmp(row->level, level) == 0 && strcmp(row->level + strlen(row->level) + 1, name) == 0;
}

/* Copy level, NUL, name, NUL into one allocated block. */
static char *copy_names(const char *level, const char *name)
{
    size_t n = strlen(level) + 1, m = strlen(name) + 1;
    char *copy = hiera_memory_new(n + m);
    if (copy) {
        memcpy(copy, level, n);
        memcpy(copy + n, name, m);
    }
    return copy;
}

HieraSumRow *hiera_sums_of_region(HieraSums *sums, const char *level, const char *name)
{
    if (sums->n == 0 && !make_room(sums))
        return NULL;
    uint32_t place = place_of(sums, hash_of_names(level, name));
    for (; sums->places[place] != 0; place = (place + 1) & (uint32_t)(sums->n_places - 1)) {
        HieraSumRow *row = &sums->rows[sums->places[place] - 1];
        if (is_region(row, level, name))
            return row;
    }
    char *names = sums->n < ROWS_MAX ? copy_names(level, name) : NULL;
    HieraSumRow *row =
        names ? add_row(sums,
                        &(HieraSumRow){HIERA_RECORD_REGION, HIERA_SUM_NO_COMM, names, {0, -1, -1, 0}, {0, -1, -1, 0}})
              : NULL;
    return row ? row : rest(sums);
}

static void add_bytes(int64_t *sum, int64_t bytes)
{
    if (bytes >= 0)
        *sum = (*sum >= 0 ? *sum : 0) + bytes;
}

void hiera_sums_add(HieraSumRow *row, int64_t sent, int64_t received, uint64_t time_ns)
{
    row->sum.count++;
    row->sum.time_ns += time_ns;
    add_bytes(&row->sum.sent, sent);
    add_bytes(&row->sum.received, received);
}

void hiera_sums_keep(HieraSums *sums)
{
    for (size_t i = 0; i < sums->n; i++)
        sums->rows[i].kept = sums->rows[i].sum;
}

void hiera_sums_undo(HieraSums *sums)
{
    for (size_t i = 0; i < sums->n; i++)
        sums->rows[i].sum = sums->rows[i].kept;
}

void hiera_sums_clear(HieraSums *sums)
{
    for (size_t i = 0; i < sums->n; i++)
        if (sums->rows[i].level)
            hiera_memory_free((char *)sums->rows[i].level,
                              strlen(sums->rows[i].level) +
                                  strlen(sums->rows[i].level + strlen(sums->rows[i].level) + 1) + 2);
    hiera_memory_free(sums->rows, sums->room * sizeof *sums->rows);
    hiera_memory_free(sums->places, sums->n_places * sizeof *sums->places);
    *sums = (HieraSums){0};
}
