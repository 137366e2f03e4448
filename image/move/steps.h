/* What the instructions of a loop change, and by which steps. For induction.c. */
#pragma once

#include "dtd/plan.h"
#include "image/flow/flow.h"

/* Number of the general register of which one is a part, also a second byte as %ah; -1: it is no general register. */
int hiera_steps_register(guint reg);

/* The number of a loop that changes in each iteration. */
typedef struct {
    gboolean is_found;   /* there is one, and the loop calls nothing */
    gboolean is_crossed; /* jumps by a table enter or leave the loop: it is not certain where it begins and ends */
    gboolean is_spare;   /* there is none, but a register that nobody needs in the loop or behind it: it counts */
    gboolean
        is_doubled; /* the loop has a second copy, which tells what happens; the first one tells and counts nothing */
    guint8 reg;     /* number of its register; HIERA_INDUCTION_STACK: it is in the stack frame */
    guint8 bytes;   /* 4 or 8 */
    guint8 base;    /* number of the register, rsp or rbp, from which its address counts */
    guint8 slot;    /* where it is kept at the begin: the index of HIERA_PLAN_START */
    gint32 displacement;
    gint32 step;
    guint block; /* block of the change */
} HieraInduction;

enum { HIERA_INDUCTION_STACK = 16 };

enum {
    HIERA_STEPS_REGISTERS = 16,
    HIERA_STEPS_SLOTS = 16, /* numbers in the stack frame that are looked at */
    HIERA_STEPS_CANDIDATES = HIERA_STEPS_REGISTERS + HIERA_STEPS_SLOTS
};

/* How a comparison of a number ends a loop: as the number crosses another one, or as it is equal to it (or has another
 * sign). */
typedef enum { HIERA_STEPS_NOT, HIERA_STEPS_EQUALS, HIERA_STEPS_CROSSES } HieraStepsEnd;

/* A register or a number in the stack frame, and how it changes in a loop. */
typedef struct HieraCandidate HieraCandidate;
struct HieraCandidate {
    HieraInduction is;
    guint n;               /* number of instructions that change it as wanted */
    gboolean is_spoiled;   /* it changes in other ways, too */
    HieraStepsEnd end;     /* how it ends the loop, tested in each iteration */
    HieraCandidate *bound; /* what it is compared with; NULL: a constant number */
};

/* What the flags tell: the last comparison. */
typedef struct {
    HieraCandidate *of, *bound;
    gboolean is_known; /* `bound` is right */
    gboolean has_carry;
    guint bytes;
} HieraStepsFlags;

typedef struct {
    const HieraFlow *flow;
    const HieraLoop *loop;
    gboolean *is_inside; /* by block */
    HieraCandidate all[HIERA_STEPS_CANDIDATES];
    guint n_slots;
    gboolean has_frame;     /* rbp is the begin of the stack frame, and stays that */
    gboolean stores;        /* the loop stores through pointers */
    HieraCandidate *loaded; /* of the instructions just before: what they loaded into a register, and added to that */
    int loaded_to;
    gint64 added;
    HieraCandidate *copied[HIERA_STEPS_REGISTERS]; /* by register: what it was loaded from in this block */
    HieraStepsFlags flags;                         /* of: NULL: no candidate is compared */
} HieraInductionSearch;

/* Whether an instruction changes registers that are none of its operands: it is taken to change all. */
gboolean hiera_steps_changes_others(const cs_insn *raw);

/* Note what the instruction decoded last changes. It is in a block of the loop.
 *
 * @param is_exiting  the loop may be left from the block, which is executed in each iteration */
void hiera_induction_look(HieraInductionSearch *steps, guint block, gboolean is_exiting);

/* Whether rbp is made the begin of the stack frame, and changes only where the function ends. */
gboolean hiera_induction_has_frame(const HieraFlow *flow);

/* Whether a number of less than 8 bytes goes around at most once, because the loop has ended by then. */
gboolean hiera_induction_ends(const HieraCandidate *candidate);

/* Call it after all instructions: a slot whose address, or that of something that may begin before it, is taken
 * somewhere, may be changed by a store through a pointer. */
void hiera_induction_spoil_slots(HieraInductionSearch *steps);
