/* The probes that Fortran programs call by the module of hiera.f90. */
#include "hiera.h"

#define HIERA_FORTRAN_NAME(name)         name
#define HIERA_FORTRAN_ALIAS(name, other) HIERA_PUBLIC __typeof__(name) other __attribute__((alias(#name)));
#define HIERA_FORTRAN_ALIASES(name)                                                                                    \
    HIERA_FORTRAN_ALIAS(name, name##_)                                                                                 \
    HIERA_FORTRAN_ALIAS(name, name##__)

#pragma GCC visibility push(default)
#include "hiera_fortran_probes.h"
#pragma GCC visibility pop
