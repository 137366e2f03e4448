/* See numbers.h. */
#include "numbers.h"

#include "dtd/constructs.h"

#include <string.h>

/* Add `name`, which ends with '=', and a number. */
static void put(HieraPrepared *args, const char *name, unsigned number)
{
    char digits[16];
    size_t n = 0, length = strlen(name);
    do
        digits[sizeof digits - ++n] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    memcpy(args->text + args->length, name, length);
    memcpy(args->text + args->length + length, digits + sizeof digits - n, n);
    args->length += length + n;
}

const HieraPrepared *openmp_args(OpenmpNumbers *kept, const char *name, unsigned number, unsigned region)
{
    if (kept->number == number && kept->region == region)
        return &kept->args;
    *kept = (OpenmpNumbers){number, region, {0}};
    if (number > 0)
        put(&kept->args, name, number);
    if (region > 0)
        put(&kept->args, number > 0 ? " " HIERA_CONSTRUCT_REGION : HIERA_CONSTRUCT_REGION, region);
    return &kept->args;
}

unsigned openmp_number(OpenmpThings *things, const void *address)
{
    enum { TRIES = 16 };
    uint64_t key = (uint64_t)(uintptr_t)address << 16;
    unsigned number = 0;
    for (unsigned i = 0, at = (unsigned)((key * 0x9e3779b97f4a7c15u) >> 48) % things->n; i < TRIES;
         i++, at = (at + 1) % things->n) {
        uint64_t *place = &things->entries[at], entry = __atomic_load_n(place, __ATOMIC_RELAXED);
        if (entry == 0 && number == 0)
            number = __atomic_add_fetch(&things->last, 1, __ATOMIC_RELAXED) & UINT16_MAX;
        if (entry == 0 &&
            __atomic_compare_exchange_n(place, &entry, key | number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return number;
        if (entry >> 16 == key >> 16)
            return (unsigned)(entry & UINT16_MAX);
    }
    return 0;
}
