/** Hiera: mark the regions of a program. They appear in its trace, above the MPI calls inside them.
 *
 *     for (int step = 0; step < steps; step++) {
 *         HIERA_REGION("app", "time step", "step=%d", step);    ends with the block
 *         hiera_begin("solver", "gather forces", NULL);         ends with hiera_end()
 *         MPI_Allreduce(...);
 *         hiera_end();
 *     }
 *
 * This header is all that a program needs. One binary runs with and without the library: under hiera-run, or linked
 * with -lhiera, its regions are recorded. If the library is not in the process, a use costs a load and a branch.
 *
 *   -DHIERA_DISABLE   turns every use into nothing
 *   -DHIERA_REQUIRED  the program cannot be linked without the library. Use it for a program without MPI that is linked
 *                     with libhiera.a or with -Wl,--as-needed; otherwise the linker leaves the library out. With clang
 *                     and -fno-pie, and on platforms other than ELF, the library is always required
 *
 * The functions may be macros of the same name: call them without `::` before the name.
 *
 * All functions may be called from any thread, before MPI_Init, after MPI_Finalize and without MPI. They never fail
 * visibly: operations that cannot be recorded are counted in the trace (element hieraLost). No function communicates,
 * prints, changes errno or keeps a pointer to its arguments. */
#ifndef HIERA_H
#define HIERA_H

#include <stddef.h> /* for NULL as an argument of the functions below */

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HIERA_PRINTF_FORMAT(format_index, first) __attribute__((format(printf, format_index, first)))
#define HIERA_PUBLIC                             __attribute__((visibility("default")))
#else
#define HIERA_PUBLIC
#define HIERA_PRINTF_FORMAT(format_index, first)
#endif

/* Functions are weak references, which are NULL if the library is not in the process. In code at a fixed address the
 * linker would make them NULL for ever; with noplt the address is loaded from a table. */
#if defined(__ELF__) && defined(__has_attribute) && !defined(HIERA_REQUIRED) && !defined(HIERA_DISABLE)
#if __has_attribute(noplt)
#define HIERA_OPTIONAL __attribute__((weak, noplt))
#elif defined(__PIC__)
#define HIERA_OPTIONAL __attribute__((weak))
#endif
#endif
#ifdef HIERA_OPTIONAL
#define HIERA_FUNCTION HIERA_PUBLIC HIERA_OPTIONAL
#else
#define HIERA_FUNCTION HIERA_PUBLIC
#endif

#ifndef HIERA_DISABLE

/** Open a region. Operations of this thread until the matching hiera_end() become its children.
 *
 * @param level   the layer of the program to which the region belongs, e.g. "app"; NULL means "app". With the level
 *                "oops" and a name "Class::method" the element in the trace is hieraOOPS, else hieraRegion
 * @param name    the name of the operation, e.g. "time step"
 * @param format  printf format of the arguments, written as "name=value name=value", or NULL if there are none. The
 *                text is formatted at once, so avoid it in regions that are very short; NULL costs nothing
 *
 * The strings are copied, up to 1023 bytes each. Errors: none. */
HIERA_FUNCTION void hiera_begin(const char *level, const char *name, const char *format, ...) HIERA_PRINTF_FORMAT(3, 4);

/** hiera_begin() with a chosen call site: the place in the trace is the line of the call that returns to `call_site`.
 * For frameworks and wrappers of libraries, whose operations belong to the line of the program that called them.
 *
 * @param call_site  a return address, usually HIERA_CALLER(). Only its line is used, when the trace is written
 * The other parameters and the errors are those of hiera_begin(). */
HIERA_FUNCTION void hiera_begin_at(const void *call_site, const char *level, const char *name, const char *format, ...)
    HIERA_PRINTF_FORMAT(4, 5);

/** Close the region that this thread opened last with hiera_begin() or hiera_begin_at(). Begins and ends that do not
 * fit are listed in the trace (element hieraUnbalanced), which remains a tree: an end without a begin does nothing; an
 * end inside the scope of a later HIERA_REGION takes effect when that scope ends. */
HIERA_FUNCTION void hiera_end(void);

/** Close the region of this name that this thread opened last, and with it the regions that were opened inside and have
 * no end. If there is no such region, nothing is closed. Use it where an exception, a return or an error may skip an
 * end: it cannot close a wrong region. */
HIERA_FUNCTION void hiera_end_of(const char *name);

/** Open a region that belongs to a scope; used by HIERA_REGION and hiera.hpp. Only hiera_close_scope() with the same
 * address closes it. If the address is that of a variable in a stack frame, a longjmp out of that frame closes the
 * region as well, as soon as the thread opens or closes the next region.
 *
 * @param scope      any address that identifies the scope
 * @param call_site  as in hiera_begin_at(); NULL means the line of this call */
HIERA_FUNCTION void hiera_open_scope(void *scope, const void *call_site, const char *level, const char *name,
                                     const char *format, ...) HIERA_PRINTF_FORMAT(5, 6);

/** Close the region that hiera_open_scope() opened with this address. */
HIERA_FUNCTION void hiera_close_scope(void *scope);

/** Stop recording in all threads of this process. Calls nest: each needs its hiera_resume(). Open regions stay open;
 * regions that begin and end during the pause leave no trace. MPI_Pcontrol(0) does the same. Pause all ranks alike: a
 * message or collective of which only a part was recorded cannot be matched. */
HIERA_FUNCTION void hiera_pause(void);

/** Resume recording after hiera_pause(). A call without a pause does nothing. MPI_Pcontrol(1) does the same. */
HIERA_FUNCTION void hiera_resume(void);

#ifdef HIERA_OPTIONAL
#define HIERA_IF_THERE(function, ...) (function ? function(__VA_ARGS__) : (void)0)
#define hiera_begin(...)              HIERA_IF_THERE(hiera_begin, __VA_ARGS__)
#define hiera_begin_at(...)           HIERA_IF_THERE(hiera_begin_at, __VA_ARGS__)
#define hiera_end()                   (hiera_end ? hiera_end() : (void)0)
#define hiera_end_of(...)             HIERA_IF_THERE(hiera_end_of, __VA_ARGS__)
#define hiera_open_scope(...)         HIERA_IF_THERE(hiera_open_scope, __VA_ARGS__)
#define hiera_close_scope(...)        HIERA_IF_THERE(hiera_close_scope, __VA_ARGS__)
#define hiera_pause()                 (hiera_pause ? hiera_pause() : (void)0)
#define hiera_resume()                (hiera_resume ? hiera_resume() : (void)0)
#endif

#else

#define hiera_begin(...)       ((void)0)
#define hiera_begin_at(...)    ((void)0)
#define hiera_end()            ((void)0)
#define hiera_end_of(...)      ((void)0)
#define hiera_open_scope(...)  ((void)0)
#define hiera_close_scope(...) ((void)0)
#define hiera_pause()          ((void)0)
#define hiera_resume()         ((void)0)

#endif

#if defined(__GNUC__) && !defined(HIERA_DISABLE)

#define HIERA_PASTE_(a, b) a##b
#define HIERA_PASTE(a, b)  HIERA_PASTE_(a, b)

/* Cleanup function of HIERA_REGION and HIERA_CALL: closes their region when the block ends. */
static __inline__ __attribute__((always_inline, no_instrument_function)) void hiera_leave_scope_(void *scope)
{
    hiera_close_scope(scope);
}

/* HIERA_TEXTS_: level, name, format and values of a region; a format that is left out becomes NULL. HIERA_65TH_ is its
 * 65th argument. */
#define HIERA_65TH_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21,    \
                    a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40,     \
                    a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59,     \
                    a60, a61, a62, a63, a64, n, ...)                                                                   \
    n
#define HIERA_ALL_(...)          __VA_ARGS__
#define HIERA_NULL_(level, name) level, name, (const char *)0
#define HIERA_TEXTS_(...)                                                                                              \
    HIERA_65TH_(__VA_ARGS__, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_,       \
                HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_,        \
                HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_,        \
                HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_,        \
                HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_,        \
                HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_,        \
                HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_,        \
                HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_ALL_, HIERA_NULL_,       \
                HIERA_ALL_, 0)                                                                                         \
    (__VA_ARGS__)

/** A region from here to the end of the enclosing block, however the block is left (return, break, goto, a C++
 * exception): HIERA_REGION("app", "force"); The parameters are those of hiera_begin(); the format may be left out. */
#define HIERA_REGION(...)                                                                                              \
    char HIERA_PASTE(hiera_scope_, __LINE__) __attribute__((cleanup(hiera_leave_scope_), unused)) =                    \
        (hiera_open_scope(&HIERA_PASTE(hiera_scope_, __LINE__), 0, HIERA_TEXTS_(__VA_ARGS__)), (char)0)

/** Return address of the function that contains this macro; if inlined, of the function that it is inlined into. */
#define HIERA_CALLER() __builtin_extract_return_addr(__builtin_return_address(0))

/** HIERA_REGION() for the functions of a framework: its place is the line that called the function. Write one as the
 * first line of each function: HIERA_CALL("oops", "TopologyGrid::bcast", "root=%d", root); */
#define HIERA_CALL(...)                                                                                                \
    char HIERA_PASTE(hiera_scope_, __LINE__) __attribute__((cleanup(hiera_leave_scope_), unused)) =                    \
        (hiera_open_scope(&HIERA_PASTE(hiera_scope_, __LINE__), HIERA_CALLER(), HIERA_TEXTS_(__VA_ARGS__)), (char)0)

#else
#define HIERA_REGION(...) ((void)0)
#define HIERA_CALL(...)   ((void)0)
#define HIERA_CALLER()    ((void *)0)
#endif

#ifdef __cplusplus
}
#endif

#include "hiera_assert.h"
#include "hiera_counters.h"
#include "hiera_events.h"
#include "hiera_probe.h"

#endif
