/* Assertions in the source of the program, on the call path: HIERA_ASSERT, and the like of Fortran.
 *
 * Idea: what an assertion is about is a region of the level "assert". Its end is preceded by a record that says which
 * assertion it is, and what the variables are then. Nothing is evaluated here: whoever reads the records does that
 * (expect/). */
#ifndef HIERA_ASSERTION_RECORD_H
#define HIERA_ASSERTION_RECORD_H

#include "record.h"

enum { HIERA_ASSERTION_VARIABLES = 16 }; /* at most */

/* An assertion; it is kept until the process ends. */
typedef struct HieraAssertion {
    struct HieraAssertion *next; /* of all */
    const void *place;           /* what hiera_assertion_find() was asked for; … */
    char *text, *file;           /* … copied */
    unsigned line;
    bool is_wrong; /* it cannot be evaluated */
    bool is_said;  /* that it does not hold */
    unsigned rule; /* number of its rule */
    int id;        /* from 1 */
    uint32_t asks; /* what its thread has to measure, as bits of HieraMeasured (measured.h) */
    unsigned n;    /* variables of the rule; by variable: */
    uint8_t which[HIERA_ASSERTION_VARIABLES];     /* which of the values that the program gives it is, */
    uint8_t types[HIERA_ASSERTION_VARIABLES];     /* its HIERA_TYPE_…, unless Fortran gives it at the end, */
    uint8_t is_comm[HIERA_ASSERTION_VARIABLES];   /* whether it is a communicator, */
    uint8_t measured[HIERA_ASSERTION_VARIABLES];  /* or what the thread measured of it, HieraMeasured, */
    const char *names[HIERA_ASSERTION_VARIABLES]; /* and its name */
} HieraAssertion;

/* What is known of an assertion before it is found. */
typedef struct HieraAssertionAsked {
    const void *place; /* address that identifies it */
    const void *site;  /* return address; its line is taken if `file` is NULL */
    const char *text, *file;
    unsigned line;
    const char *spelled;        /* its values; NULL: they come in the order of the variables, */
    unsigned n;                 /* and how many; */
    const unsigned char *types; /* by value */
} HieraAssertionAsked;

/* Find an assertion, or make it. NULL if there is no memory. May be slow and take the lock. (expect/source.c; the
 * linker finds it) */
const HieraAssertion *hiera_assertion_find(const HieraAssertionAsked *asked);

/* The number of processes of a communicator in a variable of this type (HIERA_TYPE_…); NaN if it is none that is known,
 * and outside of MPI. Never calls MPI with a handle that might be wrong. (mpi/handle/comms.c) */
double hiera_assertion_processes(const volatile void *variable, unsigned type);

/* May a variable of this type be a communicator of this MPI? */
bool hiera_assertion_may_be_comm(unsigned type);

/* An execution has ended, and `on_violation` of HIERA_MORE asks for more than to count: evaluate it now, and do that.
 * Called outside of the collector. @param call  the program's function; NULL: it is not known. (expect/violations.c) */
struct hiera_violation;
void hiera_assertion_judge(const HieraAssertion *assertion, void (*call)(const struct hiera_violation *violation));

/* `on_violation` of HIERA_MORE is not "count". */
extern bool hiera_assertion_is_judged_now;

typedef struct HieraValuesRecord {
    uint32_t bytes, call;
    const HieraAssertion *assertion;
    double values[]; /* of its variables */
} HieraValuesRecord;

#endif
