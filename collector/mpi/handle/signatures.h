/* Type signatures: the sequence of basic types of a datatype, as MPI compares them (MPI 4.1, 3.3 and 5.1).
 *
 * The text of a signature is a list of basic types and groups, separated by blanks, each with a number of repeats:
 * `int32 3*(float64 2*int32)`. A basic type is a family and its bits. Types of C and Fortran of one family and size
 * are equal: MPI allows a library to match them, and so nobody is accused who may be right. A text that would be too
 * long is `#N:HASH`: number of basic types, and a hash that does not depend on how the datatype was made. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { HIERA_SIGNATURE_TEXT = 240 };

typedef struct HieraSignature {
    int64_t n;     /* number of basic types; -1: the signature is not known */
    uint64_t hash; /* of the whole sequence */
    char text[HIERA_SIGNATURE_TEXT + 1];
} HieraSignature;

/* Make the signature of a predefined datatype. @param size  in bytes */
void hiera_signature_of_predefined(HieraSignature *signature, const char *name, int64_t size);

/* Take the signature of a datatype of which it is known; else return false. */
typedef bool HieraKnownSignature(HieraSignature *signature, MPI_Datatype type);

/* Make the signature of any datatype: if it is not known, by what the datatype was made of. */
void hiera_signature_of(HieraSignature *signature, MPI_Datatype type, HieraKnownSignature *known);

/* The parts of the above that need no MPI: no basic types; the same sequence many times; another one behind it. */
void hiera_signature_clear(HieraSignature *signature);
void hiera_signature_repeat(HieraSignature *signature, int64_t times);
void hiera_signature_append(HieraSignature *signature, const HieraSignature *more);
