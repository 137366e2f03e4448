/* The encoding of the numbers of a loop (`times` of hieraLoop), shared by the collector, which writes them, and the
 * analyser.
 *
 * Each place of a body has a guess of its next number, and a width: the usual distance of numbers from the guess. A
 * number is written as its difference from the guess. A small difference is a 0 and `width` bits; a larger one is as
 * many ones as the rest (the part that does not fit into `width` bits) has binary digits, a 0, these digits without the
 * first one, and `width` bits. Both sides update guess and width from the numbers in the same way, so neither is
 * written. Thirteen bits, the first one as the highest, are two of 91 characters that need no escape in an attribute.
 */
#ifndef HIERA_LOOP_TIMES_H
#define HIERA_LOOP_TIMES_H

#include <stdint.h>

enum {
    HIERA_LOOP_GROUP_BITS = 13, /* number of bits that two characters encode */
    HIERA_LOOP_DIGITS = 91,     /* number of different characters */
    HIERA_LOOP_WIDTH_UNIT = 8,  /* unit of HieraLoopGuess.width: an eighth of a bit */
    HIERA_LOOP_WIDTH_MAX = 63,  /* largest width of a difference, in bits */
    HIERA_LOOP_FIRST_WIDTH = 10 /* width of the first number's code, in bits */
};

typedef struct HieraLoopGuess {
    int64_t value;
    uint16_t width;  /* usual width of a difference, in eighths of a bit */
    uint16_t is_met; /* 1 once a first number has set `value` */
} HieraLoopGuess;

/* Return the character for a digit. All printable ASCII characters are used except `"`, `&` and `<`. */
static inline char hiera_loop_character(unsigned digit)
{
    static const char characters[] =
        "!#$%'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    return characters[digit];
}

/* Return the digit that a character stands for; -1: none. */
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

/* The difference between a number and the guess, mapped to an unsigned number: 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4,
 * … */
static inline uint64_t hiera_loop_difference(const HieraLoopGuess *guess, int64_t number)
{
    uint64_t difference = (uint64_t)number - (uint64_t)guess->value;
    return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static inline int64_t hiera_loop_number(const HieraLoopGuess *guess, uint64_t difference)
{
    return (int64_t)((uint64_t)guess->value + (difference >> 1 ^ (difference & 1 ? UINT64_MAX : 0)));
}

/* Return the number of binary digits of `number`, which must not be 0. */
static inline unsigned hiera_loop_digits(uint64_t number)
{
    return 64u - (unsigned)__builtin_clzll(number);
}

/* Update the guess: the first number, and then a running median. The width falls by an eighth of a bit after a
 * difference of less than half of its range, and rises by two eighths after one beyond its range. */
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
