/* Assertions in the source of the program, on the call path: HIERA_ASSERT, and its counterpart in Fortran.
 *
 * Idea: the code that an assertion covers is a region of the level "assert". Just before the end of the region, a
 * record says which assertion it is, and which values its variables have. Nothing is evaluated here: expect/ does that
 * when it reads the records. */
#pragma once

#include "record.h"

enum { HIERA_ASSERTION_VARIABLES = 16 }; /* maximum number of variables of an assertion */

/* An assertion; it is kept until the process ends. */
typedef struct HieraAssertion {
    struct HieraAssertion *next; /* next in the list of all assertions */
    const void *place;           /* as in HieraAssertionAsked; … */
    char *text, *file;           /* copies of the text and the file name that it was found by */
    unsigned line;
    bool is_wrong; /* true if it cannot be evaluated */
    bool is_said;  /* true if a message has said that it does not hold */
    unsigned rule; /* number of the assertion's rule */
    int id;        /* number of the assertion, from 1 */
    uint32_t asks; /* values that the thread has to measure for it, as bits of HieraMeasured (measured.h) */
    unsigned n;    /* number of variables in the rule; the arrays below have one entry for each variable: */
    uint8_t which[HIERA_ASSERTION_VARIABLES];     /* by variable: index among the values that the program gives */
    uint8_t types[HIERA_ASSERTION_VARIABLES];     /* by variable: HIERA_TYPE_…, unless Fortran passes it at the end */
    uint8_t is_comm[HIERA_ASSERTION_VARIABLES];   /* by variable: whether it is a communicator */
    uint8_t measured[HIERA_ASSERTION_VARIABLES];  /* the HieraMeasured if it is measured by the thread, */
    const char *names[HIERA_ASSERTION_VARIABLES]; /* by variable: its name */
} HieraAssertion;

/* Description of an assertion, by which it is found or made. */
typedef struct HieraAssertionAsked {
    const void *place; /* address that identifies the assertion */
    const void *site;  /* return address; gives the line if `file` is NULL */
    const char *text, *file;
    unsigned line;
    const char *spelled;        /* names of its values; NULL: they come in the order of the variables */
    unsigned n;                 /* number of values that the program passes */
    const unsigned char *types; /* type of each value that the program passes */
} HieraAssertionAsked;

/* Find an assertion, or make it. NULL if there is no memory. May be slow and take the lock. (Defined in
 * expect/source.c; the linker finds it.) */
const HieraAssertion *hiera_assertion_find(const HieraAssertionAsked *asked);

/* Return the number of processes of the communicator in a variable of this type (HIERA_TYPE_…); NaN if the communicator
 * is not known, and outside of MPI. Never calls MPI with a handle that might be wrong. (mpi/handle/comms.c) */
double hiera_assertion_processes(const volatile void *variable, unsigned type);

/* Whether a variable of this type can be a communicator of this MPI. */
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
    double values[]; /* values of its variables */
} HieraValuesRecord;
