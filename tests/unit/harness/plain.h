/* Expectations of a program without a framework: a line for each that fails, and the exit status. */
#ifndef HIERA_TEST_PLAIN_H
#define HIERA_TEST_PLAIN_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int n_failed;

static inline void expect_number(int line, const char *what, int64_t expected, int64_t actual)
{
    if (expected == actual)
        return;
    fprintf(stderr, "%d: %s: expected %lld, actual %lld\n", line, what, (long long)expected, (long long)actual);
    n_failed++;
}

static inline void expect_text(int line, const char *what, const char *expected, const char *actual)
{
    if (strcmp(expected, actual) == 0)
        return;
    fprintf(stderr, "%d: %s: expected \"%s\", actual \"%s\"\n", line, what, expected, actual);
    n_failed++;
}

#define EXPECT(expected, actual)      expect_number(__LINE__, #actual, (int64_t)(expected), (int64_t)(actual))
#define EXPECT_TEXT(expected, actual) expect_text(__LINE__, #actual, expected, actual)

#endif
