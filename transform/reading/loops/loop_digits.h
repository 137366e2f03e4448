/* Decodes the numbers in attribute `times` of a hieraLoop (dtd/loop_times.h). */
#pragma once

#include "dtd/loop_times.h"

#include <glib.h>

typedef struct {
    const char *at, *end;
    guint64 bits; /* the last `n_bits` bits, read but not yet used */
    guint n_bits;
    gboolean broken; /* whether a character was no digit, or the digits ended too early */
} HieraLoopDigits;

/* Return the next number, decoded with a predictor, which is updated; undefined if digits->broken. */
gint64 hiera_loop_digits_read(HieraLoopDigits *digits, HieraLoopGuess *guess);
/* Whether everything has been read, except padding bits of the last group. */
gboolean hiera_loop_digits_done(const HieraLoopDigits *digits);
