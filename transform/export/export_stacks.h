/* Stacks: call sites inside each other, and the time that a rank spends in each. Flame graphs and profiles are
 * made of them. Stack 0 is the program itself. Further threads have a stack of their own, and only times between init
 * and finalize count. */
#pragma once

#include "hiera_measure.h"
#include "hiera_summed.h"

typedef struct {
    guint32 parent;        /* index of the stack without its last call site: an earlier one; HIERA_NONE: of stack 0 */
    const HieraSite *site; /* site at the top; NULL: stack 0, or that of all further threads, whose parent is 0 */
} HieraStack;
#define HIERA_STACKS_THREADS "further threads" /* name of the stack of all further threads */

typedef struct {
    const HieraTrace *trace;
    GArray *stacks;     /* HieraStack, in the order in which traces first have them; a stack's number is its index */
    GHashTable *lookup; /* (number of the parent, id of the site) as guint64 → number of the stack */
} HieraStacks;
void hiera_stacks_init(HieraStacks *stacks, const HieraTrace *trace);
void hiera_stacks_clear(HieraStacks *stacks);
/* Return the number of the stack with this site (NULL: of further threads) at its top; it is added if it is new. */
guint32 hiera_stacks_meet(HieraStacks *stacks, guint32 parent, const HieraSite *site);

/* Callbacks while the operations of a processor are visited as stacks. */
typedef struct {
    /* A thread spent this time in the stack's top operation, outside of operations that this one called. */
    void (*spend)(guint32 stack, gint64 time_ns, gpointer user);
    /* The stack's top operation begins. May be NULL. @param row  row of the operation */
    void (*begin)(guint32 stack, guint32 row, gpointer user);
    /* A sum of several calls begins. Its time was moved with `spend` from the stack around it, whose time there is
     * negative. */
    void (*begin_several)(guint32 stack, const HieraSummed *summed, gpointer user);
} HieraStackVisitor;

/* Visit the stacks of a processor; sums of several calls only if `single` is not set: then no
 * rank has single operations. Times of its main thread from init to finalize add up to the whole; for other threads
 * only the time in operations is known. O(operations). */
void hiera_stacks_visit(HieraStacks *stacks, guint32 processor, gboolean single, const HieraStackVisitor *visitor,
                        gpointer user);

/* Return the name of the analysed program, which is the name of stack 0. */
const char *hiera_stacks_program(const HieraTrace *trace);
