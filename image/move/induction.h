/* Loops whose iterations need not be counted one by one: a register, or a number in the stack frame, changes by the
 * same step in each. What it is at the begin and at the end tells how often. */
#pragma once

#include "steps.h"

/* Find such numbers, by loop of a function, and what spare.h finds. @return  to be freed with g_free */
HieraInduction *hiera_inductions_of(const HieraFlow *flow);

/* Whether the change of an iteration has happened when the loop is left from a block. */
gboolean hiera_induction_has_changed(const HieraFlow *flow, const HieraInduction *induction, guint from);
