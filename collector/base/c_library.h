/* Finds which addresses are code of the C library or of the dynamic linker. Such code calls main(), constructors,
 * thread functions, and comparisons of qsort(); as a call site it tells the user nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Address ranges of the C library and the dynamic linker; empty before hiera_c_library_find() and if unknown. */
extern struct HieraLibraryCode {
    uintptr_t begin, bytes;
} hiera_c_library[2];

/* Set hiera_c_library; called once, when the collector is loaded. */
void hiera_c_library_find(void);

static inline bool hiera_is_in_c_library(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    return at - hiera_c_library[0].begin < hiera_c_library[0].bytes ||
           at - hiera_c_library[1].begin < hiera_c_library[1].bytes;
}
