/* Find counters, and read them.
 *
 * A set is a list of counters that are read together. An aggregate such as `sum(…)` is a counter too, which reads its
 * members. Who reads process counters in the helper thread and who reads in the program's threads uses the same
 * functions. */
#ifndef HIERA_COUNTERS_H
#define HIERA_COUNTERS_H

#include "counter.h"

enum { HIERA_COUNTER_SET = 64 };

typedef struct HieraCounterSet {
    unsigned n;
    HieraNamedCounter *counters[HIERA_COUNTER_SET];
    uint8_t order[HIERA_COUNTER_SET]; /* by family and source */
} HieraCounterSet;

/* Find or make the counter of this name, which ends after `length` bytes. One that cannot be read has a reason. NULL:
 * the name is none, or there is no memory; *reason says which. Takes the lock of the collector where it is new. */
HieraNamedCounter *hiera_counters_find(const char *name, size_t length, const char **reason);

/* Add a list of names to a set: each name, all that a pattern stands for. Counters of the program or of MPI that may
 * come to be are added too.
 *
 * @param blame  is called for what is in the list and cannot be counted, with the reason; may be NULL */
typedef void HieraCounterBlame(void *data, const char *name, size_t length, const char *reason);
void hiera_counters_add(HieraCounterSet *set, const char *list, HieraCounterBlame *blame, void *data);

/* Read a set: set->n values; NaN where it is not known. No lock, no malloc, no formatting; system calls where what is
 * read is the kernel's. Keeps errno and the floating-point environment. */
void hiera_counters_read(const HieraCounterSet *set, double *values);

/* What those that grow have grown by since `before`; of levels the values stay. Keeps the floating-point environment.
 */
void hiera_counters_subtract(const HieraCounterSet *set, double *values, const double *before);

/* Read one. @return  false if it is not known; counter->reason says why, unless it is only now not known */
bool hiera_counter_read_one(HieraNamedCounter *counter, double *value);

/* Who observes readings that somebody made to be seen: hiera_counter_sample() in the program's thread, and those that
 * are printed, in the helper. NULL: nobody. Set it before the program starts. */
extern void (*hiera_counters_told)(HieraNamedCounter *counter, double value);

/* After MPI_Init: counters of MPI can be found. */
void hiera_counters_join(void);

/* After that: say on standard error which counters of MPI are not to be had, of those that a list has waited for. */
void hiera_counters_complain(void);

/* Give up what counters have for this thread: it ends, or it is the one of a child of fork. */
void hiera_counters_end_thread(void);

/* The counter with this number, from 1; NULL: there are fewer. */
HieraNamedCounter *hiera_counter_of(int number);

/* Is it among those of its family that a list of all only counts? Which of its begins it has; -1: it is not. */
int hiera_counters_detail(const HieraCounterFamily *family, const char *name);

/* All families, in the order of lists; ends with NULL. */
extern const HieraCounterFamily *const hiera_counter_families[];

#endif
