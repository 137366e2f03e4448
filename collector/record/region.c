/* User regions: the functions that hiera.h and hiera.f90 declare for programs. */
#include "base/xml_text.h"
#include "hiera.h"
#include "own_time.h"
#include "prepared.h"
#include "region_counters.h"
#include "region_steps.h"
#include "watch.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

__thread HieraThread *hiera_thread __attribute__((tls_model("initial-exec")));
__thread HieraUnkept hiera_unattached __attribute__((tls_model("initial-exec")));

/* Arguments of a region: a text of `length` bytes, or what a format makes of a list. */
typedef struct Arguments {
    const char *format; /* NULL: `text` has them */
    const char *text;
    size_t length;
} Arguments;

static size_t room_of(const Arguments *arguments)
{
    return arguments->format ? HIERA_REGION_TEXT_MAX : arguments->length;
}

/* Format arguments at `to`. Returns the length of the text. */
static size_t put_formatted(char *to, const char *format, va_list arguments)
{
    if (strcmp(format, "%s") ==
        0) { /* the text is already formatted, as by wrappers of libraries: copy it, because printf is slow */
        const char *text = va_arg(arguments, const char *);
        size_t length = strnlen(text ? text : "(null)", HIERA_REGION_TEXT_MAX);
        memcpy(to, text ? text : "(null)", length);
        return length;
    }
    int saved_errno = errno;
    size_t n = hiera_text_print_arguments(to, HIERA_REGION_TEXT_MAX + 1, format, arguments);
    errno = saved_errno;
    return n;
}

static size_t put_text(char *to, const Arguments *arguments)
{
    memcpy(to, arguments->text, arguments->length);
    return arguments->length;
}

/* Begin a region. `arguments` is NULL if it has none. Returns its name; NULL: the region is lost, and counted. */
static inline __attribute__((always_inline)) HieraName *
begin(HieraRegionPlace place, const char *level, const char *name, const Arguments *arguments, va_list *list)
{
    HieraThread *thread = hiera_thread_current();
    if (HIERA_UNLIKELY(!thread)) {
        hiera_region_lose_unattached(place.scope);
        return NULL;
    }
    if (!hiera_region_enter(thread, place.frame)) {
        hiera_region_lose_inside(thread);
        return NULL;
    }
    HieraName *known = NULL;
    if (hiera_region_make_room(thread, arguments ? room_of(arguments) : 0, place.frame, place.scope)) {
        if (HIERA_UNLIKELY(!level || !name)) {
            level = level ? level : "app";
            name = name ? name : "";
        }
        known = hiera_name_find_text(thread, place.site, level, name);
        char *args = ((HieraRegionRecord *)(void *)thread->next)->args;
        size_t length = 0;
        if (arguments)
            length = arguments->format ? put_formatted(args, arguments->format, *list) : put_text(args, arguments);
        if (HIERA_LIKELY(known != NULL))
            hiera_region_open(thread, known, length, place.scope);
    }
    if (HIERA_UNLIKELY(!known))
        hiera_region_lose_open(thread, place.scope);
    hiera_region_leave(thread);
    return known;
}

/* Begin a region that has neither arguments nor a scope, in any state of the thread. */
static __attribute__((noinline)) void begin_any(const char *level, const char *name, uintptr_t frame, const void *site)
{
    begin((HieraRegionPlace){frame, 0, site}, level, name, NULL, NULL);
}

/* Finish the begin of a region: set the begin time, and make the record part of the trace. */
static inline void start(HieraThread *thread, HieraRegionRecord *record, uint64_t now)
{
    record->head.start = now;
    hiera_record_take(thread, record->head.bytes);
    hiera_region_leave(thread);
}

static __attribute__((noinline)) void start_by_kernel(HieraThread *thread, HieraRegionRecord *record)
{
    start(thread, record, hiera_clock_ticks());
}

/* Begin a region in the usual case. All calls of functions are tail calls, so that no register has to be saved. */
static __attribute__((noinline)) void begin_plain(const char *level, const char *name, uintptr_t frame,
                                                  const void *site)
{
    HieraThread *thread = hiera_thread;
    HieraName *known;
    if (HIERA_UNLIKELY(!thread || !(known = hiera_region_enter_usual(thread, level, name,
                                                                     (HieraRegionPlace){frame, 0, site}, 0)))) {
        begin_any(level, name, frame, site);
        return;
    }
    HieraRegionRecord *record = hiera_region_prepare(thread, known, 0, 0);
    if (HIERA_LIKELY(hiera_clock_is_counter()))
        start(thread, record, hiera_clock_counter());
    else
        start_by_kernel(thread, record);
}

static __attribute__((noinline)) void begin_scope(const char *level, const char *name, uintptr_t frame, uintptr_t scope,
                                                  const void *site)
{
    begin((HieraRegionPlace){frame, scope, site}, level, name, NULL, NULL);
}

static __attribute__((noinline)) HieraName *begin_with(const HieraRegionPlace *place, const char *level,
                                                       const char *name, const Arguments *arguments, va_list *list)
{
    return begin(*place, level, name, arguments, list);
}

HieraRegionRecord *hiera_region_open_unusual(HieraThread *thread, HieraRegionRecord *record)
{
    HieraOpen *open = &thread->open[thread->n_open - 1];
    uint64_t since = hiera_clock_ticks();
    if (hiera_is_idle() || record->name->unusual & HIERA_NAME_FILTERED) {
        record->head.call = HIERA_RECORD_FILTERED;
        open->is_filtered = true;
        return record;
    }
    if (record->name->unusual & HIERA_NAME_WATCHED)
        hiera_watch_start(thread);
    if (record->name->unusual & HIERA_NAME_COUNTED)
        open->has_counters = hiera_region_counters_begin(thread, thread->n_open - 1);
    record = hiera_own_time_before(thread, &record->head, since);
    thread->open[thread->n_open - 1].record = &record->head;
    return record;
}

void hiera_begin(const char *level, const char *name, const char *format, ...)
{
    if (HIERA_LIKELY(!format)) {
        begin_plain(level, name, HIERA_FRAME, HIERA_SITE);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    begin_with(&(HieraRegionPlace){HIERA_FRAME, 0, HIERA_SITE}, level, name, &(Arguments){.format = format},
               &arguments);
    va_end(arguments);
}

void hiera_begin_at(const void *call_site, const char *level, const char *name, const char *format, ...)
{
    if (HIERA_LIKELY(!format)) {
        begin_any(level, name, HIERA_FRAME, call_site);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    begin_with(&(HieraRegionPlace){HIERA_FRAME, 0, call_site}, level, name, &(Arguments){.format = format}, &arguments);
    va_end(arguments);
}

void hiera_open_scope(void *scope, const void *call_site, const char *level, const char *name, const char *format, ...)
{
    if (HIERA_LIKELY(!format)) {
        begin_scope(level, name, HIERA_FRAME, (uintptr_t)scope, call_site ? call_site : HIERA_SITE);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    begin_with(&(HieraRegionPlace){HIERA_FRAME, (uintptr_t)scope, call_site ? call_site : HIERA_SITE}, level, name,
               &(Arguments){.format = format}, &arguments);
    va_end(arguments);
}

/* Begin a prepared region in any state of the thread. */
static __attribute__((noinline)) void open_prepared_any(const HieraRegionPlace *place, const char *level,
                                                        const char *name, const HieraPrepared *args)
{
    const Arguments arguments = {.text = args->text, .length = args->length};
    HieraName *known = begin_with(place, level, name, args->length > 0 ? &arguments : NULL, NULL);
    if (known) {
        known->constant_level = level;
        known->constant_name = name;
    }
}

/* Make the record of a prepared region with room for `more` bytes behind it, if the region is a usual one; else return
 * NULL. */
static inline HieraRegionRecord *fill_prepared(const HieraRegionPlace *place, const char *level, const char *name,
                                               const HieraPrepared *args, size_t more)
{
    HieraThread *thread = hiera_thread;
    HieraName *known = NULL;
    if (HIERA_LIKELY(thread && hiera_clock_is_counter()))
        known = hiera_region_enter_usual(thread, level, name, *place, HIERA_PREPARED_ROOM + more);
    if (HIERA_UNLIKELY(!known))
        return NULL;
    memcpy(((HieraRegionRecord *)(void *)thread->next)->args, args->text, HIERA_PREPARED_ROOM);
    return hiera_region_fill(thread, known, args->length);
}

void hiera_open_prepared(void *scope, const void *call_site, const char *level, const char *name,
                         const HieraPrepared *args)
{
    const HieraRegionPlace place = {HIERA_FRAME, (uintptr_t)scope, call_site};
    HieraRegionRecord *record = fill_prepared(&place, level, name, args, 0);
    if (HIERA_UNLIKELY(!record)) {
        open_prepared_any(&place, level, name, args);
        return;
    }
    hiera_open_push(hiera_thread, record, place.scope);
    start(hiera_thread, record, hiera_clock_counter());
}

void hiera_mark_prepared(void *scope, const void *call_site, const char *level, const char *name,
                         const HieraPrepared *args)
{
    const HieraRegionPlace place = {HIERA_FRAME, (uintptr_t)scope, call_site};
    HieraRegionRecord *record = fill_prepared(&place, level, name, args, HIERA_END_BYTES);
    if (HIERA_UNLIKELY(!record)) {
        open_prepared_any(&place, level, name, args);
        hiera_close_scope(scope);
        return;
    }
    record->head.start = record->head.finish = hiera_clock_counter();
    hiera_open_fill_end((char *)record + record->head.bytes, record->head.start);
    hiera_record_take(hiera_thread, record->head.bytes + HIERA_END_BYTES);
    hiera_region_leave(hiera_thread);
}

/* Type of hiera_begin() for Fortran (hiera.f90): after the arguments come the hidden lengths of the three texts. */
typedef void FortranBegin(const char *level, const char *name, const char *arguments, size_t level_length,
                          size_t name_length, size_t arguments_length);
/* Type of hiera_end_of() for Fortran: after the name comes its hidden length. */
typedef void FortranEnd(const char *name, size_t name_length);

HIERA_PUBLIC FortranBegin hiera_fortran_begin;
HIERA_PUBLIC FortranEnd hiera_fortran_end;

void hiera_fortran_begin(const char *level, const char *name, const char *arguments, size_t level_length,
                         size_t name_length, size_t arguments_length)
{
    HieraThread *thread = hiera_thread_current();
    HieraBytes given = hiera_region_bytes_of_padded(arguments, arguments_length);
    uintptr_t frame = HIERA_FRAME;
    HieraName *known = NULL;
    if (HIERA_UNLIKELY(!thread)) {
        hiera_region_lose_unattached(0);
        return;
    }
    if (!hiera_region_enter(thread, frame)) {
        hiera_region_lose_inside(thread);
        return;
    }
    if (hiera_region_make_room(thread, given.length, frame, 0)) {
        known = hiera_name_find(thread, HIERA_SITE, hiera_region_bytes_of_padded(level, level_length),
                                hiera_region_bytes_of_padded(name, name_length));
        if (given.length > 0)
            memcpy(((HieraRegionRecord *)(void *)thread->next)->args, given.bytes, given.length);
        if (known)
            hiera_region_open(thread, known, given.length, 0);
    }
    if (HIERA_UNLIKELY(!known))
        hiera_region_lose_open(thread, 0);
    hiera_region_leave(thread);
}

/* Handle an end in a thread that has no HieraThread, or may be inside an MPI call. */
static __attribute__((noinline)) void end_elsewhere(uintptr_t frame, const void *site)
{
    HieraThread *thread = hiera_region_enter_end(HIERA_OPEN_PLAIN, frame, site);
    if (!thread)
        return;
    hiera_open_end(thread, frame, site);
    hiera_region_leave(thread);
}

static inline void end_innermost(HieraThread *thread, uint64_t now)
{
    hiera_open_put_end(thread, &thread->open[thread->n_open - 1], now);
    hiera_region_leave(thread);
}

static __attribute__((noinline)) void end_by_kernel(HieraThread *thread)
{
    end_innermost(thread, hiera_clock_ticks());
}

static __attribute__((noinline)) void end_unusual(HieraThread *thread, uintptr_t frame, const void *site)
{
    hiera_open_end(thread, frame, site);
    hiera_region_leave(thread);
}

/* All calls of functions are tail calls, as in begin_plain(), so that no register has to be saved. */
void hiera_end(void)
{
    HieraThread *thread = hiera_thread;
    if (HIERA_UNLIKELY(!thread || thread->inside != 0)) {
        end_elsewhere(HIERA_FRAME, HIERA_SITE);
        return;
    }
    thread->inside = HIERA_FRAME;
    if (HIERA_UNLIKELY(!hiera_open_end_is_usual(thread, HIERA_FRAME, 0)))
        end_unusual(thread, HIERA_FRAME, HIERA_SITE);
    else if (HIERA_LIKELY(hiera_clock_is_counter()))
        end_innermost(thread, hiera_clock_counter());
    else
        end_by_kernel(thread);
}

static void end_named(HieraBytes name, uintptr_t frame, const void *site)
{
    HieraThread *thread = hiera_region_enter_end(HIERA_OPEN_PLAIN, frame, site);
    if (!thread)
        return;
    hiera_open_end_named(thread, name, frame, site);
    hiera_region_leave(thread);
}

void hiera_end_of(const char *name)
{
    name = name ? name : "";
    end_named((HieraBytes){name, strnlen(name, HIERA_REGION_TEXT_MAX)}, HIERA_FRAME, HIERA_SITE);
}

void hiera_fortran_end(const char *name, size_t name_length)
{
    end_named(hiera_region_bytes_of_padded(name, name_length), HIERA_FRAME, HIERA_SITE);
}

static __attribute__((noinline)) void close_unusual(uintptr_t scope, uintptr_t frame, const void *site)
{
    HieraThread *thread = hiera_region_enter_end(HIERA_OPEN_SCOPE, frame, site);
    if (HIERA_UNLIKELY(!thread))
        return;
    hiera_open_end_scope(thread, scope, frame, site);
    hiera_region_leave(thread);
}

/* All calls of functions are tail calls, as in hiera_end(). */
void hiera_close_scope(void *scope)
{
    HieraThread *thread = hiera_thread;
    bool is_usual = thread && thread->inside == 0 && hiera_open_end_is_usual(thread, HIERA_FRAME, (uintptr_t)scope);
    if (HIERA_UNLIKELY(!is_usual || !hiera_clock_is_counter())) {
        close_unusual((uintptr_t)scope, HIERA_FRAME, HIERA_SITE);
        return;
    }
    thread->inside = HIERA_FRAME;
    end_innermost(thread, hiera_clock_counter());
}

/* Aliases with the names that Fortran compilers give to these functions. */
#define SPELLED(function) __attribute__((alias(#function)))
HIERA_PUBLIC FortranBegin hiera_fortran_begin_ SPELLED(hiera_fortran_begin),
    hiera_fortran_begin__ SPELLED(hiera_fortran_begin), HIERA_FORTRAN_BEGIN SPELLED(hiera_fortran_begin);
HIERA_PUBLIC FortranEnd hiera_fortran_end_ SPELLED(hiera_fortran_end), hiera_fortran_end__ SPELLED(hiera_fortran_end),
    HIERA_FORTRAN_END SPELLED(hiera_fortran_end);

/* Aliases for the Fortran module. These names are not in hiera.h, so that a program may define them itself
 * (hiera_fortran.c). */
HIERA_PUBLIC void hiera_fortran_end_last(void) SPELLED(hiera_end);
