/* Functions that are moved: each answers a number that depends on all that it does. Compiled with several levels of
 * optimisation. */
#include "move_subject.h"

#include <immintrin.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

static volatile uint64_t seed = 88172645463325252u;

static uint64_t mix(uint64_t a)
{
    a ^= a << 13;
    a ^= a >> 7;
    return a ^ (a << 17);
}

uint64_t subject_nested(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < i % 7; j++)
            sum = mix(sum + j);
        for (uint64_t j = 0; j < 3; j++) {
            uint64_t k = j;
            while (k++ < 5)
                sum += sum >> k;
        }
    }
    for (uint64_t i = 0; i < n; i++)
        sum = mix(sum ^ i);
    return sum;
}

uint64_t subject_early(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++) {
        sum = mix(sum);
        if (sum % 13 == 5)
            continue;
        if (sum % 1009 == 7)
            return sum + i;
        for (uint64_t j = 0; j < n; j++) {
            sum += j;
            if (sum % 17 == 3)
                goto out;
        }
    }
out:
    return mix(sum);
}

/* A table of jumps, in a loop. */
uint64_t subject_switch(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++) {
        switch (sum % 9) {
        case 0:
            sum = mix(sum + 1);
            break;
        case 1:
            sum += i * 3;
            continue;
        case 2:
            sum ^= sum >> 5;
            break;
        case 3:
            sum -= 77;
            break;
        case 4:
            sum = sum * 5 + 1;
            break;
        case 5:
            if (i + 3 > n)
                return sum;
            sum += 9;
            break;
        case 6:
            sum = ~sum;
            break;
        default:
            sum = mix(sum);
        }
        sum = mix(sum);
    }
    return sum;
}

/* A table of jumps to places that are closer to each other than a jump is long, as clang makes it of a case that only
 * falls into the next one. It has an address in the middle of an instruction of its own, as compilers make of an array
 * that is elsewhere and the least index. */
__asm__(".text\n"
        ".globl subject_close\n"
        ".type subject_close, @function\n"
        "subject_close:\n"
        ".cfi_startproc\n"
        "    leaq .Lclose_loop + 1(%rip), %r8\n"
        "    movzbl (%r8), %eax\n"
        "    leaq .Lclose_table(%rip), %r8\n"
        ".Lclose_loop:\n"
        "    testq %rdi, %rdi\n"
        "    je .Lclose_end\n"
        "    movl %edi, %edx\n"
        "    andl $7, %edx\n"
        "    cmpl $2, %edx\n"
        "    ja .Lclose_2\n"
        "    movslq (%r8,%rdx,4), %rcx\n"
        "    addq %r8, %rcx\n"
        "    jmp *%rcx\n"
        ".Lclose_0:\n"
        "    leaq 7(%rax), %rax\n"
        ".Lclose_1:\n"
        "    leaq (%rax,%rax,2), %rax\n"
        ".Lclose_2:\n"
        "    xorq %rdi, %rax\n"
        "    rolq $5, %rax\n"
        "    decq %rdi\n"
        "    jmp .Lclose_loop\n"
        ".Lclose_end:\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size subject_close, . - subject_close\n"
        ".section .rodata\n"
        ".p2align 2\n"
        ".Lclose_table:\n"
        "    .long .Lclose_0 - .Lclose_table, .Lclose_1 - .Lclose_table, .Lclose_2 - .Lclose_table\n"
        ".text\n");

/* Its calls of itself are calls at all levels of optimisation. */
__attribute__((noinline, noclone, optimize("no-inline", "no-optimize-sibling-calls"))) uint64_t
subject_recursive(uint64_t n)
{
    uint64_t sum = n;
    if (n < 2)
        return mix(n + 5);
    for (uint64_t i = 0; i < 3; i++)
        sum += subject_recursive(n - 1 - i % 2) ^ i;
    return sum;
}

double subject_floats(uint64_t n)
{
    double sum = 0.25, field[16];
    for (uint64_t i = 0; i < 16; i++)
        field[i] = (double)i * 0.5;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < 16; j++)
            sum += field[j] * (double)i - sum * 0.001;
        sum += sin(sum) + sqrt(fabs(sum));
    }
    return sum;
}

uint64_t subject_varargs(uint64_t n, ...)
{
    va_list arguments;
    uint64_t sum = 0;
    va_start(arguments, n);
    for (uint64_t i = 0; i < n; i++)
        sum = mix(sum + (uint64_t)(va_arg(arguments, double) * 1000));
    va_end(arguments);
    return sum;
}

static uint64_t (*volatile elsewhere)(uint64_t) = subject_nested;

/* Ends in the call of a pointer. */
uint64_t subject_tail(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        sum = mix(sum);
    if (sum == 1)
        return subject_early(n);
    return elsewhere(n / 2);
}

static jmp_buf back;

static void leave(uint64_t i)
{
    if (i % 25 == 24) /* so late that no compiler unrolls the loop */
        longjmp(back, 1);
}

/* Left by longjmp from inside a loop and of its callee. */
uint64_t subject_thrower(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        leave(i);
        sum = mix(sum + i);
    }
    return sum;
}

uint64_t subject_jumps(uint64_t n)
{
    volatile uint64_t sum = 1;
    volatile uint64_t i = 0;
    for (; i < n; i++) {
        if (setjmp(back) == 0)
            sum += subject_thrower(i);
        sum = mix(sum);
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Called back from a library. */
uint64_t subject_sort(uint64_t n)
{
    uint64_t numbers[64], sum = seed;
    for (uint64_t i = 0; i < 64; i++)
        numbers[i] = sum = mix(sum + n);
    qsort(numbers, 64, sizeof numbers[0], compare);
    for (uint64_t i = 0; i < 64; i++)
        sum = mix(sum + numbers[i] * i);
    return sum;
}

/* Strings: instructions with prefixes that repeat, and a large frame. */
uint64_t subject_bytes(uint64_t n)
{
    char from[3000], to[3000];
    uint64_t sum = n;
    memset(from, (int)n, sizeof from);
    for (uint64_t i = 0; i < n % 50 + 2; i++) {
        from[i * 3] = (char)i;
        memcpy(to, from, sizeof to);
        for (unsigned j = 0; j < sizeof to; j += 100)
            sum = mix(sum + (unsigned char)to[j]);
    }
    return sum;
}

static _Unwind_Reason_Code count_frame(struct _Unwind_Context *context, void *count)
{
    (void)context;
    ++*(uint64_t *)count;
    return _URC_NO_REASON;
}

static __attribute__((noinline, noclone)) uint64_t count_frames(uint64_t i, const char *bytes)
{
    uint64_t count = 0;
    _Unwind_Backtrace(count_frame, &count);
    return count + (i > 100 && bytes[i]);
}

uint64_t subject_unwound(uint64_t n)
{
    char bytes[500];
    uint64_t most = 0;
    memset(bytes, 1, sizeof bytes);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t count = count_frames(i, bytes);
        most = count > most ? count : most;
    }
    return most;
}

static void clean(uint64_t **sum)
{
    **sum = mix(**sum + 1);
}

void subject_exit(uint64_t *sum, uint64_t n)
{
    __attribute__((cleanup(clean))) uint64_t *outer = sum;
    for (uint64_t i = 0;; i++) {
        __attribute__((cleanup(clean))) uint64_t *inner = sum;
        *sum = mix(*sum + i);
        if (i == n)
            pthread_exit(outer == inner ? NULL : inner);
    }
}

void subject_cancelled(uint64_t *sum, uint64_t n)
{
    __attribute__((cleanup(clean))) uint64_t *ended = sum;
    subject_nested(n);
}

#define LOOP(k)                                                                                                        \
    for (uint64_t j = 0; j < (i + (k)) % 50; j++)                                                                      \
        sum = mix(sum + j * (k));
#define LOOPS_4(k)  LOOP(k) LOOP((k) + 1) LOOP((k) + 2) LOOP((k) + 3)
#define LOOPS_16(k) LOOPS_4(k) LOOPS_4((k) + 4) LOOPS_4((k) + 8) LOOPS_4((k) + 12)

uint64_t subject_wide(uint64_t n)
{
    uint64_t sum = seed, i = n;
    LOOPS_16(0)
    LOOPS_16(16) LOOPS_16(32) LOOPS_16(48) LOOP(64) for (uint64_t j = 0; j < n; j++) sum = mix(mix(sum) + j) % 1009;
    return sum;
}

uint64_t subject_many(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++) {
        LOOPS_16(0) LOOPS_16(16) LOOPS_16(32) LOOPS_16(48) LOOP(64)
    }
    for (uint64_t i = 0; i < n; i++) {
        LOOPS_16(100) LOOP(116)
    }
    return sum;
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) uint64_t subject_vectors(uint64_t n)
{
    static const long long table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    unsigned char bytes[192];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(seed >> i % 8);
    __m512i sum = _mm512_set_epi64(8, 7, 6, 5, 4, 3, 2, 1);
    for (uint64_t i = 0; i < n; i++) {
        __m512i some = _mm512_loadu_si512(bytes + i % 3 * 64);
        __mmask64 same = _mm512_cmpeq_epu8_mask(some, _mm512_set1_epi8((char)i));
        __m512i found = _mm512_i64gather_epi64(_mm512_and_si512(sum, _mm512_set1_epi64(7)), table, 8);
        sum = _mm512_mask_add_epi64(_mm512_add_epi64(sum, found), (__mmask8)(same >> i % 50), sum, some);
        if (_mm512_test_epi8_mask(some, sum) == 0 || _mm512_cmplt_epi64_mask(sum, _mm512_set1_epi64(77)))
            sum = _mm512_rol_epi64(sum, 7);
        switch (seed + i & 7) { /* by a table, whose address may be known before the loop */
        case 0:
            sum = _mm512_ror_epi64(sum, 3);
            break;
        case 1:
            sum = _mm512_add_epi64(sum, some);
            break;
        case 2:
            sum = _mm512_xor_si512(sum, found);
            break;
        case 3:
            sum = _mm512_sub_epi64(sum, found);
            break;
        case 4:
            sum = _mm512_ternarylogic_epi64(sum, found, some, 0x6a);
            break;
        case 5:
            sum = _mm512_or_si512(sum, _mm512_srli_epi64(found, 1));
            break;
        default:
            sum = _mm512_mask_sub_epi64(sum, (__mmask8)same, sum, some);
        }
    }
    return (uint64_t)_mm512_reduce_add_epi64(sum);
}

/* What it returns depends on where its table of jumps is. */
__asm__(".text\n"
        ".globl subject_leaks\n"
        ".type subject_leaks, @function\n"
        "subject_leaks:\n"
        ".cfi_startproc\n"
        "leaq 3f(%rip), %rax\n"
        "andl $1, %edi\n"
        "movslq (%rax,%rdi,4), %rcx\n"
        "addq %rax, %rcx\n"
        "jmp *%rcx\n"
        "1: subq 4f(%rip), %rax\n"
        "ret\n"
        "2: subq 4f(%rip), %rax\n"
        "addq $7, %rax\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size subject_leaks, . - subject_leaks\n"
        ".section .rodata\n"
        ".p2align 2\n"
        "3: .long 1b - 3b, 2b - 3b\n"
        ".section .data.rel.ro,\"aw\"\n"
        ".p2align 3\n"
        "4: .quad 3b\n"
        ".text\n");

uint64_t subject_all(uint64_t n, const uint64_t *seeds)
{
    uint64_t sum = *seeds;
    double floats = subject_floats(n % 100);
    uint64_t bits;
    memcpy(&bits, &floats, sizeof bits);
    sum = mix(sum + subject_nested(n));
    sum = mix(sum + subject_early(n));
    sum = mix(sum + subject_switch(n));
    sum = mix(sum + subject_close(n));
    sum = mix(sum + subject_recursive(n % 9));
    sum = mix(sum + bits);
    sum = mix(sum + subject_varargs(9, 1.0, 2.5, 3.5, 4.5, 5.0, 6.25, 7.0, 8.125, 9.0));
    sum = mix(sum + subject_tail(n));
    sum = mix(sum + subject_sort(n));
    sum = mix(sum + subject_bytes(n));
    sum = mix(sum + subject_leaks(n));
    return __builtin_cpu_supports("avx512bw") ? mix(sum + subject_vectors(n)) : sum;
}
