/* Stacks: the call sites that lie around each other, and what a rank spends in each. What flame graphs and profiles are
 * made of. The stack 0 is the program itself. What further threads do stands on one of their own, and times count
 * between init and finalize alone. */
#ifndef HIERA_EXPORT_STACKS_H
#define HIERA_EXPORT_STACKS_H

#include "hiera_measure.h"
#include "hiera_summed.h"

typedef struct {
    guint32 parent;        /* an earlier stack; HIERA_NONE of stack 0 */
    const HieraSite *site; /* NULL of stack 0, and of that of all further threads, whose parent is stack 0 */
} HieraStack;
#define HIERA_STACKS_THREADS "further threads" /* its name; it is a root beside the program */

typedef struct {
    const HieraTrace *trace;
    GArray *stacks;     /* HieraStack, in the order in which they are met */
    GHashTable *lookup; /* (parent, site) as guint64 → index */
} HieraStacks;
void hiera_stacks_init(HieraStacks *stacks, const HieraTrace *trace);
void hiera_stacks_clear(HieraStacks *stacks);
/* The number of the stack with this site (NULL: of further threads) at its top, which is now met if it was not before.
 */
guint32 hiera_stacks_meet(HieraStacks *stacks, guint32 parent, const HieraSite *site);

/* What happens on a stack. */
typedef struct {
    /* So long a thread was in the operation at the top, and in nothing that it called. */
    void (*spend)(guint32 stack, gint64 time_ns, gpointer user);
    /* The operation at the top begins. NULL: nothing is to be called. */
    void (*begin)(guint32 stack, guint32 row, gpointer user);
    /* The same of several calls at once, whose time comes as theirs alone, if need be less than nothing. */
    void (*begin_several)(guint32 stack, const HieraSummed *summed, gpointer user);
} HieraStackVisitor;

/* Visit what a processor does; of what stands for several calls only if `single` is not set: no
 * rank has single operations. Times of its main thread from init to finalize add up to the whole; of other threads
 * only what they do in operations is known. O(operations). */
void hiera_stacks_visit(HieraStacks *stacks, guint32 processor, gboolean single, const HieraStackVisitor *visitor,
                        gpointer user);

/* Name of the program: what stack 0 is called. */
const char *hiera_stacks_program(const HieraTrace *trace);

#endif
