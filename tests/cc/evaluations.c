/* Stands for libhiera: prints where regions begin and end, and the variables at the end. */
#define HIERA_REQUIRED
#include "hiera.h"
#include <stdio.h>

static double value_of(unsigned type, const volatile void *at)
{
    switch (type) {
    case HIERA_TYPE_BOOL: return *(const volatile _Bool *)at;
    case HIERA_TYPE_CHAR: return *(const volatile char *)at;
    case HIERA_TYPE_INT: return *(const volatile int *)at;
    case HIERA_TYPE_UINT: return *(const volatile unsigned *)at;
    case HIERA_TYPE_LONG: return (double)*(const volatile long *)at;
    case HIERA_TYPE_FLOAT: return (double)*(const volatile float *)at;
    case HIERA_TYPE_DOUBLE: return *(const volatile double *)at;
    default: return -1;
    }
}

void hiera_assert_open(const volatile void *const *values)
{
    printf("%u begins\n", ((const struct hiera_assertion *)values[0])->line);
}

void hiera_assert_close(const volatile void *const *values)
{
    const struct hiera_assertion *assertion = (const struct hiera_assertion *)values[0];
    printf("%s:%u: %s:", assertion->file, assertion->line, assertion->text);
    for (unsigned i = 1; i <= assertion->n_variables; i++)
        printf(" %g", value_of(assertion->types[i], values[i]));
    printf("\n");
}
