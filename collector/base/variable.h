/* Variables of the program, read as numbers.
 *
 * Nothing here raises a floating-point exception, since the program may have them stop it. */
#ifndef HIERA_VARIABLE_H
#define HIERA_VARIABLE_H

/* @param type  HIERA_TYPE_… (hiera_assert.h)
 * @return  NaN for a type that is no number */
double hiera_variable_read(const volatile void *address, unsigned type);

/* Integers as doubles; beyond 2^53 they are rounded. */
double hiera_variable_of_integer(long long number);
double hiera_variable_of_unsigned(unsigned long long number);

#endif
