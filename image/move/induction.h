/* Loops whose iterations need not be counted one by one: a register, or a number in the stack frame, changes by the
 * same step in each. What it is at the begin and at the end tells how often. */
#pragma once

#include "dtd/plan.h"
#include "image/flow/flow.h"

/* The number of a loop that changes in each iteration. */
typedef struct {
    gboolean is_found;   /* there is one, and the loop calls nothing */
    gboolean is_crossed; /* jumps by a table enter or leave the loop: it is not certain where it begins and ends */
    guint8 reg;          /* number of its register; HIERA_INDUCTION_STACK: it is in the stack frame */
    guint8 bytes;        /* 4 or 8 */
    guint8 base;         /* number of the register, rsp or rbp, from which its address counts */
    guint8 slot;         /* where it is kept at the begin: the index of HIERA_PLAN_START */
    gint32 displacement;
    gint32 step;
    guint block; /* block of the change */
} HieraInduction;

enum { HIERA_INDUCTION_STACK = 16 };

/* Find such numbers, by loop of a function. @return  to be freed with g_free */
HieraInduction *hiera_inductions_of(const HieraFlow *flow);

/* Whether the change of an iteration has happened when the loop is left from a block. */
gboolean hiera_induction_has_changed(const HieraFlow *flow, const HieraInduction *induction, guint from);
