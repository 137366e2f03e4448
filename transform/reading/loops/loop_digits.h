/* Decodes the numbers in `times` of a loop (dtd/loop_times.h). */
#pragma once

#include "dtd/loop_times.h"

#include <glib.h>

typedef struct {
    const char *at, *end;
    guint64 bits; /* bits that have been read and not used */
    guint n_bits;
    gboolean broken; /* a character is no digit, or the digits ended too early */
} HieraLoopDigits;

/* Return the next number; undefined if digits->broken. */
gint64 hiera_loop_digits_read(HieraLoopDigits *digits, HieraLoopGuess *guess);
/* Return TRUE if everything has been read, except padding bits of the last group. */
gboolean hiera_loop_digits_done(const HieraLoopDigits *digits);
