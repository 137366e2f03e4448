/* Assertions in the source of the program, on the call path: HIERA_ASSERT, and its counterpart in Fortran.
 *
 * Idea: the code that an assertion covers is a region of the level "assert". Just before the end of the region, a
 * record says which assertion it is, and which values its variables have. Nothing is evaluated here: expect/ does that
 * when it reads the records. */
#pragma once

#include "record.h"

enum { HIERA_ASSERTION_VARIABLES = 16 }; /* maximum number of variables of an assertion */

/* An assertion in the program's source, made at its first execution and kept until the process ends. */
typedef struct HieraAssertion {
    struct HieraAssertion *next; /* next in the list of all assertions */
    const void *place;           /* address that identifies the assertion */
    char *text, *file;           /* copies of the assertion's text and of its file name */
    unsigned line;
    bool is_wrong; /* true if the assertion's text cannot be evaluated */
    bool is_said;  /* true if a message has already said that the assertion does not hold */
    unsigned rule; /* number of the assertion's rule */
    int id;        /* number of the assertion among all of the process, from 1 */
    uint32_t asks; /* what the thread has to measure for the assertion, as bits of HieraMeasured (measured.h) */
    unsigned n;    /* number of variables in the rule; each array below has one element for each variable */
    uint8_t which[HIERA_ASSERTION_VARIABLES]; /* by variable: index of its value among those that the program passes */
    uint8_t types[HIERA_ASSERTION_VARIABLES]; /* by variable: its HIERA_TYPE_…; unused if Fortran gives it at the end */
    uint8_t is_comm[HIERA_ASSERTION_VARIABLES];   /* by variable: whether it is a communicator, read as its size */
    uint8_t measured[HIERA_ASSERTION_VARIABLES];  /* by variable: its HieraMeasured; HIERA_N_MEASURED: not measured */
    const char *names[HIERA_ASSERTION_VARIABLES]; /* by variable: its name in the rule */
} HieraAssertion;

/* What the program says about an assertion: the key by which hiera_assertion_find() finds or makes it. */
typedef struct HieraAssertionAsked {
    const void *place; /* address that identifies the assertion in the program */
    const void *site;  /* return address of the call; gives the line if `file` is NULL */
    const char *text, *file;
    unsigned line;
    const char *spelled;        /* names of the program's values; NULL: they have the order of the rule's variables */
    unsigned n;                 /* number of values that the program passes */
    const unsigned char *types; /* type of each value that the program passes */
} HieraAssertionAsked;

/* Find an assertion, or make it. NULL if there is no memory. May be slow and take the lock. (Defined in
 * expect/source.c; the linker finds it.) */
const HieraAssertion *hiera_assertion_find(const HieraAssertionAsked *asked);

/* Return the number of processes of the communicator in a variable of this type (HIERA_TYPE_…); NaN if the communicator
 * is not known, and outside of MPI. Never calls MPI with a handle that might be wrong. (mpi/handle/comms.c) */
double hiera_assertion_processes(const volatile void *variable, unsigned type);

/* Whether a variable of this HIERA_TYPE_… can be a communicator of the MPI that the program uses. */
bool hiera_assertion_may_be_comm(unsigned type);

/* An execution has ended, and `on_violation` of HIERA_MORE asks for more than to count: evaluate it now, and do that.
 * Called outside of the collector. @param call  the program's function; NULL: it is not known. (expect/violations.c) */
struct hiera_violation;
void hiera_assertion_judge(const HieraAssertion *assertion, void (*call)(const struct hiera_violation *violation));

/* Whether `on_violation` of HIERA_MORE is not "count": executions are then evaluated as soon as they end. */
extern bool hiera_assertion_is_judged_now;

typedef struct HieraValuesRecord {
    uint32_t bytes, call;
    const HieraAssertion *assertion;
    double values[]; /* by variable of the assertion: its value; NaN: not known */
} HieraValuesRecord;
