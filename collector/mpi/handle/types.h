/* Facts about datatypes, by Hiera's number of each; kept after MPI has freed the handle. */
#pragma once

#include "handles.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct HieraType {
    int64_t size, extent;           /* in bytes */
    int64_t true_lower, true_upper; /* of the bytes with data, with HIERA_CHECK=buffers; upper < lower: not known */
    char *name;
    char *signature;  /* signatures.h; NULL: not known */
    int64_t n_basics; /* number of its basic types, and their hash */
    uint64_t hash;
    uint32_t version;
} HieraType;

/* Return the facts about a datatype, without a lock; never NULL (if the number is unknown: size -1). */
const HieraType *hiera_type_facts(uint32_t number);

/* Free the facts about a datatype. No record may have its number any more. */
void hiera_type_forget(uint32_t number);

/* Ask MPI for the sizes of the predefined datatypes. MPI must be initialized. */
void hiera_types_start(void);

uint32_t hiera_type_new(MPI_Datatype type);
uint32_t hiera_type_reference(MPI_Datatype type);
void hiera_type_set_name(uint32_t number, const char *name);

/* Return the size in bytes of `count` elements of a datatype; -1: not known. */
static inline int64_t hiera_type_bytes(uint32_t number, int64_t count)
{
    int64_t size = hiera_type_facts(number)->size;
    if (size >= 0 && count >= 0)
        return size * count;
    return count == 0 ? 0 : -1; /* 0 elements have 0 bytes, even of an unknown datatype */
}

/* Kinds of arguments of a datatype's constructor. hiera_type_contents() returns how many of a kind there were. */
typedef enum HieraContents {
    HIERA_CONTENTS_INTEGERS,
    HIERA_CONTENTS_ADDRESSES,
    HIERA_CONTENTS_LARGE_COUNTS,
    HIERA_CONTENTS_DATATYPES
} HieraContents;
int64_t hiera_type_contents(MPI_Datatype type, HieraContents what);

/* Return the sum of the bytes of counts[i] elements of types[i]; -1 if a type is not known. `there` as in
 * hiera_sum_ints(). `number_of` returns the number of a type; the compiler makes a separate loop for each number_of and
 * width of counts. */
static inline __attribute__((always_inline)) int64_t
hiera_sum_typed(const void *counts, bool wide, const void *types, uint32_t (*number_of)(const void *types, int64_t i),
                int64_t n, const uint8_t *there)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        if (there && !there[i])
            continue;
        int64_t count = wide ? ((const int64_t *)counts)[i] : ((const int *)counts)[i];
        int64_t bytes = hiera_type_bytes(number_of(types, i), count);
        sum = sum < 0 || bytes < 0 ? -1 : sum + bytes;
    }
    return sum;
}

int64_t hiera_sum_typed_ints(const int *counts, const MPI_Datatype *types, int64_t n, const uint8_t *there);
int64_t hiera_sum_typed_longs(const int64_t *counts, const MPI_Datatype *types, int64_t n, const uint8_t *there);
