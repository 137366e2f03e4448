/* Loops as compilers make them, from long ones to the shortest: counted or not, nested, with several ways in or out,
 * with calls. They are not static, because the functions to move are found by their names in the symbol table. */
#include "loop_table.h"

#include <math.h>

#define MOVED     __attribute__((noinline, visibility("default")))
#define AT(level) MOVED __attribute__((optimize(level)))

enum { WORDS = 1024 };
static uint64_t words[WORDS], keys[WORDS];
static double numbers[WORDS];
static volatile uint64_t seed = 5;

typedef struct Link {
    struct Link *next;
} Link;

/* Sines of 0 are known at once. */
__attribute__((constructor)) static void fill_numbers(void)
{
    for (int i = 0; i < WORDS; i++)
        numbers[i] = 0.01 * i;
}

/* A function that is called by a moved function but not moved itself. */
__attribute__((noinline)) static uint64_t step(uint64_t a)
{
    a ^= a << 13;
    a ^= a >> 7;
    return a ^ (a << 17);
}

#define LOOP(name)                                                                                                     \
    uint64_t bench_##name(uint64_t n);                                                                                 \
    MOVED uint64_t bench_##name(uint64_t n)
#define LOOP_AT(level, name)                                                                                           \
    uint64_t bench_##name(uint64_t n);                                                                                 \
    AT(level) uint64_t bench_##name(uint64_t n)

LOOP(no_loop)
{
    return n * 5 + seed;
}

LOOP(tight)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        sum = sum * 3 + (sum >> 5);
    return sum;
}

LOOP_AT("O0", tight_0)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += numbers[i & (WORDS - 1)];
    return (uint64_t)sum;
}

LOOP_AT("O0", nest_0)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < 50; j++)
            sum += numbers[(i + j) & (WORDS - 1)];
        sum *= 0.5;
    }
    return (uint64_t)sum;
}

LOOP_AT("O3", vector)
{
    uint64_t sum = 0;
    for (uint64_t j = 0; j < 50; j++)
        for (uint64_t i = 0; i < n; i++)
            words[i] += j * 3;
    return sum + words[n - 1];
}

LOOP_AT("O3", matrix)
{
    static double a[64][64], b[64][64], c[64][64];
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < n; k++)
            for (uint64_t j = 0; j < n; j++)
                c[i][j] += a[i][k] * b[k][j];
    return (uint64_t)c[n - 1][n - 1];
}

LOOP(nest)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < 20; j++)
            sum = sum * 3 + (sum >> 5);
    return sum;
}

LOOP(nest_long)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < 2000; j++)
            sum = sum * 3 + (sum >> 5);
    return sum;
}

LOOP(nest_of_4)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            for (uint64_t k = 0; k < n; k++)
                for (uint64_t l = 0; l < n; l++)
                    sum = sum * 3 + (sum >> 5) + l;
    return sum;
}

LOOP(triangle)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < i; j++)
            sum += numbers[j] * numbers[i];
    return (uint64_t)sum;
}

LOOP(irreducible)
{
    uint64_t sum = seed, i = 0;
    if (n & 1)
        goto middle;
    while (i < n) {
        sum = sum * 3 + 1;
        i++;
    middle:
        sum ^= sum >> 5;
        i++;
    }
    return sum;
}

LOOP(exits)
{
    uint64_t sum = 0;
    for (uint64_t turn = 0; turn < 20; turn++)
        for (uint64_t i = 0; i < n; i++) {
            if (keys[i] == 1)
                return i;
            if (keys[i] == 2 + turn)
                break;
            sum += i;
            if (sum == UINT64_MAX)
                break;
        }
    return sum;
}

LOOP(sines)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += sin(numbers[i]);
    return (uint64_t)sum;
}

LOOP(steps)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        sum = step(sum);
    return sum;
}

LOOP(chain)
{
    static Link links[WORDS];
    uint64_t sum = 0;
    for (uint64_t i = 0; i + 1 < n; i++)
        links[i].next = &links[i + 1];
    for (const Link *link = links; link; link = link->next)
        sum++;
    return sum;
}

LOOP(collatz)
{
    uint64_t sum = 0;
    for (uint64_t i = 1; i < n; i++)
        for (uint64_t a = i; a != 1; a = a % 2 ? 3 * a + 1 : a / 2)
            sum += a;
    return sum;
}

LOOP(down)
{
    uint64_t sum = seed;
    do
        sum += sum >> 3;
    while (--n > 0);
    return sum;
}

LOOP(choices)
{
    static uint64_t first;
    uint64_t sum = seed;
    for (uint64_t i = first += 12345, end = i + n; i < end; i++)
        switch ((i * 37 >> 3) % 7) {
        case 0:
            sum += 3;
            break;
        case 1:
            sum ^= 5;
            break;
        case 2:
            sum *= 3;
            break;
        case 3:
            sum -= i;
            break;
        case 4:
            sum >>= 1;
            break;
        case 5:
            sum |= i;
            break;
        default:
            sum++;
            break;
        }
    return sum;
}

LOOP(pointers)
{
    uint64_t sum = seed;
    for (int turn = 0; turn < 20; turn++)
        for (const double *at = numbers, *end = numbers + n; at < end; at += 2)
            sum += *at > 0;
    return sum;
}

/* Other numbers in each call: the processor would remember the branches that some need. */
LOOP(insertion)
{
    static uint64_t number = 1;
    for (uint64_t i = 0; i < n; i++)
        words[i] = (number = number * 6364136223846793005 + 1442695040888963407) >> 33;
    for (uint64_t i = 1; i < n; i++) {
        uint64_t word = words[i], j = i;
        for (; j > 0 && words[j - 1] > word; j--)
            words[j] = words[j - 1];
        words[j] = word;
    }
    return words[0];
}

/* Long numbers: the carry is in use where the inner loop begins. */
LOOP(carry)
{
    static const uint64_t digits[WORDS] = {7};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t *at = &digits[i];
        uint64_t left = 16;
        __asm__ volatile("clc\n1: adcq (%0), %1\n lea 8(%0), %0\n decq %2\n jne 1b\n adcq $0, %1"
                         : "+r"(at), "+r"(sum), "+r"(left)
                         :
                         : "cc", "memory");
    }
    return sum;
}

LOOP(two)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        sum = sum * 3 + (sum >> 5);
    for (uint64_t i = 0; i < n; i++)
        sum = sum * 5 + (sum >> 7);
    return sum;
}

#define ROW(name, what, n, is_long, events)                                                                            \
    {                                                                                                                  \
        "bench_" #name, what, bench_##name, n, is_long, events                                                         \
    }

const BenchLoop bench_loops[] = {ROW(no_loop, "no loop", 1, 0, 2),
                                 ROW(tight, "loop of 10 iterations", 10, 0, 4),
                                 ROW(tight, "loop of 10000", 10000, 1, 0),
                                 ROW(tight_0, "loop of 10000, -O0", 10000, 1, 0),
                                 ROW(nest_0, "1000 loops of 50, -O0", 1000, 0, 0),
                                 ROW(vector, "50 vectorised loops of 1021", 1021, 0, 0),
                                 ROW(matrix, "matrices of 64, -O3", 64, 0, 0),
                                 ROW(nest, "100 loops of 20", 100, 0, 0),
                                 ROW(nest_long, "10 loops of 2000", 10, 1, 0),
                                 ROW(nest_of_4, "nest of 4, 10 each", 10, 0, 0),
                                 ROW(triangle, "triangle of 100", 100, 0, 0),
                                 ROW(irreducible, "irreducible loop of 10000", 10001, 1, 0),
                                 ROW(exits, "20 loops of 500, 4 exits", 500, 0, 0),
                                 ROW(sines, "loop of 1000 sines", 1000, 1, 0),
                                 ROW(steps, "loop of 1000 short calls", 1000, 1, 0),
                                 ROW(chain, "list of 1000", 1000, 1, 0),
                                 ROW(collatz, "50 loops of Collatz", 50, 0, 0),
                                 ROW(down, "do-while down from 10000", 10000, 1, 0),
                                 ROW(choices, "switch in a loop of 1000", 1000, 1, 0),
                                 ROW(pointers, "20 loops by pointer, of 500", 1000, 0, 0),
                                 ROW(insertion, "insertion sort of 100", 100, 0, 0),
                                 ROW(carry, "100 long numbers of 16 words", 100, 0, 0),
                                 ROW(two, "two loops of 1000", 1000, 1, 0)};

const int bench_n_loops = sizeof bench_loops / sizeof bench_loops[0];
