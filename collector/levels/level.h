/* What the wrappers of a library stand on; included by the C source that generate.py or hiera-wrap makes from a table.
 *
 * One idea: a wrapper has the name of the library's function and stands before it in the process. It opens a region of
 * its level at the line of its caller, and calls what the dynamic linker would have found without it. It neither
 * allocates nor locks; only the first call of a function looks for it. Without libhiera in the process nothing happens
 * but the call. */
#ifndef HIERA_LEVEL_H
#define HIERA_LEVEL_H

#include "hiera.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Tell libhiera the function behind a wrapper, all of whose wrappers are in [begin, end). A function that calls MPI
 * last jumps there, and MPI returns to the wrapper: the place of such a call is the function. */
extern void hiera_level_note(const void *begin, const void *end, const char *name, const void *code);
#pragma weak hiera_level_note
#pragma weak hiera_begin_at
#pragma weak hiera_end

#define HIERA_EXPORTED __attribute__((visibility("default")))

/* All wrappers are together, so that it can be told whether an address is in one. */
#define HIERA_WRAPPER HIERA_EXPORTED __attribute__((section("hiera_level_code")))
extern const char __start_hiera_level_code[] __attribute__((visibility("hidden")));
extern const char __stop_hiera_level_code[] __attribute__((visibility("hidden")));

/* There are a thousand wrappers in a library: what they share stays out of them. */
#define HIERA_SHARED __attribute__((noinline, unused))

/* --- the function behind a wrapper --- */

typedef void HieraCode(void);

typedef struct HieraReal {
    const char *name;
    HieraCode *code; /* NULL until it was looked for */
} HieraReal;

/* Nothing of ours is called while a thread is in libhiera: a table may hold functions that libhiera uses. */
static __thread bool hiera_busy __attribute__((tls_model("initial-exec"), unused));

/* The library came with RTLD_LOCAL (a plugin, a module of an interpreter): it is in the scope of the caller alone. The
 * handle is kept, and the library with it, as long as its function is known here. */
static HieraCode *hiera_level_look_around(const char *name, const void *site)
{
    Dl_info caller, found, own;
    void *scope = dladdr(site, &caller) ? dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *code = scope ? dlsym(scope, name) : NULL;
    bool is_ours = code && dladdr(code, &found) && dladdr((const void *)(uintptr_t)hiera_level_look_around, &own) &&
                   found.dli_fbase == own.dli_fbase;
    return is_ours ? NULL : (HieraCode *)(uintptr_t)code;
}

static HieraCode *hiera_level_look(HieraReal *real, const void *site)
{
    int saved_errno = errno;
    HieraCode *code = (HieraCode *)(uintptr_t)dlsym(RTLD_NEXT, real->name);
    if (!code)
        code = hiera_level_look_around(real->name, site);
    __atomic_store_n(&real->code, code, __ATOMIC_RELEASE); /* two threads store the same */
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

/* As the dynamic linker ends a program whose function is nowhere. The usual reason: the wrappers were linked before the
 * library, so that a linker with --as-needed saw no need of the library itself. */
static __attribute__((noreturn, unused)) void hiera_level_absent(const char *name)
{
    hiera_level_say("hiera: ");
    hiera_level_say(name);
    hiera_level_say(
        ": wrapped, but in no library of this program; is it linked with the library (with -Wl,--no-as-needed)?\n");
    _exit(127);
}

static inline HieraCode *hiera_level_find(HieraReal *real, const void *site)
{
    HieraCode *code = __atomic_load_n(&real->code, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!code, 0) && !(code = hiera_level_look(real, site)))
        hiera_level_absent(real->name);
    return code;
}

/* --- the arguments, as text --- */

/* No longer than what hiera_begin_at() keeps; what does not fit is left out, whole. */
typedef struct HieraText {
    char *next;
    char *end;
    char bytes[1024];
} HieraText;

static HIERA_SHARED void hiera_text_add(HieraText *text, const char *bytes, size_t length)
{
    if ((size_t)(text->end - text->next) >= length) {
        memcpy(text->next, bytes, length);
        text->next += length;
    }
}

/* " name=", where `name` is a literal; the first one without its blank. */
#define hiera_text_name(text, name)                                                                                    \
    hiera_text_add((text), &" " name "="[(text)->next == (text)->bytes],                                               \
                   sizeof " " name "=" - 1 - ((text)->next == (text)->bytes))

static HIERA_SHARED void hiera_text_unsigned(HieraText *text, unsigned long long value)
{
    char digits[24], *first = digits + sizeof digits;
    do
        *--first = (char)('0' + value % 10);
    while (value /= 10);
    hiera_text_add(text, first, (size_t)(digits + sizeof digits - first));
}

static HIERA_SHARED void hiera_text_integer(HieraText *text, long long value)
{
    if (value < 0)
        hiera_text_add(text, "-", 1);
    hiera_text_unsigned(text, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

/* As %g. Most are 0, 1 and -1, for which printf takes long. */
static HIERA_SHARED void hiera_text_real(HieraText *text, double value)
{
    char digits[32];
    if (value > -100000 && value < 100000 && value == (int)value) {
        hiera_text_integer(text, (int)value);
        return;
    }
    int length = snprintf(digits, sizeof digits, "%g", value);
    for (int i = 0; i < length; i++)
        if (digits[i] == ',') /* the program's locale */
            digits[i] = '.';
    hiera_text_add(text, digits, (size_t)length);
}

static HIERA_SHARED void hiera_text_complex(HieraText *text, double _Complex value)
{
    hiera_text_real(text, __real__ value);
    hiera_text_add(text, __imag__ value < 0 ? "-" : "+", 1);
    hiera_text_real(text, __imag__ value < 0 ? -__imag__ value : __imag__ value);
    hiera_text_add(text, "i", 1);
}

/* A blank, by which many of these libraries mean their default, would not be seen. */
static HIERA_SHARED void hiera_text_flag(HieraText *text, const char *flag)
{
    hiera_text_add(text, !flag ? "?" : *flag == ' ' ? "_" : flag, 1);
}

/* A text of the program's, at most 200 bytes of it. */
static HIERA_SHARED void hiera_text_string(HieraText *text, const char *string)
{
    if (string)
        hiera_text_add(text, string, strnlen(string, 200));
    else
        hiera_text_add(text, "NULL", 4);
}

/* The value of any arithmetic type. */
#define hiera_text_value(text, value)                                                                                  \
    _Generic((value), float                                                                                            \
             : hiera_text_real, double                                                                                 \
             : hiera_text_real, long double                                                                            \
             : hiera_text_real, float _Complex                                                                         \
             : hiera_text_complex, double _Complex                                                                     \
             : hiera_text_complex, unsigned long                                                                       \
             : hiera_text_unsigned, unsigned long long                                                                 \
             : hiera_text_unsigned, default                                                                            \
             : hiera_text_integer)((text), (value))

/* "RxC" */
static HIERA_SHARED void hiera_text_shape(HieraText *text, int rows, int columns)
{
    hiera_text_integer(text, rows);
    hiera_text_add(text, "x", 1);
    hiera_text_integer(text, columns);
}

/* The grid of a BLACS context, asked of the BLACS itself. It only looks into a table of its own. */
static HIERA_SHARED void hiera_text_grid(HieraText *text, int context, const void *site)
{
    static HieraReal real = {"Cblacs_gridinfo", NULL};
    int rows = -1, columns = -1, row, column;
    HieraCode *code = __atomic_load_n(&real.code, __ATOMIC_ACQUIRE);
    if (!code)
        code = hiera_level_look(&real, site);
    if (code)
        ((void (*)(int, int *, int *, int *, int *))code)(context, &rows, &columns, &row, &column);
    if (rows < 0)
        hiera_text_add(text, "?", 1);
    else
        hiera_text_shape(text, rows, columns);
}

/* A ScaLAPACK array descriptor: the matrix, its blocks, the process grid. Its first number says what the others are. */
static HIERA_SHARED void hiera_text_descriptor(HieraText *text, const int *d, const void *site)
{
    enum { DENSE = 1, DENSE_FIRST_BLOCK = 2, BAND_COLUMNS = 501, BAND_ROWS = 502 };
    switch (d[0]) {
    case DENSE:
    case DENSE_FIRST_BLOCK:
        hiera_text_shape(text, d[2], d[3]);
        hiera_text_add(text, "/", 1);
        hiera_text_shape(text, d[d[0] == DENSE ? 4 : 6], d[d[0] == DENSE ? 5 : 7]);
        break;
    case BAND_COLUMNS:
    case BAND_ROWS:
        hiera_text_integer(text, d[2]);
        hiera_text_add(text, "/", 1);
        hiera_text_integer(text, d[3]);
        break;
    default:
        hiera_text_add(text, "?", 1);
        return;
    }
    hiera_text_add(text, "/", 1);
    hiera_text_grid(text, d[1], site);
}

/* --- the region around the call --- */

/* Is the call to be recorded? Then nothing else is in this thread until hiera_level_begin(). */
static inline bool hiera_level_enter(void)
{
    if (!&hiera_begin_at || !&hiera_end || hiera_busy)
        return false;
    hiera_busy = true;
    return true;
}

static inline void hiera_text_open(HieraText *text)
{
    text->next = text->bytes;
    text->end = text->bytes + sizeof text->bytes - 1;
}

/* A call in progress. */
typedef struct HieraLevelCall {
    bool open;       /* its region is */
    HieraCode *code; /* of the library, around this one in the thread */
} HieraLevelCall;

static __thread HieraCode *hiera_level_around __attribute__((tls_model("initial-exec"), unused));

/* A function of the library that calls another one last jumps to it, and that one returns to the wrapper of the first.
 * Its place is not there, but in the first function. */
static inline const void *hiera_level_site(const void *returns_to)
{
    bool is_ours =
        (const char *)returns_to >= __start_hiera_level_code && (const char *)returns_to < __stop_hiera_level_code;
    return __builtin_expect(is_ours && hiera_level_around, 0) ? (const char *)(uintptr_t)hiera_level_around + 1
                                                              : returns_to;
}

static inline HieraLevelCall hiera_level_call(HieraCode *code)
{
    HieraLevelCall call = {false, hiera_level_around};
    hiera_level_around = code;
    return call;
}

static HIERA_SHARED void hiera_level_begin(HieraLevelCall *call, const void *site, const char *level, const char *name,
                                           HieraText *text)
{
    *text->next = '\0';
    if (text->next == text->bytes)
        hiera_begin_at(site, level, name, NULL);
    else
        hiera_begin_at(site, level, name, "%s", text->bytes);
    hiera_busy = false;
    call->open = true;
}

/* However the call ends: it returns, or an exception passes through. */
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

#endif
