/** Hiera: probes of a program, for probe scripts (docs/probes.md). Included by hiera.h.
 *
 *     HIERA_PROBE("heat", n, x, "text");
 *
 * A script uses a probe by its name: `heat /&n > 3/ { @[&n] = avg(&x); }`. While no script uses it, a probe costs a
 * load and a branch, and its arguments are not evaluated; so they should have no side effects. With -DHIERA_DISABLE it
 * is nothing. */
#ifndef HIERA_PROBE_H
#define HIERA_PROBE_H

#ifndef HIERA_H
#error "include hiera.h"
#endif

#ifndef HIERA_DISABLE

#ifdef __cplusplus
extern "C" {
#endif

/* Types of the values that a probe passes to scripts. */
enum {
    HIERA_VALUE_OF_NOTHING,
    HIERA_VALUE_OF_INTEGER,
    HIERA_VALUE_OF_NUMBER,
    HIERA_VALUE_OF_TEXT,
    HIERA_VALUE_OF_TRUTH
};

/** A value that a probe passes to scripts. */
struct hiera_probe_value {
    int type;          /* HIERA_VALUE_OF_…; HIERA_VALUE_OF_NOTHING: an integer that scripts cannot represent */
    long long integer; /* an integer, or a truth value (0 or 1) */
    double number;
    const char *text; /* a C string; NULL: the text is missing */
};

/** A probe in the program's source, as the macro HIERA_PROBE defines it. */
struct hiera_probe {
    int listens; /* 0: nobody uses the probe; 1 (initially): not yet known; 2: a script or a listener uses it */
    unsigned line;
    const char *name, *file; /* name of the probe, and the source file that contains it */
    const char *spelled;     /* arguments of HIERA_PROBE as written in the source */
    const void *known;       /* what the library knows of the probe; NULL: nothing yet */
};

/** Report that a probe is reached; used by HIERA_PROBE. Errors are those of hiera_begin().
 *
 * @param values  n values, at most 16; NULL: only find out whether the probe is used */
HIERA_FUNCTION void hiera_probe_reached(struct hiera_probe *probe, const struct hiera_probe_value *values, unsigned n);

/** hiera_probe_reached() for languages without HIERA_PROBE, such as Fortran (hiera.f90).
 *
 * @param call_site  a return address; NULL: the line of this call
 * @param name       name of the probe
 * @param names      names of the values, with commas between them: "n,x"; values without a name are arg1, arg2, … by
 * their place */
HIERA_FUNCTION void hiera_probe_named(const void *call_site, const char *name, const char *names,
                                      const struct hiera_probe_value *values, unsigned n);

/** From now on, run a probe script in this process.
 *
 * @param script  a script, or the name of its file; NULL: that of HIERA_PROBE, if HIERA_PROBE_OPTIONS=wait=1 made it
 * wait
 * @return  1 if it runs. 0: it is wrong, and standard error says why; or a script runs already; or there is none */
HIERA_FUNCTION int hiera_probes_start(const char *script);

/** End the script: its END runs, global_print() prints the data of this rank, and its probes no longer fire. */
HIERA_FUNCTION void hiera_probes_stop(void);

#ifdef HIERA_OPTIONAL
#define HIERA_HAS_PROBES_          (hiera_probe_reached != 0)
#define hiera_probe_named(...)     HIERA_IF_THERE(hiera_probe_named, __VA_ARGS__)
#define hiera_probes_start(script) (hiera_probes_start ? hiera_probes_start(script) : 0)
#define hiera_probes_stop()        (hiera_probes_stop ? hiera_probes_stop() : (void)0)
#else
#define HIERA_HAS_PROBES_ 1
#endif

#ifdef __cplusplus
} // extern "C"
#endif

#if defined(__GNUC__)

#define HIERA_PROBE_CONVERT_(name, T, code, member)                                                                    \
    static __inline__ __attribute__((always_inline, unused, no_instrument_function)) struct hiera_probe_value name(    \
        T x)                                                                                                           \
    {                                                                                                                  \
        struct hiera_probe_value value = {code, 0, 0, 0};                                                              \
        value.member = x;                                                                                              \
        return value;                                                                                                  \
    }

/* Convert an unsigned integer; one above INT64_MAX counts as missing, since scripts have signed 64-bit integers. */
#define HIERA_PROBE_CONVERT_LARGE_(name, T)                                                                            \
    static __inline__ __attribute__((always_inline, unused, no_instrument_function)) struct hiera_probe_value name(    \
        T x)                                                                                                           \
    {                                                                                                                  \
        struct hiera_probe_value value = {HIERA_VALUE_OF_INTEGER, 0, 0, 0};                                            \
        if (x >> (8 * sizeof x - 1))                                                                                   \
            value.type = HIERA_VALUE_OF_NOTHING;                                                                       \
        else                                                                                                           \
            value.integer = x;                                                                                         \
        return value;                                                                                                  \
    }

#ifdef __cplusplus
HIERA_PROBE_CONVERT_(hiera_probe_value_, bool, HIERA_VALUE_OF_TRUTH, integer)
HIERA_PROBE_CONVERT_(hiera_probe_value_, int, HIERA_VALUE_OF_INTEGER, integer)
HIERA_PROBE_CONVERT_(hiera_probe_value_, unsigned, HIERA_VALUE_OF_INTEGER, integer)
HIERA_PROBE_CONVERT_(hiera_probe_value_, long, HIERA_VALUE_OF_INTEGER, integer)
HIERA_PROBE_CONVERT_LARGE_(hiera_probe_value_, unsigned long)
HIERA_PROBE_CONVERT_(hiera_probe_value_, hiera_long_long_, HIERA_VALUE_OF_INTEGER, integer)
HIERA_PROBE_CONVERT_LARGE_(hiera_probe_value_, hiera_unsigned_long_long_)
HIERA_PROBE_CONVERT_(hiera_probe_value_, double, HIERA_VALUE_OF_NUMBER, number)
HIERA_PROBE_CONVERT_(hiera_probe_value_, long double, HIERA_VALUE_OF_NUMBER, number)
HIERA_PROBE_CONVERT_(hiera_probe_value_, const char *, HIERA_VALUE_OF_TEXT, text)
#define HIERA_PROBE_VALUE_(x) hiera_probe_value_(x)
#else
HIERA_PROBE_CONVERT_(hiera_probe_truth_, int, HIERA_VALUE_OF_TRUTH, integer)
HIERA_PROBE_CONVERT_(hiera_probe_integer_, long long, HIERA_VALUE_OF_INTEGER, integer)
HIERA_PROBE_CONVERT_LARGE_(hiera_probe_large_, unsigned long long)
HIERA_PROBE_CONVERT_(hiera_probe_number_, double, HIERA_VALUE_OF_NUMBER, number)
HIERA_PROBE_CONVERT_(hiera_probe_text_, const char *, HIERA_VALUE_OF_TEXT, text)
#define HIERA_PROBE_VALUE_(x)                                                                                          \
    __extension__ _Generic((x), _Bool                                                                                  \
                           : hiera_probe_truth_, float                                                                 \
                           : hiera_probe_number_, double                                                               \
                           : hiera_probe_number_, long double                                                          \
                           : hiera_probe_number_, char *                                                               \
                           : hiera_probe_text_, const char *                                                           \
                           : hiera_probe_text_, unsigned long                                                          \
                           : hiera_probe_large_, unsigned long long                                                    \
                           : hiera_probe_large_, default                                                                \
                           : hiera_probe_integer_)(x)
#endif

/** A probe of the program: a statement.
 *
 * @param 1  its name, a text that does not change
 * @param …  up to 16 integers, numbers, truths or texts. In scripts an argument that is a plain name is `&name`; others
 * are `&arg1`, `&arg2`, … by their place */
#define HIERA_PROBE(...) HIERA_PROBE_(#__VA_ARGS__, __VA_ARGS__)
#define HIERA_PROBE_(spelled, ...)                                                                                     \
    do {                                                                                                               \
        static struct hiera_probe hiera_probe_here_ = {                                                                \
            1, __LINE__, HIERA_FIRST_(__VA_ARGS__, 0), __FILE__, spelled, 0};                                          \
        if (__builtin_expect(__atomic_load_n(&hiera_probe_here_.listens, __ATOMIC_RELAXED), 0)) {                      \
            if (HIERA_HAS_PROBES_ && hiera_probe_here_.listens == 1)                                                   \
                hiera_probe_reached(&hiera_probe_here_, 0, 0);                                                         \
            if (HIERA_HAS_PROBES_ && hiera_probe_here_.listens != 0) {                                                 \
                const struct hiera_probe_value hiera_probe_values_[] = {                                               \
                    {0, 0, 0, 0} HIERA_EACH_(HIERA_PROBE_VALUE_, __VA_ARGS__)};                                        \
                hiera_probe_reached(&hiera_probe_here_, hiera_probe_values_ + 1, HIERA_COUNT_(__VA_ARGS__) - 1);       \
            } else {                                                                                                   \
                __atomic_store_n(&hiera_probe_here_.listens, 0, __ATOMIC_RELAXED);                                     \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

#else
#define HIERA_PROBE(...) ((void)0)
#endif

#else
#define HIERA_PROBE(...)           ((void)0)
#define hiera_probe_named(...)     ((void)0)
#define hiera_probes_start(script) (0)
#define hiera_probes_stop()        ((void)0)
#endif

#endif
