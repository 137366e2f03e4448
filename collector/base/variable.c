#include "variable.h"

#include "hiera.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

double hiera_variable_of_integer(long long number)
{
    fenv_t environment;
    if (__builtin_expect(number <= INT64_C(1) << 53 && number >= -(INT64_C(1) << 53), 1))
        return (double)number;
    feholdexcept(&environment);
    volatile double rounded = (double)number;
    fesetenv(&environment);
    return rounded;
}

double hiera_variable_of_unsigned(unsigned long long number)
{
    return number <= INT64_MAX ? hiera_variable_of_integer((long long)number)
                               : 2 * hiera_variable_of_integer((long long)(number / 2));
}

static double of_float(const volatile void *address)
{
    uint32_t bits = *(const volatile uint32_t *)address;
    bool is_nan = (bits & UINT32_C(0x7fffffff)) > UINT32_C(0x7f800000);
    return is_nan ? (double)NAN : (double)*(const volatile float *)address;
}

static double of_long_double(const volatile void *address)
{
    fenv_t environment;
    feholdexcept(&environment);
    volatile double rounded = (double)*(const volatile long double *)address;
    fesetenv(&environment);
    return rounded;
}

#define READ(type) *(const volatile type *)address

double hiera_variable_read(const volatile void *address, unsigned type)
{
    switch (type) {
    case HIERA_TYPE_BOOL:
    case HIERA_TYPE_UCHAR:
        return READ(unsigned char);
    case HIERA_TYPE_CHAR:
        return READ(char);
    case HIERA_TYPE_SCHAR:
        return READ(signed char);
    case HIERA_TYPE_SHORT:
        return READ(short);
    case HIERA_TYPE_USHORT:
        return READ(unsigned short);
    case HIERA_TYPE_INT:
    case HIERA_TYPE_FORTRAN_INT:
        return READ(int);
    case HIERA_TYPE_UINT:
        return READ(unsigned);
    case HIERA_TYPE_LONG:
        return hiera_variable_of_integer(READ(long));
    case HIERA_TYPE_ULONG:
        return hiera_variable_of_unsigned(READ(unsigned long));
    case HIERA_TYPE_LLONG:
        return hiera_variable_of_integer(READ(long long));
    case HIERA_TYPE_ULLONG:
        return hiera_variable_of_unsigned(READ(unsigned long long));
    case HIERA_TYPE_FLOAT:
        return of_float(address);
    case HIERA_TYPE_DOUBLE:
        return READ(double);
    case HIERA_TYPE_LDOUBLE:
        return of_long_double(address);
    default:
        return (double)NAN;
    }
}
