/* Base of the wrappers of a library. The C source that hiera-wrap generates from a table includes this file.
 *
 * Idea: a wrapper has the name of the library's function, and the dynamic linker finds it first. It opens a region of
 * its level, with its caller's line as call site, and calls the library's function. It neither allocates nor locks;
 * only the first call of each function looks up its address. Without libhiera in the process a wrapper only makes the
 * call. */
#pragma once

#include "hiera.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Report to libhiera the function that a wrapper calls; [begin, end) contains all wrappers of this library. If the
 * function makes a tail call of MPI, MPI returns to the wrapper: then the function is the call site. */
extern void hiera_level_note(const void *begin, const void *end, const char *name, const void *code);
#pragma weak hiera_level_note
#pragma weak hiera_begin_at
#pragma weak hiera_end

#define HIERA_EXPORTED __attribute__((visibility("default")))

/* Puts a wrapper into a section of its own, so that the wrappers' addresses are one range. */
#define HIERA_WRAPPER HIERA_EXPORTED __attribute__((section("hiera_level_code")))
extern const char __start_hiera_level_code[] __attribute__((visibility("hidden")));
extern const char __stop_hiera_level_code[] __attribute__((visibility("hidden")));

/* For functions that wrappers share, not inlined, since a library has a thousand wrappers. */
#define HIERA_SHARED __attribute__((noinline, unused))

/* --- address of the library's function behind a wrapper --- */

typedef void HieraLevelFunction(void);

typedef struct HieraReal {
    const char *name;
    HieraLevelFunction *code; /* address of the library's function; NULL until the first call */
} HieraReal;

/* Whether this thread is in libhiera: then wrappers record nothing, since libhiera may call wrapped functions. */
static __thread bool hiera_busy __attribute__((tls_model("initial-exec"), unused));

/* Find a function of a library that was loaded with RTLD_LOCAL (a plugin, a module of an interpreter): only the
 * caller's scope has it. The handle stays open, so that the library stays loaded while its address is kept here. */
static HieraLevelFunction *hiera_level_look_around(const char *name, const void *site)
{
    Dl_info caller, found, own;
    void *scope = dladdr(site, &caller) ? dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *code = scope ? dlsym(scope, name) : NULL;
    bool is_ours = code && dladdr(code, &found) && dladdr((const void *)(uintptr_t)hiera_level_look_around, &own) &&
                   found.dli_fbase == own.dli_fbase;
    return is_ours ? NULL : (HieraLevelFunction *)(uintptr_t)code;
}

static HieraLevelFunction *hiera_level_look(HieraReal *real, const void *site)
{
    int saved_errno = errno;
    HieraLevelFunction *code = (HieraLevelFunction *)(uintptr_t)dlsym(RTLD_NEXT, real->name);
    if (!code)
        code = hiera_level_look_around(real->name, site);
    __atomic_store_n(&real->code, code, __ATOMIC_RELEASE); /* two threads may store the same value */
    if (code && &hiera_level_note)
        hiera_level_note(__start_hiera_level_code, __stop_hiera_level_code, real->name, (const void *)(uintptr_t)code);
    errno = saved_errno;
    return code;
}

static void hiera_level_say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

/* End the program as the dynamic linker does when a function is missing. The usual reason: the wrappers were linked
 * before the library, and a linker with --as-needed left the library out. */
static __attribute__((noreturn, unused)) void hiera_level_absent(const char *name)
{
    hiera_level_say("hiera: ");
    hiera_level_say(name);
    hiera_level_say(
        ": wrapped, but in no library of this program; is it linked with the library (with -Wl,--no-as-needed)?\n");
    _exit(127);
}

static inline HieraLevelFunction *hiera_level_find(HieraReal *real, const void *site)
{
    HieraLevelFunction *code = __atomic_load_n(&real->code, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!code, 0) && !(code = hiera_level_look(real, site)))
        hiera_level_absent(real->name);
    return code;
}

/* --- a call's arguments as text --- */

/* Text of a call's arguments, of the length that hiera_begin_at() keeps. An argument that does not fit is left out. */
typedef struct HieraLevelText {
    char *next;
    char *end;
    char bytes[1024];
} HieraLevelText;

static HIERA_SHARED void hiera_level_text_add(HieraLevelText *text, const char *bytes, size_t length)
{
    if ((size_t)(text->end - text->next) >= length) {
        memcpy(text->next, bytes, length);
        text->next += length;
    }
}

/* Append " name=" for a literal `name`; the first name has no blank before it. */
#define hiera_level_text_name(text, name)                                                                              \
    hiera_level_text_add((text), &" " name "="[(text)->next == (text)->bytes],                                         \
                         sizeof " " name "=" - 1 - ((text)->next == (text)->bytes))

static HIERA_SHARED void hiera_level_text_unsigned(HieraLevelText *text, unsigned long long value)
{
    char digits[24], *first = digits + sizeof digits;
    do
        *--first = (char)('0' + value % 10);
    while (value /= 10);
    hiera_level_text_add(text, first, (size_t)(digits + sizeof digits - first));
}

static HIERA_SHARED void hiera_level_text_integer(HieraLevelText *text, long long value)
{
    if (value < 0)
        hiera_level_text_add(text, "-", 1);
    hiera_level_text_unsigned(text, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

/* Append a number as %g. Most numbers are 0, 1 and -1, for which printf is slow. */
static HIERA_SHARED void hiera_level_text_real(HieraLevelText *text, double value)
{
    char digits[32];
    if (value > -100000 && value < 100000 && value == (int)value) {
        hiera_level_text_integer(text, (int)value);
        return;
    }
    int length = snprintf(digits, sizeof digits, "%g", value);
    for (int i = 0; i < length; i++)
        if (digits[i] == ',') /* the decimal comma of some locales */
            digits[i] = '.';
    hiera_level_text_add(text, digits, (size_t)length);
}

static HIERA_SHARED void hiera_level_text_complex(HieraLevelText *text, double _Complex value)
{
    hiera_level_text_real(text, __real__ value);
    hiera_level_text_add(text, __imag__ value < 0 ? "-" : "+", 1);
    hiera_level_text_real(text, __imag__ value < 0 ? -__imag__ value : __imag__ value);
    hiera_level_text_add(text, "i", 1);
}

/* Append a flag character, such as 'U'. A blank, the default in many libraries, becomes '_'. */
static HIERA_SHARED void hiera_level_text_flag(HieraLevelText *text, const char *flag)
{
    hiera_level_text_add(text, !flag ? "?" : *flag == ' ' ? "_" : flag, 1);
}

/* Append a string argument, at most 200 bytes of it, or NULL. */
static HIERA_SHARED void hiera_level_text_string(HieraLevelText *text, const char *string)
{
    if (string)
        hiera_level_text_add(text, string, strnlen(string, 200));
    else
        hiera_level_text_add(text, "NULL", 4);
}

/* Append a value of any arithmetic type. */
#define hiera_level_text_value(text, value)                                                                            \
    _Generic((value), float                                                                                            \
             : hiera_level_text_real, double                                                                           \
             : hiera_level_text_real, long double                                                                      \
             : hiera_level_text_real, float _Complex                                                                   \
             : hiera_level_text_complex, double _Complex                                                               \
             : hiera_level_text_complex, unsigned long                                                                 \
             : hiera_level_text_unsigned, unsigned long long                                                           \
             : hiera_level_text_unsigned, default                                                                      \
             : hiera_level_text_integer)((text), (value))

/* Append the shape of a matrix or grid as "ROWSxCOLUMNS". */
static HIERA_SHARED void hiera_level_text_shape(HieraLevelText *text, int rows, int columns)
{
    hiera_level_text_integer(text, rows);
    hiera_level_text_add(text, "x", 1);
    hiera_level_text_integer(text, columns);
}

/* Append the shape of the process grid of a BLACS context. Calls Cblacs_gridinfo, which only reads a table. */
static HIERA_SHARED void hiera_level_text_grid(HieraLevelText *text, int context, const void *site)
{
    static HieraReal real = {"Cblacs_gridinfo", NULL};
    int rows = -1, columns = -1, row, column;
    HieraLevelFunction *code = __atomic_load_n(&real.code, __ATOMIC_ACQUIRE);
    if (!code)
        code = hiera_level_look(&real, site);
    if (code)
        ((void (*)(int, int *, int *, int *, int *))code)(context, &rows, &columns, &row, &column);
    if (rows < 0)
        hiera_level_text_add(text, "?", 1);
    else
        hiera_level_text_shape(text, rows, columns);
}

/* Append a ScaLAPACK array descriptor (matrix, blocks, process grid), whose first number is its type. */
static HIERA_SHARED void hiera_level_text_descriptor(HieraLevelText *text, const int *d, const void *site)
{
    enum { DENSE = 1, DENSE_FIRST_BLOCK = 2, BAND_COLUMNS = 501, BAND_ROWS = 502 };
    switch (d[0]) {
    case DENSE:
    case DENSE_FIRST_BLOCK:
        hiera_level_text_shape(text, d[2], d[3]);
        hiera_level_text_add(text, "/", 1);
        hiera_level_text_shape(text, d[d[0] == DENSE ? 4 : 6], d[d[0] == DENSE ? 5 : 7]);
        break;
    case BAND_COLUMNS:
    case BAND_ROWS:
        hiera_level_text_integer(text, d[2]);
        hiera_level_text_add(text, "/", 1);
        hiera_level_text_integer(text, d[3]);
        break;
    default:
        hiera_level_text_add(text, "?", 1);
        return;
    }
    hiera_level_text_add(text, "/", 1);
    hiera_level_text_grid(text, d[1], site);
}

/* --- the region around a library call --- */

/* Whether the call is to be recorded. If so, this thread's wrappers record nothing until hiera_level_begin(). */
static inline bool hiera_level_enter(void)
{
    if (!&hiera_begin_at || !&hiera_end || hiera_busy)
        return false;
    hiera_busy = true;
    return true;
}

static inline void hiera_level_text_open(HieraLevelText *text)
{
    text->next = text->bytes;
    text->end = text->bytes + sizeof text->bytes - 1;
}

/* A wrapped library call in progress. */
typedef struct HieraLevelCall {
    bool open;                /* whether the call's region is open */
    HieraLevelFunction *code; /* the wrapped function that this thread was in before this call */
} HieraLevelCall;

static __thread HieraLevelFunction *hiera_level_around __attribute__((tls_model("initial-exec"), unused));

/* Call site of a wrapper. After a tail call from one function of the library to another, the second one returns to the
 * wrapper of the first: then the first function is the call site. */
static inline const void *hiera_level_site(const void *returns_to)
{
    bool is_ours =
        (const char *)returns_to >= __start_hiera_level_code && (const char *)returns_to < __stop_hiera_level_code;
    return __builtin_expect(is_ours && hiera_level_around, 0) ? (const char *)(uintptr_t)hiera_level_around + 1
                                                              : returns_to;
}

static inline HieraLevelCall hiera_level_call(HieraLevelFunction *code)
{
    HieraLevelCall call = {false, hiera_level_around};
    hiera_level_around = code;
    return call;
}

static HIERA_SHARED void hiera_level_begin(HieraLevelCall *call, const void *site, const char *level, const char *name,
                                           HieraLevelText *text)
{
    *text->next = '\0';
    if (text->next == text->bytes)
        hiera_begin_at(site, level, name, NULL);
    else
        hiera_begin_at(site, level, name, "%s", text->bytes);
    hiera_busy = false;
    call->open = true;
}

/* Cleanup function of a wrapper: ends the region when the call ends, by a return or an exception. */
static HIERA_SHARED void hiera_level_close(const HieraLevelCall *call)
{
    hiera_level_around = call->code;
    if (!call->open)
        return;
    hiera_busy = true;
    hiera_end();
    hiera_busy = false;
}

#define HIERA_LEVEL_CALL(call, code)                                                                                   \
    HieraLevelCall call __attribute__((cleanup(hiera_level_close))) = hiera_level_call(code)
