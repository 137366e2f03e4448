/* Find counters, and read them.
 *
 * A set is a list of counters that are read together. An aggregate such as `sum(…)` is a counter too, which reads its
 * members. The helper thread, which reads process counters, and the program's threads use the same functions. */
#pragma once

#include "counter.h"

enum { HIERA_COUNTER_SET = 64 };

typedef struct HieraCounterSet {
    unsigned n;
    HieraNamedCounter *counters[HIERA_COUNTER_SET];
    uint8_t order[HIERA_COUNTER_SET]; /* indices into `counters`, sorted by family and source */
} HieraCounterSet;

/* Find or make the counter whose name is the first `length` bytes of `name`. A counter that cannot be read has a
 * reason. NULL if the name is invalid or there is no memory; *reason says which. Takes the collector's lock if the
 * counter is new. */
HieraNamedCounter *hiera_counters_find(const char *name, size_t length, const char **reason);

/* Add a list of names to a set: each name, and all names that a pattern matches. Counters of the program or of MPI that
 * may become available later are added too.
 *
 * @param blame  called for each element of the list that cannot be counted, with the reason; may be NULL */
typedef void HieraCounterBlame(void *data, const char *name, size_t length, const char *reason);
void hiera_counters_add(HieraCounterSet *set, const char *list, HieraCounterBlame *blame, void *data);

/* Read a set: set->n values; NaN for a value that is not known. No lock, no malloc, no formatting; system calls only
 * for values that come from the kernel. Keeps errno and the floating-point environment. */
void hiera_counters_read(const HieraCounterSet *set, double *values);

/* Replace the values of growing counters by their growth since `before`; values of levels stay as they are. Keeps the
 * floating-point environment. */
void hiera_counters_subtract(const HieraCounterSet *set, double *values, const double *before);

/* Read one counter. @return  false if its value is not known; counter->reason says why, unless it is unknown only now
 */
bool hiera_counter_read_one(HieraNamedCounter *counter, double *value);

/* Callback for readings that are made to be seen: those of hiera_counter_sample(), in the program's thread, and those
 * that are printed, in the helper. NULL: none. Set it before the program starts. */
extern void (*hiera_counters_observer)(HieraNamedCounter *counter, double value);

/* Called after MPI_Init: from now on counters of the family mpi can be found. */
void hiera_counters_join(void);

/* Called after hiera_counters_join(): report on standard error which counters of MPI, of those that a list has waited
 * for, are not available. */
void hiera_counters_complain(void);

/* Free what the families hold for this thread, which ends or is the only thread of a child of fork. */
void hiera_counters_end_thread(void);

/* The counter with this number, from 1; NULL if the number is larger than that of the last counter. */
HieraNamedCounter *hiera_counter_of(int number);

/* Index of the prefix in family->details with which the name begins; -1 if there is none. A list of all counters only
 * counts the names with such a prefix. */
int hiera_counters_detail(const HieraCounterFamily *family, const char *name);

/* All families but aggregates, in the order in which lists show them; ends with NULL. */
extern const HieraCounterFamily *const hiera_counter_families[];
