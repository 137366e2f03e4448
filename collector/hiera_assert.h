/** Hiera: assertions about performance in the source of a program (docs/assertions.md). Included by hiera.h.
 *
 *     for (int step = 0; step < steps; step++) {
 *         HIERA_ASSERT("MPITime / WallTime < 0.2 & $n > 0", n);     about this block
 *         …
 *     }
 *
 * Each execution of the block is measured and checked, however the block is left. What became of all assertions is
 * reported when the process ends; the program goes on as without them. In a trace the block is a region of the level
 * "assert". Without the library in the process, a use costs a load and a branch; with -DHIERA_DISABLE it is nothing. */
#ifndef HIERA_ASSERT_H
#define HIERA_ASSERT_H

#ifndef HIERA_H
#error "include hiera.h"
#endif

#if defined(__GNUC__) && !defined(HIERA_DISABLE)

/* hiera_on_violation() is a weak reference: without a definition in the program its address is NULL. */
#ifdef __ELF__
#define HIERA_VIOLATION_HOOK __attribute__((weak, visibility("default")))
#define HIERA_VIOLATION_CALL hiera_on_violation
#else
#define HIERA_VIOLATION_HOOK
#define HIERA_VIOLATION_CALL 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** An execution of an assertion that does not hold. */
struct hiera_violation {
    const char *text, *file; /* the assertion's expression, and the source file with the assertion */
    unsigned line;
    const char *comparison; /* the comparison in `text` that made it false, as written there: "<"; "": there is none */
    double left, right;     /* values of the comparison's two sides; times are in nanoseconds */
    unsigned long long execution; /* how many times this thread has executed the assertion, this time included */
};

/** A function of the program, if it has one: called in the thread that has just executed a block whose assertion does
 * not hold, behind that block, if on_violation of HIERA_MORE is "call". The texts are valid until it returns. It may
 * call MPI and everything else. */
HIERA_VIOLATION_HOOK void hiera_on_violation(const struct hiera_violation *violation);

/** An assertion as HIERA_ASSERT defines it. */
struct hiera_assertion {
    /* The program's hiera_on_violation(); NULL: not defined. */
    void (*on_violation)(const struct hiera_violation *violation);
    const char *text, *file; /* the assertion's expression, and the source file with the assertion */
    const char *spelled;     /* the arguments of HIERA_ASSERT as written in the source */
    unsigned line;
    unsigned n_variables;
    unsigned char types[17]; /* [1 + i]: HIERA_TYPE_… of variable i, from 0; [0] is unused */
};

/** Begin an execution of an assertion; used by HIERA_ASSERT. Errors are those of hiera_begin().
 *
 * @param values  the addresses of the assertion and of its variables. The address of the array identifies the scope, so
 * the array must stay on the stack until hiera_assert_close() */
HIERA_FUNCTION void hiera_assert_open(const volatile void *const *values);

/** End the execution that hiera_assert_open(values) began: read the variables, and soon after check the expectation. */
HIERA_FUNCTION void hiera_assert_close(const volatile void *const *values);

/** Begin an execution of an assertion in a language without HIERA_ASSERT, such as Fortran (hiera.f90).
 *
 * @param call_site  a return address; NULL: the line of this call
 * @param text       the expectation
 * @param file       the file that contains it; NULL: file and line are those of the call site
 * @return  id of the assertion for hiera_assert_end(); 0 if there is none */
HIERA_FUNCTION int hiera_assert_begin(const void *call_site, const char *text, const char *file, unsigned line);

/** End the execution of an assertion that this thread began last, and with it regions inside that have no end.
 *
 * @param type    type of the values: HIERA_TYPE_FORTRAN_INT, HIERA_TYPE_LLONG, HIERA_TYPE_FLOAT or HIERA_TYPE_DOUBLE
 * @param values  n values, in the order in which the variables first appear in the text */
HIERA_FUNCTION void hiera_assert_end(int id, unsigned type, const void *values, unsigned n);

#ifdef HIERA_OPTIONAL
#define hiera_assert_open(values)  HIERA_IF_THERE(hiera_assert_open, values)
#define hiera_assert_close(values) HIERA_IF_THERE(hiera_assert_close, values)
#define hiera_assert_end(...)      HIERA_IF_THERE(hiera_assert_end, __VA_ARGS__)
#endif

/* Types of an assertion's variables. A pointer may be a communicator. */
enum {
    HIERA_TYPE_NONE,
    HIERA_TYPE_BOOL,
    HIERA_TYPE_CHAR,
    HIERA_TYPE_SCHAR,
    HIERA_TYPE_UCHAR,
    HIERA_TYPE_SHORT,
    HIERA_TYPE_USHORT,
    HIERA_TYPE_INT,
    HIERA_TYPE_UINT,
    HIERA_TYPE_LONG,
    HIERA_TYPE_ULONG,
    HIERA_TYPE_LLONG,
    HIERA_TYPE_ULLONG,
    HIERA_TYPE_FLOAT,
    HIERA_TYPE_DOUBLE,
    HIERA_TYPE_LDOUBLE,
    HIERA_TYPE_POINTER,
    HIERA_TYPE_FORTRAN_INT /* a Fortran INTEGER, which may be a communicator */
};

#ifdef __cplusplus
} // extern "C"

/* Maps a C++ type to its HIERA_TYPE_…; `value` is the result. */
template <typename T> struct hiera_type_of_ {
    enum {
        value = __is_enum(T) && sizeof(T) == sizeof(int)                                           ? HIERA_TYPE_INT
                : !__is_enum(T) && !__is_class(T) && !__is_union(T) && sizeof(T) == sizeof(void *) ? HIERA_TYPE_POINTER
                                                                                                   : HIERA_TYPE_NONE
    };
};
template <typename T> struct hiera_type_of_<T &> : hiera_type_of_<T> {
};
template <typename T> struct hiera_type_of_<const T> : hiera_type_of_<T> {
};
template <typename T> struct hiera_type_of_<volatile T> : hiera_type_of_<T> {
};
template <typename T> struct hiera_type_of_<const volatile T> : hiera_type_of_<T> {
};
#define HIERA_IS_TYPE_(type, code)                                                                                     \
    template <> struct hiera_type_of_<type> {                                                                          \
        enum { value = code };                                                                                         \
    };
HIERA_IS_TYPE_(bool, HIERA_TYPE_BOOL)
HIERA_IS_TYPE_(char, HIERA_TYPE_CHAR)
HIERA_IS_TYPE_(signed char, HIERA_TYPE_SCHAR)
HIERA_IS_TYPE_(unsigned char, HIERA_TYPE_UCHAR)
HIERA_IS_TYPE_(short, HIERA_TYPE_SHORT)
HIERA_IS_TYPE_(unsigned short, HIERA_TYPE_USHORT)
HIERA_IS_TYPE_(int, HIERA_TYPE_INT)
HIERA_IS_TYPE_(unsigned, HIERA_TYPE_UINT)
HIERA_IS_TYPE_(long, HIERA_TYPE_LONG)
HIERA_IS_TYPE_(unsigned long, HIERA_TYPE_ULONG)
__extension__ typedef long long hiera_long_long_;
__extension__ typedef unsigned long long hiera_unsigned_long_long_;
HIERA_IS_TYPE_(hiera_long_long_, HIERA_TYPE_LLONG)
HIERA_IS_TYPE_(hiera_unsigned_long_long_, HIERA_TYPE_ULLONG)
HIERA_IS_TYPE_(float, HIERA_TYPE_FLOAT)
HIERA_IS_TYPE_(double, HIERA_TYPE_DOUBLE)
HIERA_IS_TYPE_(long double, HIERA_TYPE_LDOUBLE)
#define HIERA_TYPE_OF_(x) hiera_type_of_<__typeof__(x)>::value
#else
#define HIERA_TYPE_OF_(x)                                                                                              \
    __extension__ _Generic((x), _Bool                                                                                  \
                           : HIERA_TYPE_BOOL, char                                                                     \
                           : HIERA_TYPE_CHAR, signed char                                                              \
                           : HIERA_TYPE_SCHAR, unsigned char                                                           \
                           : HIERA_TYPE_UCHAR, short                                                                   \
                           : HIERA_TYPE_SHORT, unsigned short                                                          \
                           : HIERA_TYPE_USHORT, int                                                                    \
                           : HIERA_TYPE_INT, unsigned                                                                  \
                           : HIERA_TYPE_UINT, long                                                                     \
                           : HIERA_TYPE_LONG, unsigned long                                                            \
                           : HIERA_TYPE_ULONG, long long                                                               \
                           : HIERA_TYPE_LLONG, unsigned long long                                                      \
                           : HIERA_TYPE_ULLONG, float                                                                  \
                           : HIERA_TYPE_FLOAT, double                                                                  \
                           : HIERA_TYPE_DOUBLE, long double                                                            \
                           : HIERA_TYPE_LDOUBLE, default                                                               \
                           : sizeof(x) == sizeof(void *) ? HIERA_TYPE_POINTER : HIERA_TYPE_NONE)
#endif

/* HIERA_ARGUMENTS_n_(f, text, x, …): expands to `, f(x)` for each of the n - 1 arguments behind the text. */
#define HIERA_ARGUMENTS_1_(f, t)
#define HIERA_ARGUMENTS_2_(f, t, x)                                            , f(x)
#define HIERA_ARGUMENTS_3_(f, t, x, ...)                                       , f(x) HIERA_ARGUMENTS_2_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_4_(f, t, x, ...)                                       , f(x) HIERA_ARGUMENTS_3_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_5_(f, t, x, ...)                                       , f(x) HIERA_ARGUMENTS_4_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_6_(f, t, x, ...)                                       , f(x) HIERA_ARGUMENTS_5_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_7_(f, t, x, ...)                                       , f(x) HIERA_ARGUMENTS_6_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_8_(f, t, x, ...)                                       , f(x) HIERA_ARGUMENTS_7_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_9_(f, t, x, ...)                                       , f(x) HIERA_ARGUMENTS_8_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_10_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_9_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_11_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_10_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_12_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_11_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_13_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_12_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_14_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_13_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_15_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_14_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_16_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_15_(f, t, __VA_ARGS__)
#define HIERA_ARGUMENTS_17_(f, t, x, ...)                                      , f(x) HIERA_ARGUMENTS_16_(f, t, __VA_ARGS__)
#define HIERA_18TH_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, x, ...) x
#define HIERA_COUNT_(...)                                                      HIERA_18TH_(__VA_ARGS__, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define HIERA_FIRST_(text, ...)                                                text
#define HIERA_ADDRESS_(x)                                                      &(x)
#define HIERA_EACH_(f, ...)                                                    HIERA_PASTE(HIERA_PASTE(HIERA_ARGUMENTS_, HIERA_COUNT_(__VA_ARGS__)), _)(f, __VA_ARGS__)

/* Cleanup function of HIERA_ASSERT: ends the execution of the assertion when the block ends. */
static __inline__ __attribute__((always_inline, no_instrument_function)) void
hiera_leave_assertion_(const volatile void *const **values)
{
    hiera_assert_close(*values);
}

/** Check an expectation on each execution of the enclosing block, from here to its end:
 *
 *     HIERA_ASSERT("MPIWaitTime < 5ms & $n > 0", n);
 *
 * It is a declaration: write it first in a block.
 * @param 1  the expectation, a text that does not change
 * @param …  up to 16 numeric variables (or communicators, for nMPIProcesses). An argument that is a plain name `name`
 * is the value of `$name`; other arguments, such as grid->n, are the remaining `$` words in their order. They are read
 * when the block ends */
#define HIERA_ASSERT(...) HIERA_ASSERT_(__COUNTER__, #__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)

/** HIERA_ASSERT that is reported with the given file and line instead of __FILE__ and __LINE__. */
#define HIERA_ASSERT_AT(file, line, ...) HIERA_ASSERT_(__COUNTER__, #__VA_ARGS__, file, line, __VA_ARGS__)

#define HIERA_ASSERT_(...) HIERA_ASSERTION_(__VA_ARGS__)
#define HIERA_ASSERTION_(id, spelled, file, line, ...)                                                                 \
    static const struct hiera_assertion hiera_assertion_##id = {HIERA_VIOLATION_CALL,                                  \
                                                                HIERA_FIRST_(__VA_ARGS__, 0),                          \
                                                                file,                                                  \
                                                                spelled,                                               \
                                                                line,                                                  \
                                                                HIERA_COUNT_(__VA_ARGS__) - 1,                         \
                                                                {0 HIERA_EACH_(HIERA_TYPE_OF_, __VA_ARGS__)}};         \
    const volatile void *const hiera_values_##id[] = {&hiera_assertion_##id HIERA_EACH_(HIERA_ADDRESS_, __VA_ARGS__)}; \
    const volatile void *const *hiera_asserted_##id __attribute__((cleanup(hiera_leave_assertion_), unused)) =         \
        (hiera_assert_open(hiera_values_##id), hiera_values_##id)

#else
#define HIERA_ASSERT(...)                ((void)0)
#define HIERA_ASSERT_AT(file, line, ...) ((void)0)
#endif

#endif
