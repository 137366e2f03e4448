/* How the numbers of a loop (`times` of hieraLoop) are written: shared by the collector, which writes them, and the
 * analyser.
 *
 * Each place of a body has a guess of its next number, and a width: how far numbers usually are from the guess. A
 * number is written as its difference from the guess, in few bits if it is small: a 0 and `width` bits; else as many
 * ones as the rest (what does not fit into these bits) has binary digits, a 0, these digits without the first, and
 * `width` bits. Guess and width follow the numbers: both sides do the same, so neither is written. Thirteen bits, the
 * first as the highest, are two of 91 characters, which need no escape in an attribute. */
#ifndef HIERA_LOOP_TIMES_H
#define HIERA_LOOP_TIMES_H

#include <stdint.h>

enum {
    HIERA_LOOP_GROUP_BITS = 13, /* bits of a group, */
    HIERA_LOOP_DIGITS = 91,     /* which is two digits to this base */
    HIERA_LOOP_WIDTH_UNIT = 8,  /* of HieraLoopGuess.width */
    HIERA_LOOP_WIDTH_MAX = 63,  /* bits */
    HIERA_LOOP_FIRST_WIDTH = 10 /* bits, before anything is known */
};

typedef struct HieraLoopGuess {
    int64_t value;
    uint16_t width;  /* in eighths of a bit, */
    uint16_t is_met; /* once there was a number */
} HieraLoopGuess;

/* The character of a digit: the printable ones of ASCII but `"`, `&` and `<`. */
static inline char hiera_loop_character(unsigned digit)
{
    static const char characters[] =
        "!#$%'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    return characters[digit];
}

/* The digit of a character; -1 if it is none. */
static inline int hiera_loop_digit(char character)
{
    int c = (unsigned char)character;
    if (c < '!' || c > '~' || c == '"' || c == '&' || c == '<')
        return -1;
    return c - '!' - (c > '"') - (c > '&') - (c > '<');
}

static inline unsigned hiera_loop_width(const HieraLoopGuess *guess)
{
    return guess->is_met ? guess->width / HIERA_LOOP_WIDTH_UNIT : HIERA_LOOP_FIRST_WIDTH;
}

/* The difference of a number from the guess, as one without a sign: 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4, … */
static inline uint64_t hiera_loop_difference(const HieraLoopGuess *guess, int64_t number)
{
    uint64_t difference = (uint64_t)number - (uint64_t)guess->value;
    return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static inline int64_t hiera_loop_number(const HieraLoopGuess *guess, uint64_t difference)
{
    return (int64_t)((uint64_t)guess->value + (difference >> 1 ^ (difference & 1 ? UINT64_MAX : 0)));
}

/* Binary digits of a number that is not 0. */
static inline unsigned hiera_loop_digits(uint64_t number)
{
    return 64u - (unsigned)__builtin_clzll(number);
}

/* The guess becomes the first number, and then a running median. The width falls by an eighth after a difference of
 * less than half of its range, and rises by two after one beyond it. */
static inline void hiera_loop_follow(HieraLoopGuess *guess, int64_t number)
{
    unsigned width = hiera_loop_width(guess);
    uint64_t difference = hiera_loop_difference(guess, number), rest = difference >> width;
    if (!guess->is_met) {
        unsigned digits = number > 0 ? hiera_loop_digits((uint64_t)number) : 0;
        guess->value = number;
        guess->width = (uint16_t)((digits > 3 ? digits - 3 : 0) * HIERA_LOOP_WIDTH_UNIT);
        guess->is_met = 1;
        return;
    }
    if (rest > 0)
        guess->width = (uint16_t)(guess->width + (width < HIERA_LOOP_WIDTH_MAX ? 2 : 0));
    else if (guess->width > 0 && (width == 0 || difference >> (width - 1) == 0))
        guess->width--;
    uint64_t step = width > 4 ? UINT64_C(1) << (width - 4) : 1;
    if (difference >> 1 <= step)
        guess->value = number;
    else
        guess->value = (int64_t)(difference & 1 ? (uint64_t)guess->value - step : (uint64_t)guess->value + step);
}

#endif
