/* Functions of a library that tests move: a plan for them, and the plan in memory. */
#ifndef MOVING_H
#define MOVING_H

#include "collector/loops/moved.h"

#include <glib.h>

typedef struct {
    GByteArray *plan;
    uintptr_t base; /* of the library in memory */
} MovingSubject;

/* Plan exported functions of a file that is loaded; all must be there. To be freed with g_byte_array_unref(plan). */
MovingSubject moving_plan(const char *path, uintptr_t base, const char *const *names, size_t n);

/* Put the copies into memory, with timers; none may have been refused. Nothing is redirected yet. */
HieraMoved moving_place(const MovingSubject *subject);

/* Whether what has failed while threads run may succeed the next time: a thread is where it must not be, or the machine
 * has so much other work that one does not stop in time. */
bool moving_may_try_again(const char *reason);

enum { MOVING_THREADS = 4 };

/* How often something is done that takes long with breakpoints: each thread must have had the processor. */
guint moving_rounds(guint n);

/* Move and move back, again and again, while MOVING_THREADS threads call a function. It computes something until
 * *is_over, and returns NULL if that was right. Thread i gets argument i. */
void moving_while_threads_run(HieraMoved *moved, guint n, void *(*run)(void *argument), volatile bool *is_over);

/* The number of a function in the table of times. */
uint32_t moving_number(const HieraPlan *plan, const char *name);

#endif
