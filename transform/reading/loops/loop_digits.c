#include "loop_digits.h"

/* Read the next group of bits, which is written as two digits. */
static void read_group(HieraLoopDigits *digits)
{
    int high = digits->end - digits->at >= 2 ? hiera_loop_digit(digits->at[0]) : -1;
    int low = high >= 0 ? hiera_loop_digit(digits->at[1]) : -1;
    int group = low >= 0 ? high * HIERA_LOOP_DIGITS + low : -1;
    if (group < 0 || group >= 1 << HIERA_LOOP_GROUP_BITS) {
        digits->broken = TRUE;
        group = 0;
    }
    digits->at += digits->broken ? 0 : 2;
    digits->bits = digits->bits << HIERA_LOOP_GROUP_BITS | (guint)group;
    digits->n_bits += HIERA_LOOP_GROUP_BITS;
}

/* Return the next n bits, at most 32. */
static guint64 read_few(HieraLoopDigits *digits, guint n)
{
    while (digits->n_bits < n && !digits->broken)
        read_group(digits);
    if (digits->broken)
        return 0;
    digits->n_bits -= n;
    return digits->bits >> digits->n_bits & ((G_GUINT64_CONSTANT(1) << n) - 1);
}

static guint64 read_bits(HieraLoopDigits *digits, guint n)
{
    guint64 high = n > 32 ? read_few(digits, n - 32) : 0;
    return high << 32 | read_few(digits, MIN(n, 32));
}

gint64 hiera_loop_digits_read(HieraLoopDigits *digits, HieraLoopGuess *guess)
{
    guint width = hiera_loop_width(guess), ones = 0;
    while (!digits->broken && read_few(digits, 1) == 1)
        digits->broken |= ++ones + width > 64;
    guint64 rest = ones == 0 ? 0 : ones == 1 ? 1 : G_GUINT64_CONSTANT(1) << (ones - 1) | read_bits(digits, ones - 1);
    guint64 difference = (width < 64 ? rest << width : 0) | read_bits(digits, width);
    gint64 number = hiera_loop_number(guess, difference);
    if (!digits->broken)
        hiera_loop_follow(guess, number);
    return number;
}

gboolean hiera_loop_digits_done(const HieraLoopDigits *digits)
{
    return digits->at == digits->end;
}
