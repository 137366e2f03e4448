/** Hiera: counters (docs/counters.md). Included by hiera.h.
 *
 *     double rss;
 *     if (hiera_counter_read("proc:rss", &rss))          a counter of the kernel, the processor or MPI
 *         printf("%g bytes\n", rss);
 *
 *     static long particles;                             a counter of the program: user:particles
 *     HIERA_COUNTER("particles", particles, HIERA_COUNTER_LEVEL, "", "particles of this rank");
 *
 * Counters are never reset, since several readers share them: take the difference of two readings. Names are those that
 * `hiera-run --counters` lists, and sum(…), mean(…), min(…), max(…) of several. Counters of threads are those of the
 * thread that reads them. Without the library in the process all functions return 0; with -DHIERA_DISABLE they are
 * nothing. They are not for signal handlers. */
#ifndef HIERA_COUNTERS_OF_PROGRAMS_H
#define HIERA_COUNTERS_OF_PROGRAMS_H

#ifndef HIERA_H
#error "include hiera.h"
#endif

/** How the values of a counter are to be read. */
enum {
    HIERA_COUNTER_GROWS, /* only its growth between two readings matters: bytes sent, steps done */
    HIERA_COUNTER_LEVEL  /* its current value matters, which goes up and down: memory in use, length of a queue */
};

#ifndef HIERA_DISABLE

#ifdef __cplusplus
extern "C" {
#endif

/** Find a counter by its name. The first call for a name may take long (files, libraries); later calls only search.
 *
 * @return  number of the counter, for hiera_counter_get(); 0 if the name is invalid */
HIERA_FUNCTION int hiera_counter_find(const char *name);

/** Read a counter: takes some nanoseconds for a variable, microseconds for a file of /proc.
 *
 * @return  1; 0 if its value is not known, and then *value is not changed */
HIERA_FUNCTION int hiera_counter_get(int counter, double *value);

/** Find a counter by its name, and read its value; returns as hiera_counter_get(), 0 also if the name is invalid. */
HIERA_FUNCTION int hiera_counter_read(const char *name, double *value);

/** Why the counter cannot be read, as an English text; NULL if it can be read, or if there is no such counter. */
HIERA_FUNCTION const char *hiera_counter_reason(int counter);

/** Make a variable a counter, user:NAME. It is read while the program runs, also by other threads, so it must exist
 * until the program ends or hiera_counter_remove() is called. The name may contain all characters but blanks and
 * ,=()*?"<>&
 *
 * @param type  HIERA_TYPE_… (hiera_assert.h); HIERA_COUNTER() finds it out
 * @param kind  HIERA_COUNTER_GROWS or HIERA_COUNTER_LEVEL
 * @param unit  such as "B", "ns"; NULL: none
 * @param help  one line; NULL: none
 * @return  number of the counter; 0 if there is no memory, or name or type are invalid */
HIERA_FUNCTION int hiera_counter_variable(const char *name, const volatile void *variable, unsigned type, int kind,
                                          const char *unit, const char *help);

/** Make the result of a function a counter, user:NAME. The function is called by the thread that reads the counter,
 * which may be one of Hiera's, and at the begin and end of regions; it must neither begin a region nor call MPI. */
HIERA_FUNCTION int hiera_counter_function(const char *name, double (*function)(void *data), void *data, int kind,
                                          const char *unit, const char *help);

/** Remove the counter user:NAME, before its variable or function ceases to exist. */
HIERA_FUNCTION void hiera_counter_remove(const char *name);

/** Set the counter user:NAME to a value that the program has measured, until the next call. Not for counters that have
 * a variable or a function. */
HIERA_FUNCTION void hiera_counter_sample(const char *name, double value);

#ifdef HIERA_OPTIONAL
#define HIERA_NUMBER_IF_THERE(function, ...) (function ? function(__VA_ARGS__) : 0)
#define hiera_counter_find(name)             HIERA_NUMBER_IF_THERE(hiera_counter_find, name)
#define hiera_counter_get(...)               HIERA_NUMBER_IF_THERE(hiera_counter_get, __VA_ARGS__)
#define hiera_counter_read(...)              HIERA_NUMBER_IF_THERE(hiera_counter_read, __VA_ARGS__)
#define hiera_counter_reason(counter)        (hiera_counter_reason ? hiera_counter_reason(counter) : (const char *)0)
#define hiera_counter_variable(...)          HIERA_NUMBER_IF_THERE(hiera_counter_variable, __VA_ARGS__)
#define hiera_counter_function(...)          HIERA_NUMBER_IF_THERE(hiera_counter_function, __VA_ARGS__)
#define hiera_counter_remove(name)           HIERA_IF_THERE(hiera_counter_remove, name)
#define hiera_counter_sample(...)            HIERA_IF_THERE(hiera_counter_sample, __VA_ARGS__)
#endif

#ifdef __cplusplus
} // extern "C"
#endif

#ifdef __GNUC__
/** hiera_counter_variable() with the variable's type:
 *
 *     HIERA_COUNTER("steps", steps, HIERA_COUNTER_GROWS, "", "steps done"); */
#define HIERA_COUNTER(name, variable, kind, unit, help)                                                                \
    ((void)hiera_counter_variable(name, &(variable), HIERA_TYPE_OF_(variable), kind, unit, help))
#endif

#else

static __inline__ int hiera_no_counter_(void)
{
    return 0;
}
#define hiera_counter_find(name)    hiera_no_counter_()
#define hiera_counter_get(...)      hiera_no_counter_()
#define hiera_counter_read(...)     hiera_no_counter_()
#define hiera_counter_reason(...)   ((const char *)0)
#define hiera_counter_variable(...) hiera_no_counter_()
#define hiera_counter_function(...) hiera_no_counter_()
#define hiera_counter_remove(name)  ((void)0)
#define hiera_counter_sample(...)   ((void)0)
#define HIERA_COUNTER(...)          ((void)0)

#endif

#endif
