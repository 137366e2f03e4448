/* Implementation of library.h. */
#include "library.h"

#include <errno.h>
#include <string.h>

double _Complex lib_complex(double real, float _Complex factor)
{
    return real * factor + 2.0 * I;
}

long double lib_long(long double value, float half)
{
    return value * half;
}

Pair lib_swap(Pair pair)
{
    return (Pair){pair.y, pair.x};
}

Many lib_many(int scale, Many many)
{
    for (int i = 0; i < many.count; i++)
        many.values[i] *= scale;
    return many;
}

int64_t lib_sum(int8_t a, uint16_t b, int c, unsigned d, long e, uint64_t f, bool g, Colour h, char i, int64_t j)
{
    return a + b + c + (int64_t)d + e + (int64_t)f + g + (int)h + i + j;
}

double lib_mixed(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k, double l, int m,
                 double n, int o, double p, int q, double r, int s, double t)
{
    return a * b + c * d + e * f + g * h + i * j + k * l + m * n + o * p + q * r + s * t;
}

int lib_fails(const char *path, const int *depth)
{
    int seen = errno;
    errno = ENOTEMPTY;
    return seen * 100 + (depth ? *depth : -1) + (int)strlen(path);
}

/* These functions call each other through the dynamic linker, as in a library that exports all of them. */
int lib_inner(int n)
{
    return n + 1;
}

int lib_outer(int n)
{
    return lib_inner(n) * lib_inner(2 * n);
}

/* A jump to lib_inner, which returns directly to the caller of lib_last. */
int lib_last(int n)
{
    return lib_inner(n + 1);
}

int lib_apply(int (*function)(int, void *), int n, void *closure)
{
    return function(n, closure) + 1;
}

const char *lib_name(void)
{
    return "library";
}

double lib_each(const int shape[3], double (*rows)[4], int (*function)(int, void *), Colour way)
{
    return rows[shape[0]][function((int)way, NULL)];
}

static int identity(int n, void *closure)
{
    (void)closure;
    return n;
}

int (*lib_function(int n))(int, void *)
{
    return n ? identity : NULL;
}

double lib_inline(double x)
{
    return x;
}

int lib_variadic(int n, ...)
{
    return n;
}

double lib_solve(const char *side, const char *trans, int n, double *x)
{
    return *side + 2 * *trans + n * *x;
}

double lib_solve_(const char *side, const char *trans, const int *n, double *x, size_t side_length, size_t trans_length)
{
    return *side + 2 * *trans + *n * *x + 1000.0 * (double)side_length + 1e6 * (double)trans_length;
}

float _Complex lib_trace_(const int *n, const char *job, size_t job_length)
{
    return (float)*n + *job * 100 + (float)job_length * I;
}

float _Complex LIB_TRACE(const int *n, const char *job, size_t job_length)
{
    return 2 * lib_trace_(n, job, job_length);
}
