/* What steps of one kind do, by files; execute.c has the table of them. */
#pragma once

#include "state.h"

/* Set all flags: those of a and b, unknown if one of these is; those of a result or a logical operation. */
void hiera_set_flags(HieraProcessState *state, HieraFlagsKind kind, guint8 width, HieraKnown a, HieraKnown b);
void hiera_set_flags_of(HieraProcessState *state, guint8 width, HieraKnown result);
/* Set some flags, all to the same value, or make them unknown. */
void hiera_give_if(HieraFlags *flags, gboolean known, guint8 which, gboolean set);
void hiera_forget_flags(HieraProcessState *state);

/* integers.c */
void hiera_step_calculate(HieraProcessState *state, const HieraStep *step);
void hiera_step_carry(HieraProcessState *state, const HieraStep *step);
void hiera_step_exchange(HieraProcessState *state, const HieraStep *step);
void hiera_step_exchange_if_same(HieraProcessState *state, const HieraStep *step);
void hiera_step_set_carry(HieraProcessState *state, const HieraStep *step);
void hiera_step_multiply_wide(HieraProcessState *state, const HieraStep *step);
void hiera_step_multiply_into_two(HieraProcessState *state, const HieraStep *step);
void hiera_step_divide(HieraProcessState *state, const HieraStep *step);
void hiera_step_negate(HieraProcessState *state, const HieraStep *step);
void hiera_step_multiply(HieraProcessState *state, const HieraStep *step);
void hiera_step_spread_sign(HieraProcessState *state, const HieraStep *step);
/* bits.c */
void hiera_step_shift(HieraProcessState *state, const HieraStep *step);
void hiera_step_rotate(HieraProcessState *state, const HieraStep *step);
void hiera_step_shift_in(HieraProcessState *state, const HieraStep *step);
void hiera_step_bits(HieraProcessState *state, const HieraStep *step);
/* floats.c */
void hiera_step_float(HieraProcessState *state, const HieraStep *step);
void hiera_step_float_mask(HieraProcessState *state, const HieraStep *step);
void hiera_step_float_move(HieraProcessState *state, const HieraStep *step);
void hiera_step_to_floats(HieraProcessState *state, const HieraStep *step);
