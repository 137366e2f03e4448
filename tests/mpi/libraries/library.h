/* A library (library.c) with functions that are difficult to wrap; hiera-wrap makes its wrappers from library.table. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    float x, y;
} Pair;

typedef struct {
    double values[5];
    int count;
} Many;

typedef enum { RED, GREEN = 7 } Colour;

double _Complex lib_complex(double real, float _Complex factor);
long double lib_long(long double value, float half);
Pair lib_swap(Pair pair);
Many lib_many(int scale, Many many);
int64_t lib_sum(int8_t a, uint16_t b, int c, unsigned d, long e, uint64_t f, bool g, Colour h, char i, int64_t j);
double lib_mixed(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k, double l, int m,
                 double n, int o, double p, int q, double r, int s, double t);
int lib_fails(const char *path, const int *depth);
int lib_outer(int n);
int lib_inner(int n);
int lib_last(int n);
int lib_apply(int (*function)(int, void *), int n, void *closure);
const char *lib_name(void);
double lib_each(const int shape[3], double (*rows)[4], int (*)(int, void *), Colour way);
int (*lib_function(int n))(int, void *);
extern double lib_inline(double x) __attribute__((pure, deprecated("use another; or (none")));
static inline int lib_hidden(int n)
{
    return n ? 1 : 0;
}
int lib_variadic(int n, ...);
int lib_absent(int n);
double lib_solve(const char *side, const char *trans, int n, double *x);
double lib_solve_(const char *side, const char *trans, const int *n, double *x, size_t side_length, size_t trans_length);
float _Complex lib_trace_(const int *n, const char *job, size_t job_length);
float _Complex LIB_TRACE(const int *n, const char *job, size_t job_length);

#endif
