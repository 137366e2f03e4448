/* The numbers in `times` of a loop (dtd/loop_times.h). */
#ifndef HIERA_LOOP_DIGITS_H
#define HIERA_LOOP_DIGITS_H

#include "dtd/loop_times.h"

#include <glib.h>

typedef struct {
    const char *at, *end;
    guint64 bits; /* that have been read and not used */
    guint n_bits;
    gboolean broken; /* a character is no digit, or the digits ended too early */
} HieraLoopDigits;

/* Read the next number; anything if digits->broken. */
gint64 hiera_loop_digits_read(HieraLoopDigits *digits, HieraLoopGuess *guess);
/* Return TRUE if all has been read, but for the bits that fill the last group. */
gboolean hiera_loop_digits_done(const HieraLoopDigits *digits);

#endif
