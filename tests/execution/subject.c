/* Programs whose result is compared: `subject CASE [NUMBER]` exits with it, modulo 251. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 5000, SIDE = 40 };

static int numbers[MANY];
static double matrix[SIDE][SIDE];
static const char words[] = "hiera";
static long table[] = {3, 1, 4, 1, 5, 9, 2, 6};
static long *pointers[] = {&table[2], &table[5]};

__attribute__((noinline)) static long sum_to(long n)
{
    long sum = 0;
    for (long i = 1; i <= n; i++)
        sum += i;
    return sum;
}

__attribute__((noinline)) static long triangle(long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++)
        for (long k = 0; k <= i; k++)
            sum += 2;
    return sum;
}

__attribute__((noinline)) static long factorial(long n)
{
    return n < 2 ? 1 : n * factorial(n - 1) % 1000003;
}

__attribute__((noinline)) static long twice(long n)
{
    return 2 * n;
}

__attribute__((noinline)) static long thrice(long n)
{
    return 3 * n;
}

static long (*const functions[])(long) = {twice, thrice, sum_to};

__attribute__((noinline)) static long choose(long n)
{
    switch (n) {
    case 0:
        return 17;
    case 1:
        return 29;
    case 2:
        return 31;
    case 3:
        return 5;
    case 4:
        return 99;
    case 5:
        return 7;
    default:
        return 1;
    }
}

/* Widths, signs, shifts, quotients. */
__attribute__((noinline)) static long bits(long n)
{
    int8_t small = (int8_t)(n * 37);
    uint8_t byte = (uint8_t)(n * 91);
    int16_t half = (int16_t)(n * 12345);
    uint32_t word = (uint32_t)n * 2654435761u;
    int32_t minus = (int32_t)-n * 1000003;
    uint64_t big = (uint64_t)n * 11400714819323198485u;
    long sum = small + byte + half + (long)(word >> 7) + (minus >> 3) + (long)(big >> 40);
    sum += minus / 7 + minus % 7 + (long)(word / 10) + (long)(word % 10) + (long)(big / 1000 % 1000);
    sum ^= n << 5;
    sum &= ~(n & 3);
    return sum < 0 ? -sum : sum;
}

__attribute__((noinline)) static long fill(long n)
{
    for (long i = 0; i < n; i++)
        numbers[i] = (int)(3 * i + 1);
    long sum = 0;
    for (long i = 0; i < n; i += 7)
        sum += numbers[i] % 5 == 0 ? 1 : 2;
    return sum;
}

/* The way depends on data. */
__attribute__((noinline)) static long collatz(long n)
{
    long steps = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    }
    return steps;
}

__attribute__((noinline)) static long floats(long n)
{
    double x = 1, h = 1.0 / (double)(n + 1), sum = 0;
    float f = 0;
    for (int i = 0; i < 20; i++) {
        x = x * 0.75 + (double)i * h;
        sum += sqrt(x) - fabs(x - 2);
        f += 0.5f * (float)i;
    }
    return (long)(1000 * sum + 50000) + (long)f;
}

/* A counter that is a double. */
__attribute__((noinline)) static long count_floats(long n)
{
    long count = 0;
    for (double x = 0; x < (double)n; x += 0.25)
        count++;
    return count;
}

__attribute__((noinline)) static long memory(long n)
{
    long *heap = calloc((size_t)n + 1, sizeof *heap), sum = 0;
    char text[32];
    memset(text, 'x', sizeof text);
    memcpy(text, words, sizeof words);
    for (long i = 0; i < n; i++)
        heap[i] += table[i % 8] + (i % 3 == 0 ? *pointers[0] : *pointers[1]);
    for (long i = 0; i < n; i++)
        sum += heap[i];
    free(heap);
    return sum + (long)strlen(text) + (strcmp(text, "hierb") < 0 ? 5 : 0);
}

__attribute__((noinline)) static long product(long n)
{
    long count = 0;
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < n; j++)
                count++;
    return count;
}

__attribute__((noinline)) static long fill_matrix(long n)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            matrix[i][k] = (double)(i - k) * (double)n;
    return (long)matrix[3][1] + (long)matrix[39][0];
}

/* Left early, by a comparison of two things that change. */
__attribute__((noinline)) static long meet(long n)
{
    long low = 0, high = n;
    while (low < high) {
        low += 2;
        high -= 3;
        if (low == 1000)
            break;
    }
    return low * 3 + high;
}

__attribute__((noinline)) static long unsigned_down(unsigned long n)
{
    long count = 0;
    for (unsigned long i = n; i-- > 0;)
        count += 3;
    return count;
}

static int ints[4096];

/* Neighbours share a register when this is vectorised; one of them becomes negative first. */
__attribute__((noinline)) static long falling(int n)
{
    for (int i = 0; i < n; i++)
        ints[i] = n / 2 + 3 - i;
    long result = 0;
    for (int i = n / 2 - 2; i < n / 2 + 12; i++)
        result += 3L * ints[i] + 1000 + i;
    return result;
}

/* Sums that are too large for their lanes. */
__attribute__((noinline)) static long wrapping(unsigned n)
{
    unsigned sum = 0, product = 1;
    for (unsigned i = 0; i < n; i++) {
        sum += i * 1000003;
        product += 0x10000001;
    }
    return (long)(sum >> 3) + (long)(product >> 5);
}

/* Compilers compare without a jump, and round so. */
__attribute__((noinline)) static long rounding(long n)
{
    double least = 1e9, sum = 0;
    for (long i = 0; i < n; i++) {
        double number = (double)((i * 37) % 100 - 50) / 7;
        sum += floor(number) + 2 * ceil(number);
        least = number < least ? number : least;
        sum += number > 1.5 ? number : 0.25;
    }
    return 5000 + (long)(sum + least * 10);
}

typedef struct {
    long numbers[40];
    char text[80];
} Record;

/* Large structures are cleared and copied by one instruction. */
__attribute__((noinline)) static long records(Record *to, const Record *from, long n)
{
    Record copy = *from;
    *to = (Record){0};
    copy.numbers[n % 40] += 3;
    to[1] = copy;
    return to[1].numbers[n % 40] + to->numbers[7] + to->text[9] + copy.text[4] + to[1].numbers[39];
}

static volatile long few[] = {1, 2, 3, 4, 5, 6};

__attribute__((noinline)) static long eight(long a, long b, long c, long d, long e, long f, long g, long h)
{
    for (long i = 0; i < h; i++)
        a += g + i;
    return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h;
}

/* Its last call becomes a jump, with arguments in the place of its own; so that its caller finds its stack again. */
__attribute__((noinline)) static long tail(long a, long b, long c, long d, long e, long f, long g, long h)
{
    return a > 5 ? eight(b, a, d, c, f, e, h + 2, g) : eight(a, b, c, d, e, f, g + 1, h + 2);
}

/* Loops of few iterations, many times; what they store is no polynomial. Nobody foresees the end of those around them:
 * they go through all numbers below a prime, of which it is a primitive root. */
enum { LONG = 48, SHORT = 16, FEW = 127, ROOT_OF_FEW = 3, PRIME = 1009, ROOT = 11 };
static long cells[SHORT][LONG];

__attribute__((noinline)) static long short_loops(long n)
{
    long count = 0, at = 1;
    do {
        for (int j = 0; j < SHORT; j++) {
            for (int i = 0; i < LONG; i++)
                cells[j][i] = cells[j][i] * 3 + at * i;
            count += n + j;
        }
        at = at * ROOT_OF_FEW % FEW;
    } while (at != 1);
    return count;
}

__attribute__((noipa)) static long sometimes(long number)
{
    return number >> 3;
}

/* Short loops with a decision that nobody knows. */
__attribute__((noinline)) static long undecided(long n)
{
    long number = getpid(), result = 0, at = 1;
    do {
        for (long j = 0; j < n; j++) {
            number = number * 1103515245 + 12345;
            if (number & 64)
                result += sometimes(number);
        }
        at = at * ROOT % PRIME;
    } while (at != 1);
    return result;
}

/* What is calculated from anything is known all the same. */
__attribute__((noinline)) static long constants(long n)
{
    long ones = getpid(), zero = ones;
    int half = (int)ones;
#ifdef __x86_64__
    __asm__("orq $-1, %0; andq $0, %1; orl $-1, %2" : "+r"(ones), "+r"(zero), "+r"(half));
#else
    ones = half = -1;
    zero = 0;
#endif
    return n + 5 * ones + 7 * zero + 11 * half;
}

typedef struct Element {
    struct Element *next;
    long number;
} Element;

/* A list whose elements are as far apart as they were made, and that goes back to the first one, or on to the last. */
__attribute__((noinline)) static long list(long n, int forward)
{
    Element *first = NULL, **last = &first;
    long length = 0, result = 0;
    for (long i = 0; i < n; i++) {
        Element *element = malloc(sizeof *element);
        element->number = i;
        element->next = forward ? NULL : first;
        *(forward ? last : &first) = element;
        last = &element->next;
    }
    for (const Element *element = first; element; element = element->next)
        length++;
    for (const Element *element = first; element; element = element->next)
        result += element->number * (length - 3);
    return result + length;
}

__attribute__((noipa)) static long often(long number)
{
    return number >> 3;
}

/* In some iterations in a row it is done more often by one each time, and in all 3.5 times. */
__attribute__((noinline)) static long sawtooth(long n)
{
    long result = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < 8; j++)
            if (j < (i & 7))
                result += often(j);
    return result;
}

/* A text that is not known fills its own place, not those behind it. */
__attribute__((noipa)) static long print_unknown(long n, char *to)
{
    return sprintf(to, "%04d:%02d-%d %.3s", (int)getpid() % 10, (int)n, (int)getppid() % 10, "abcdef");
}

__attribute__((noinline)) static long beside_text(long n)
{
    struct {
        char text[24];
        long behind[40];
    } place;
    long result = 0;
    for (long i = 0; i < 40; i++)
        place.behind[i] = i * n;
    print_unknown(n % 90, place.text);
    for (long i = 0; i < 40; i++)
        result += place.behind[i];
    return result;
}

int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? strtol(argv[2], NULL, 10) : 10, result = 0;
    switch (number) {
    case 0:
        result = sum_to(n);
        break;
    case 1:
        result = triangle(n);
        break;
    case 2:
        result = factorial(n);
        break;
    case 3:
        result = functions[n % 3](n);
        break;
    case 4:
        result = choose(n % 7);
        break;
    case 5:
        result = bits(n);
        break;
    case 6:
        result = fill(n % MANY);
        break;
    case 7:
        result = collatz(n);
        break;
    case 8:
        result = floats(n);
        break;
    case 9:
        result = count_floats(n);
        break;
    case 10:
        result = memory(n % 1000);
        break;
    case 11:
        result = product(n);
        break;
    case 12:
        result = meet(n);
        break;
    case 13:
        result = unsigned_down((unsigned long)n);
        break;
    case 14:
        result = fill_matrix(n);
        break;
    case 15:
        result = falling((int)n);
        break;
    case 20:
        result = short_loops(n);
        break;
    case 21:
        result = undecided(n);
        break;
    case 22:
        result = constants(n);
        break;
    case 23:
        result = list(n, 0);
        break;
    case 24:
        result = list(n, 1);
        break;
    case 25:
        result = sawtooth(n);
        break;
    case 26:
        result = beside_text(n);
        break;
    case 19: {
        static Record from, to[2];
        for (int i = 0; i < 40; i++)
            from.numbers[i] = i * n;
        to->numbers[7] = n;
        from.text[4] = (char)(n % 7);
        result = records(to, &from, n);
        break;
    }
    case 18:
        result = rounding(n % 100);
        break;
    case 17:
        result = tail(n, few[0], few[1], few[2], few[3], few[4], n + few[0], n + few[1]);
        result += 3 * tail(n + 1, few[0], few[1], few[2], few[3], few[4], few[5], n);
        break;
    case 16:
        result = wrapping((unsigned)n);
        break;
    default:
        break;
    }
    return (int)(result % 251);
}
