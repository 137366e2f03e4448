/* Reads variables of the program as numbers.
 *
 * Nothing here raises a floating-point exception, since the program may have enabled traps for them. */
#pragma once

/* @param type  HIERA_TYPE_… (hiera_assert.h)
 * @return  the value; NaN for a type that is no number */
double hiera_variable_read(const volatile void *address, unsigned type);

/* Convert an integer to double; beyond 2^53 it is rounded. */
double hiera_variable_of_integer(long long number);
double hiera_variable_of_unsigned(unsigned long long number);
