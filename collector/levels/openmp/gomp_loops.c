/* Worksharing constructs of GNU's runtime: loops, sections, single. A thread calls one function at the begin and one at
 * the end; those for each part of a loop between them are not wrapped. */
#include "gomp.h"

/* --- loops --- */

/* Define the wrapper of a begin. */
#define START(function, schedule, PARAMETERS, ARGUMENTS)                                                               \
    MARKER_PUBLIC bool function PARAMETERS;                                                                            \
    bool function PARAMETERS                                                                                           \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        if (is_recorded)                                                                                               \
            openmp_begin_work(GOMP_SITE, OPENMP_LOOP, schedule);                                                       \
        return next_ ARGUMENTS;                                                                                        \
    }

/* The shapes: bounds, or the number of loops that `ordered` joins and their bounds; with or without a size of parts;
 * of any schedule. Functions for unsigned numbers have the direction before the bounds. */
#define CHUNKS(name, schedule)                                                                                         \
    START(GOMP_loop_##name##_start, OPENMP_ARGS("schedule=" schedule),                                                 \
          (long from, long to, long step, long chunk, void *first, void *last), (from, to, step, chunk, first, last))  \
    START(GOMP_loop_ull_##name##_start, OPENMP_ARGS("schedule=" schedule),                                             \
          (bool up, long from, long to, long step, long chunk, void *first, void *last),                               \
          (up, from, to, step, chunk, first, last))
#define OF_RUNTIME(name)                                                                                               \
    START(GOMP_loop_##name##_start, OPENMP_ARGS("schedule=runtime"),                                                   \
          (long from, long to, long step, void *first, void *last), (from, to, step, first, last))                     \
    START(GOMP_loop_ull_##name##_start, OPENMP_ARGS("schedule=runtime"),                                               \
          (bool up, long from, long to, long step, void *first, void *last), (up, from, to, step, first, last))
#define DOACROSS(kind, name)                                                                                           \
    START(GOMP_loop##kind##doacross_##name##_start, OPENMP_ARGS("schedule=" #name),                                    \
          (unsigned loops, void *counts, long chunk, void *first, void *last), (loops, counts, chunk, first, last))
#define DOACROSS_OF_RUNTIME(kind)                                                                                      \
    START(GOMP_loop##kind##doacross_runtime_start, OPENMP_ARGS("schedule=runtime"),                                    \
          (unsigned loops, void *counts, void *first, void *last), (loops, counts, first, last))
#define ANY(name)                                                                                                      \
    START(GOMP_loop##name##start, schedule_of(schedule),                                                               \
          (long from, long to, long step, long schedule, long chunk, void *first, void *last, void *sums, void *more), \
          (from, to, step, schedule, chunk, first, last, sums, more))                                                  \
    START(GOMP_loop_ull##name##start, schedule_of(schedule),                                                           \
          (bool up, long from, long to, long step, long schedule, long chunk, void *first, void *last, void *sums,     \
           void *more),                                                                                                \
          (up, from, to, step, schedule, chunk, first, last, sums, more))
#define DOACROSS_ANY(kind)                                                                                             \
    START(GOMP_loop##kind##doacross_start, schedule_of(schedule),                                                      \
          (unsigned loops, void *counts, long schedule, long chunk, void *first, void *last, void *sums, void *more),  \
          (loops, counts, schedule, chunk, first, last, sums, more))

static const HieraPrepared *schedule_of(long schedule)
{
    static const HieraPrepared all[] = {OPENMP_TEXT("schedule=runtime"), OPENMP_TEXT("schedule=static"),
                                        OPENMP_TEXT("schedule=dynamic"), OPENMP_TEXT("schedule=guided"),
                                        OPENMP_TEXT("schedule=auto")};
    unsigned number = (unsigned)schedule & 0x7fffffff; /* the highest bit says whether it is monotonic */
    return number < sizeof all / sizeof *all ? &all[number] : NULL;
}

CHUNKS(static, "static")
CHUNKS(dynamic, "dynamic")
CHUNKS(guided, "guided")
CHUNKS(nonmonotonic_dynamic, "dynamic")
CHUNKS(nonmonotonic_guided, "guided")
CHUNKS(ordered_static, "static")
CHUNKS(ordered_dynamic, "dynamic")
CHUNKS(ordered_guided, "guided")
OF_RUNTIME(runtime)
OF_RUNTIME(nonmonotonic_runtime)
OF_RUNTIME(maybe_nonmonotonic_runtime)
OF_RUNTIME(ordered_runtime)
DOACROSS(_, static)
DOACROSS(_, dynamic)
DOACROSS(_, guided)
DOACROSS(_ull_, static)
DOACROSS(_ull_, dynamic)
DOACROSS(_ull_, guided)
DOACROSS_OF_RUNTIME(_)
DOACROSS_OF_RUNTIME(_ull_)
ANY(_)
ANY(_ordered_)
DOACROSS_ANY(_)
DOACROSS_ANY(_ull_)

GOMP_BARRIER(GOMP_loop_end, (void), ())
GOMP_BARRIER_CANCEL(GOMP_loop_end_cancel)

/* Define the wrapper of an end without a barrier. */
#define END(function)                                                                                                  \
    MARKER_PUBLIC void function(void);                                                                                 \
    void function(void)                                                                                                \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        next_();                                                                                                       \
        if (is_recorded)                                                                                               \
            openmp_end_work();                                                                                         \
    }

END(GOMP_loop_end_nowait)

/* --- waits of an iteration for others --- */

/* An iteration has a number for each loop that `ordered` joins, and only the runtime knows how many: more are passed on
 * than any program has. */
#define WAIT(function, type)                                                                                           \
    GOMP_AROUND(function, OPENMP_ACQUIRE "doacross",                                                                   \
                (type a, type b, type c, type d, type e, type f, type g, type h, type i, type j),                      \
                (a, b, c, d, e, f, g, h, i, j))

WAIT(GOMP_doacross_wait, long)
WAIT(GOMP_doacross_ull_wait, unsigned long long)

/* --- sections --- */

#define SECTIONS(function, PARAMETERS, ARGUMENTS)                                                                      \
    MARKER_PUBLIC unsigned function PARAMETERS;                                                                        \
    unsigned function PARAMETERS                                                                                       \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        if (is_recorded)                                                                                               \
            openmp_begin_work(GOMP_SITE, OPENMP_SECTIONS, NULL);                                                       \
        return next_ ARGUMENTS;                                                                                        \
    }

SECTIONS(GOMP_sections_start, (unsigned count), (count))
SECTIONS(GOMP_sections2_start, (unsigned count, void *sums, void *more), (count, sums, more))

/* A thread that runs several sections could have left them to others. */
MARKER_PUBLIC unsigned GOMP_sections_next(void);
unsigned GOMP_sections_next(void)
{
    GOMP_NEXT(GOMP_sections_next);
    if (is_recorded)
        openmp_section(GOMP_SITE);
    return next_();
}

GOMP_BARRIER(GOMP_sections_end, (void), ())
GOMP_BARRIER_CANCEL(GOMP_sections_end_cancel)
END(GOMP_sections_end_nowait)

/* --- single --- */

/* The runtime is not called at the end, so it has ended when the thread comes to what cannot be inside of it. Outside
 * of a parallel region nothing of this kind need follow. */
MARKER_PUBLIC bool GOMP_single_start(void);
bool GOMP_single_start(void)
{
    GOMP_NEXT(GOMP_single_start);
    if (!is_recorded)
        return next_();
    bool is_mine = next_();
    openmp_end_work();
    if (is_mine && openmp_is_in_part())
        openmp_begin_work(GOMP_SITE, OPENMP_SINGLE, NULL);
    return is_mine;
}

/* With copyprivate: the thread that gets NULL runs the code, and the others wait for its values. */
MARKER_PUBLIC void *GOMP_single_copy_start(void);
void *GOMP_single_copy_start(void)
{
    GOMP_NEXT(GOMP_single_copy_start);
    if (is_recorded) {
        openmp_end_work();
        openmp_begin(GOMP_SITE, OPENMP_ACQUIRE "copyprivate", NULL);
    }
    void *values = next_();
    if (is_recorded) {
        openmp_end();
        if (!values)
            openmp_begin_work(GOMP_SITE, OPENMP_SINGLE, NULL);
    }
    return values;
}

GOMP_BARRIER(GOMP_single_copy_end, (void *data), (data))
