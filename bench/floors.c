/* Lower bounds of tracing: the cost of steps that every tracer needs, each measured alone. The steps: read the clock,
 * store a record, format an element, write it to a file.
 *
 * Usage: floors FILE. FILE is written and removed. Prints "name=nanoseconds" per traced call for each step. */
#include "bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 2000000, RECORD = 64, WARM = 64 << 10, ELEMENT = 170, BLOCK = 64 << 10 };

static double per_call(int64_t begin)
{
    return (double)(bench_now_ns() - begin) / N;
}

static double two_clock_gettime(void)
{
    int64_t begin = bench_now_ns();
    for (int i = 0; i < N; i++) {
        BENCH_USE(bench_now_ns());
        BENCH_USE(bench_now_ns());
    }
    return per_call(begin);
}

static double two_counters(void)
{
    int64_t begin = bench_now_ns();
    for (int i = 0; i < N; i++) {
#if defined(__x86_64__)
        BENCH_USE(__builtin_ia32_rdtsc());
        BENCH_USE(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0\n\tmrs %0, cntvct_el0" : "=r"(ticks));
#endif
    }
    return per_call(begin);
}

/* Time per call for storing a record of 64 bytes; the calls fill the first `bytes` of a new mapping again and again. */
static double store(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    int64_t begin = bench_now_ns();
    size_t at = 0;
    for (int i = 0; i < N; i++) {
        for (size_t word = 0; word < RECORD; word += 8)
            memcpy(memory + at + word, &i, sizeof i);
        BENCH_USE(memory);
        at = at + RECORD < bytes ? at + RECORD : 0;
    }
    double ns = per_call(begin);
    munmap(memory, bytes);
    return ns;
}

static char *put(char *to, const char *literal, size_t n)
{
    memcpy(to, literal, n);
    return to + n;
}
#define PUT(to, literal) put(to, literal, sizeof literal - 1)

static char *put_digits(char *to, uint64_t value, int digits)
{
    for (int i = digits; i-- > 0; value /= 10)
        to[i] = (char)('0' + value % 10);
    return to + digits;
}

static char *put_seconds(char *to, uint64_t ns)
{
    to = put_digits(to, ns / 1000000000u, 1);
    *to++ = '.';
    return put_digits(to, ns % 1000000000u, 9);
}

/* Format an element of a trace, of 170 bytes, at `to`. Returns the end of the text. */
static char *put_element(char *to, uint64_t ns)
{
    to = PUT(to, "\n  <hieraMPI operation=\"isend\" file=\"app.c\" line=\"42\" start_time=\"");
    to = put_seconds(to, ns);
    to = PUT(to, "\" finish_time=\"");
    to = put_seconds(to, ns + 40);
    to = PUT(to, "\" count=\"1\" type=\"MPI_INT\" dest=\"0\" tag=\"0\" bytes=\"4\" comm=\"MPI_COMM_WORLD\"");
    return PUT(to, "/>");
}

static double format(void)
{
    static char block[BLOCK + 1024];
    char *to = block;
    int64_t begin = bench_now_ns();
    for (int i = 0; i < N; i++) {
        to = put_element(to, (uint64_t)i * 100);
        BENCH_USE(to);
        if (to >= block + BLOCK)
            to = block;
    }
    return per_call(begin);
}

/* Time per element for writing full blocks of text to the file `path`, as a tracer with a buffer does. */
static double hand_over(const char *path)
{
    static char block[BLOCK];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        return -1;
    memset(block, 'x', sizeof block);
    int64_t begin = bench_now_ns();
    for (long left = (long)N * ELEMENT; left > 0; left -= BLOCK)
        if (write(fd, block, BLOCK) != BLOCK)
            break;
    double ns = per_call(begin);
    close(fd);
    unlink(path);
    return ns;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    printf("two clock_gettime=%.1f\n", two_clock_gettime());
    printf("two counter reads=%.1f\n", two_counters());
    printf("store 64 B, warm=%.1f\n", store(WARM));
    printf("store 64 B, fresh pages=%.1f\n", store((size_t)N * RECORD));
    printf("format 170 B by hand=%.1f\n", format());
    printf("write 170 B in blocks=%.1f\n", hand_over(argv[1]));
    return 0;
}
