/* Loops whose iterations are counted in all ways, for test_counts.c. Each function takes a number, and returns one that
 * depends on all its loops. */
#include <stdint.h>
#include <string.h>

#define LOOP(name)                                                                                                     \
    __attribute__((noinline, visibility("default"))) uint64_t count_##name(uint64_t n);                                \
    uint64_t count_##name(uint64_t n)

enum { WORDS = 48 };
static uint64_t words[WORDS];
static uint32_t halves[WORDS];
static uint8_t bytes[WORDS];
static double numbers[WORDS];

static void fill(void)
{
    for (unsigned i = 0; i < WORDS; i++) {
        words[i] = i * 2654435761u >> 7;
        halves[i] = (uint32_t)words[i];
        bytes[i] = (uint8_t)(words[i] % 97);
        numbers[i] = (double)(words[i] % 1000) / 7;
    }
}

static __attribute__((noinline)) uint64_t mix(uint64_t a)
{
    return (a ^ a >> 7) * 31;
}

LOOP(up)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < n; i++)
        sum = sum * 3 + i;
    return sum;
}

LOOP(down)
{
    uint64_t sum = 1;
    for (int64_t i = (int64_t)n - 1; i >= 0; i--)
        sum = sum * 3 + (uint64_t)i;
    return sum;
}

LOOP(signs)
{
    int sum = 1;
    for (int i = -(int)n; i != (int)n; i++)
        sum = (int)((unsigned)sum * 3u + (unsigned)i);
    return (uint64_t)(unsigned)sum;
}

LOOP(wraps)
{
    uint64_t sum = 1;
    for (uint32_t i = UINT32_MAX - (uint32_t)n / 2; i != (uint32_t)n / 2; i++)
        sum = sum * 3 + i;
    return sum;
}

LOOP(steps)
{
    uint64_t sum = 1;
    for (uint32_t i = 5; i < 7 * (uint32_t)n; i += 7)
        sum = sum * 5 + i;
    for (int32_t i = 3 * (int32_t)n; i > 0; i -= 3)
        sum = sum * 5 + (uint64_t)i;
    return sum;
}

LOOP(small)
{
    uint64_t sum = 1;
    for (uint8_t i = 0; i < (uint8_t)(n & 127); i++)
        sum = sum * 3 + i;
    for (uint16_t i = 60000; i != (uint16_t)(60000 + n); i++)
        sum = sum * 3 + i;
    return sum;
}

LOOP(at_least_once)
{
    uint64_t sum = n;
    do
        sum += sum >> 3;
    while (--n > 0 && n < WORDS);
    return sum;
}

LOOP(pointers)
{
    uint64_t sum = 0;
    for (const uint32_t *at = halves, *end = halves + n % WORDS; at != end; at++)
        sum = sum * 3 + *at;
    for (const uint64_t *at = words + n % WORDS; at-- > words;)
        sum = sum * 3 + *at;
    return sum;
}

LOOP(vectors)
{
    uint64_t sum = 0;
    uint32_t total = 0;
    uint64_t m = n % WORDS;
    for (uint64_t i = 0; i < m; i++)
        words[i] += i * 5;
    for (uint64_t i = 0; i < m; i++)
        numbers[i] = numbers[i] * 0.5 + 1;
    for (int i = 0; i < (int)m; i++)
        total += halves[i] ^ bytes[i];
    for (uint64_t i = 0; i < m; i++)
        sum += words[i];
    return sum + total;
}

LOOP(nest)
{
    uint64_t sum = 1, m = n % 3 + 2;
    for (uint64_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < m + 1; j++)
            for (int k = (int)m; k > 0; k--)
                for (uint64_t l = i; l < m + 2; l++)
                    sum = sum * 3 + l + (uint64_t)k + j;
    return sum;
}

LOOP(triangle)
{
    uint64_t sum = 1;
    for (unsigned i = 0; i < n % 14; i++)
        for (unsigned j = 0; j < i; j++)
            sum = sum * 3 + words[j] + i;
    return sum;
}

LOOP(exits)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < n; i++) {
        if (bytes[i % WORDS] == 95)
            break;
        sum = sum * 3 + i;
        if (sum % 251 == 3)
            return sum;
        if (sum % 7 == 0)
            continue;
        sum ^= i;
        if (sum % 509 == 5)
            goto out;
    }
    sum++;
out:
    return sum;
}

LOOP(leaves_all)
{
    uint64_t sum = 1;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            for (unsigned k = 0; k < 5; k++) {
                sum = sum * 3 + k;
                if (sum % 1021 == n)
                    goto out;
                if (sum % 127 == n % 127)
                    break;
            }
out:
    return sum;
}

LOOP(skips)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < n; i++) {
        if (words[i % WORDS] & 1)
            i++;
        sum = sum * 3 + i;
    }
    for (uint64_t i = 0; i < n;) {
        sum = sum * 3 + i;
        if (bytes[i % WORDS] & 1)
            i += 2;
        else
            i += 3;
    }
    return sum;
}

LOOP(irreducible)
{
    uint64_t sum = 1, i = 0;
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

/* Named as one that never returns in the C library. */
__attribute__((noinline)) static uint64_t err(uint64_t a, uint64_t b)
{
    __asm__ volatile("");
    return a > b ? a - b : b - a;
}

LOOP(calls)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < n; i++) {
        sum = err(mix(sum), 3);
        for (unsigned j = 0; j < sum % 5; j++)
            sum = mix(sum) + j;
    }
    return sum;
}

LOOP(recursive)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < n % 5; i++) {
        sum = sum * 3 + i;
        if (n > 5)
            sum += count_recursive(n / 3 + i);
        for (uint64_t j = 0; j < i; j++)
            sum = sum * 5 + j;
    }
    return sum;
}

LOOP(choices)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < n; i++)
        switch (words[i % WORDS] % 9) {
        case 0:
            sum += 3;
            break;
        case 1:
            sum ^= 5;
            continue;
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
            if (sum % 61 == 7)
                return sum;
            break;
        case 6:
            sum |= i;
            break;
        case 7:
            if (sum % 67 == 7)
                i = n;
            break;
        default:
            sum++;
            break;
        }
    return sum;
}

LOOP(chain)
{
    static uint16_t next[WORDS];
    uint64_t sum = 0;
    for (unsigned i = 0; i + 1 < WORDS; i++)
        next[i + 1] = (uint16_t)i;
    for (unsigned at = n % WORDS; at; at = next[at])
        sum = sum * 3 + at;
    return sum;
}

LOOP(collatz)
{
    uint64_t sum = 0;
    for (uint64_t i = 1; i < n % 15; i++)
        for (uint64_t a = i; a != 1; a = a % 2 ? 3 * a + 1 : a / 2)
            sum += a;
    return sum;
}

LOOP(carries)
{
    uint64_t sum[4] = {n, n * 3, ~n, n << 7};
    for (uint64_t i = 0; i < n; i++) {
        unsigned long long carry = 0;
        for (int j = 0; j < 4; j++) {
            unsigned __int128 both = (unsigned __int128)sum[j] + sum[(j + 1) % 4] + carry;
            sum[j] = (uint64_t)both;
            carry = (unsigned long long)(both >> 64);
        }
    }
    return sum[0] ^ sum[3];
}

/* The number of the loop has an address, is a part of something with one, or is in memory. */
static __attribute__((noinline)) void set(int *to, int *other, int value)
{
    *to += value;
    *other = value;
}

LOOP(known)
{
    int i = 0, others[8] = {0}, *at = n % 3 ? &i : &others[3];
    struct {
        int first, count;
        uint8_t text[12];
    } all = {0};
    uint64_t sum = 1;
    for (; i < (int)(n % 50); i++) {
        sum = sum * 3 + (uint64_t)i;
        others[i % 8] += 2;
        if (i % 7 == 3)
            *at += 1;
    }
    set(&i, &others[1], 3);
    uint8_t *text = (uint8_t *)&all;
    for (all.count = 0; all.count < 20; all.count++) {
        sum = sum * 3 + (uint64_t)all.count;
        text[n % 4 == 1 ? 4 : 9] = (uint8_t)(all.count + (all.count % 5 == 1));
    }
    return sum + (uint64_t)i + (uint64_t)others[2];
}

static int global;

LOOP(in_memory)
{
    uint64_t sum = 1;
    for (global = 0; global < (int)n; global++)
        sum = sum * 3 + (uint64_t)global;
    volatile uint32_t watched = 0;
    for (watched = 0; watched < n; watched++)
        sum = sum * 3 + 1;
    return sum;
}

LOOP(strings)
{
    uint64_t sum = 1;
    char text[64];
    for (uint64_t i = 0; i < n % 10; i++) {
        memset(text, (int)(i & 63), sizeof text);
        text[i % 60 + 1] = 0;
        for (const char *at = text; *at; at++)
            sum = sum * 3 + (uint64_t)*at;
    }
    return sum;
}

LOOP(two_ways)
{
    uint64_t sum = 1;
    for (uint64_t i = 0, j = n; i < j; i += 3, j -= 2)
        sum = sum * 3 + i * j;
    for (uint64_t i = 1; i < n; i *= 2)
        sum += i;
    for (uint64_t i = n; i; i &= i - 1)
        sum += i * 3;
    return sum;
}

LOOP(sort)
{
    uint64_t m = n % 20;
    for (uint64_t i = 0; i < m; i++)
        words[i] = i * 7919 % (m + 1);
    for (uint64_t i = 1; i < m; i++) {
        uint64_t word = words[i], j = i;
        for (; j > 0 && words[j - 1] > word; j--)
            words[j] = words[j - 1];
        words[j] = word;
    }
    return words[m / 2];
}

LOOP(endless)
{
    uint64_t sum = n;
    unsigned turns = 0;
    for (;;) {
        sum = sum * 6364136223846793005u + 1442695040888963407u;
        if (sum >> 58 == 3)
            return sum + turns;
        turns++;
        if (turns > n)
            break;
    }
    return turns;
}

/* A number that changes by the same step in each iteration may go around more than once, so each iteration is counted:
 * in the first loop it does not decide when the loop ends; in the others it does, but may not be what it ends at when
 * it first goes around, for its step or because that changes. */
LOOP(around)
{
    enum { STEP = 1000003 };
    uint32_t seed = 0, sum = 1, at = (uint32_t)(n * 5 + 3) & 31;
    while (at != (n & 31)) {
        seed += STEP;
        sum ^= seed;
        at = (at * 5 + 3) & 31;
    }
    for (uint32_t i = 0; i != (uint32_t)n * STEP; i += STEP) {
        __asm__ volatile("" : "+r"(i)); /* a compiler may know the number of iterations */
        sum = sum * 3 + i;
    }
    return sum + seed;
}

/* The result is in the second byte of a register. */
LOOP(high_byte)
{
    unsigned sum = 1;
    for (uint64_t i = 0; i < n; i++)
        sum = sum * 31 ^ (unsigned)words[i % WORDS];
    return sum >> 8 & 0xff;
}

/* As people write them in assembler. The cases of the first switch are too short to be redirected all, and its table
 * must stay where it is, since rdx is read. The second one
 * has results in the flags, of what it calls (itself, with a negative number) and of its loops. The third one has a
 * frame. In the fourth one flags are in use where its loops begin and end: the carry, while a register is free, and
 * all, while none is. The last one has a loop that a register can count, rcx, and in it one that counts by itself. */
__asm__(".text\n"
        ".globl count_short_cases, count_flags, count_framed, count_entry_flags, count_bits, count_at_once\n"
        ".type count_short_cases, @function\n"
        "count_short_cases: mov $5, %esi\n"
        "1: add $3, %esi\n cmp $50, %esi\n jb 1b\n"
        "cmpl $3, %edi\n ja 5f\n"
        "movl %edi, %edi\n leaq 6f(%rip), %rdx\n movslq (%rdx,%rdi,4), %rax\n addq %rdx, %rax\n jmp *%rax\n"
        "2: movl %esi, %eax\n ret\n"
        "3: inc %esi\n"
        "4: lea 11(%rsi,%rsi,4), %eax\n ret\n"
        "5: lea 7(%rsi,%rsi,2), %eax\n test %rdx, %rdx\n ret\n"
        ".size count_short_cases, . - count_short_cases\n"
        ".section .rodata\n .align 4\n"
        "6: .long 2b - 6b, 3b - 6b, 4b - 6b, 5b - 6b\n"
        ".text\n"
        ".type count_step, @function\n"
        "count_step: inc %rax\n cmp %rdi, %rax\n ret\n"
        ".size count_step, . - count_step\n"
        ".type count_flags, @function\n"
        "count_flags: mov %rdi, %rcx\n test %rdi, %rdi\n jns 2f\n"
        "not %rcx\n"
        "1: sub $1, %rcx\n jnc 1b\n ret\n"
        "2: xor %eax, %eax\n"
        "3: call count_step\n jb 3b\n"
        "not %rdi\n call count_flags\n adc $7, %rax\n ret\n"
        ".size count_flags, . - count_flags\n"
        ".type count_framed, @function\n"
        "count_framed: .cfi_startproc\n"
        "push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset 6, -16\n"
        "mov %rsp, %rbp\n .cfi_def_cfa_register 6\n"
        "xor %eax, %eax\n"
        "1: add $1, %rax\n cmp %rdi, %rax\n jb 1b\n"
        "pop %rbp\n .cfi_def_cfa 7, 8\n ret\n"
        ".cfi_endproc\n"
        ".size count_framed, . - count_framed\n"
        ".type count_entry_flags, @function\n"
        "count_entry_flags: .cfi_startproc\n mov %rdi, %r9\n xor %edx, %edx\n test %rdi, %rdi\n je 5f\n"
        "1: mov $3, %ecx\n imul $23, %r9d, %r10d\n add $0x70, %r10b\n"
        "2: adc %r10, %rdx\n dec %rcx\n jne 2b\n"
        "adc $5, %rdx\n mov %rdx, %rax\n mov $2, %ecx\n add $0x39, %r10b\n"
        "3: pushfq\n .cfi_def_cfa_offset 16\n pop %r8\n .cfi_def_cfa_offset 8\n and $0x8d5, %r8d\n lea (%rax,%rax,2), "
        "%rax\n add %r8, %rax\n dec %rcx\n jne 3b\n"
        "pushfq\n .cfi_def_cfa_offset 16\n pop %r8\n .cfi_def_cfa_offset 8\n and $0x8d5, %r8d\n add %r8, %rax\n mov "
        "%rax, %rdx\n"
        "dec %r9\n jne 1b\n"
        "5: mov %rdx, %rax\n ret\n"
        ".cfi_endproc\n"
        ".size count_entry_flags, . - count_entry_flags\n"
        ".type count_bits, @function\n"
        "count_bits: mov $1, %ecx\n xor %eax, %eax\n test %rdi, %rdi\n jz 3f\n"
        "1: mov %rdi, %r8\n"
        "2: lea (%rax,%r8,2), %rax\n dec %r8\n jnz 2b\n"
        "lea -1(%rdi), %rdx\n and %rdx, %rdi\n jnz 1b\n"
        "3: mov $2, %ecx\n ret\n"
        ".size count_bits, . - count_bits\n"
        ".type count_at_once, @function\n"
        "count_at_once: lea 1(%rdi,%rdi,2), %eax\n ret\n"
        ".size count_at_once, . - count_at_once\n");
uint64_t count_short_cases(uint64_t n);
uint64_t count_flags(uint64_t n);
uint64_t count_framed(uint64_t n);
uint64_t count_entry_flags(uint64_t n);
uint64_t count_bits(uint64_t n);
uint64_t count_at_once(uint64_t n);

#define ROW(name)                                                                                                      \
    {                                                                                                                  \
        "count_" #name, count_##name, NULL, 0                                                                          \
    }

typedef struct Counted {
    const char *name;
    uint64_t (*function)(uint64_t n);
    const char *refused;    /* with what the reason begins for which it is not moved; NULL: it is moved */
    uint32_t is_one_by_one; /* no loop of it counts by itself */
} Counted;

/* All functions, until one without a name. */
__attribute__((visibility("default"))) const Counted *count_all(void);
const Counted *count_all(void)
{
    static const Counted all[] = {ROW(up),
                                  ROW(down),
                                  ROW(signs),
                                  ROW(wraps),
                                  ROW(steps),
                                  ROW(small),
                                  ROW(at_least_once),
                                  ROW(pointers),
                                  ROW(vectors),
                                  ROW(nest),
                                  ROW(triangle),
                                  ROW(exits),
                                  ROW(leaves_all),
                                  ROW(skips),
                                  ROW(irreducible),
                                  ROW(calls),
                                  ROW(recursive),
                                  ROW(choices),
                                  ROW(chain),
                                  ROW(collatz),
                                  ROW(carries),
                                  ROW(known),
                                  ROW(in_memory),
                                  ROW(strings),
                                  ROW(two_ways),
                                  ROW(sort),
                                  ROW(endless),
                                  {"count_around", count_around, NULL, 1},
                                  ROW(high_byte),
                                  ROW(flags),
                                  ROW(framed),
                                  ROW(entry_flags),
                                  ROW(bits),
                                  {"count_short_cases", count_short_cases, "there is no room for a jump", 0},
                                  {"count_at_once", count_at_once, "it is too short: it returns, or jumps on", 0},
                                  {NULL, NULL, NULL, 0}};
    fill();
    return all;
}
