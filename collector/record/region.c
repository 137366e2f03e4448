/* User regions: hiera.h and hiera.f90 on the call path. */
#include "base/life.h"
#include "base/xml_text.h"
#include "hiera.h"
#include "open_regions.h"
#include "unbalanced.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { TEXT_MAX = HIERA_REGION_TEXT_MAX };

/* The caller's stack pointer, which is below all of its variables. */
#define FRAME ((uintptr_t)__builtin_dwarf_cfa())
#define SITE  __builtin_return_address(0)

/* A text of Fortran, padded with blanks; NULL if absent. */
static HieraBytes bytes_of_padded(const char *bytes, size_t length)
{
    while (bytes && length > 0 && bytes[length - 1] == ' ')
        length--;
    return (HieraBytes){bytes, !bytes ? 0 : length > TEXT_MAX ? TEXT_MAX : length};
}

/* Format the arguments at the end of the record. Returns their length. */
static size_t put_args(char *to, const char *format, va_list arguments)
{
    if (strcmp(format, "%s") == 0) { /* ready text, as from wrappers of libraries: avoid printf, which is slow */
        const char *text = va_arg(arguments, const char *);
        size_t length = strnlen(text ? text : "(null)", TEXT_MAX);
        memcpy(to, text ? text : "(null)", length);
        return length;
    }
    int saved_errno = errno;
    size_t n = hiera_text_print_arguments(to, TEXT_MAX + 1, format, arguments);
    errno = saved_errno;
    return n;
}

/* Enter the collector. Returns false in a callback of MPI, where no region may begin or end: an MPI call has no
 * children in the trace. Until leave(), a signal handler records nothing. */
static inline bool enter(HieraThread *thread, uintptr_t frame)
{
    if (hiera_open_is_inside(thread, frame))
        return false;
    thread->inside = frame;
    return true;
}

static inline void leave(HieraThread *thread)
{
    thread->inside = 0;
}

/* Make room for a record with `args` bytes of arguments, and for an entry of its region. */
static inline bool make_room(HieraThread *thread, size_t args, uintptr_t frame, uintptr_t scope)
{
    if (HIERA_UNLIKELY(hiera_open_has_dead(thread, frame, scope)))
        hiera_open_close_unwound(thread, frame, scope);
    return hiera_open_may_keep(thread, frame) &&
           (HIERA_LIKELY(thread->n_open < thread->room_open) || hiera_open_make_room(thread)) &&
           hiera_record_room(thread, sizeof(HieraRegionRecord) + args + 8);
}

/* Open the region; its record has its arguments. */
static inline void open_region(HieraThread *thread, HieraName *name, size_t args_length, uintptr_t scope)
{
    HieraRegionRecord *record = (HieraRegionRecord *)(void *)thread->next;
    record->name = name;
    record->args_length = (uint32_t)args_length;
    record->head.bytes = (uint32_t)HIERA_ROUND_UP(sizeof *record + args_length + 1);
    record->head.call =
        HIERA_UNLIKELY(hiera_is_idle() || !name->is_recorded) ? HIERA_RECORD_HIDDEN : HIERA_RECORD_REGION;
    record->head.site = name->site;
    record->head.finish = 0;
    ((char *)(record + 1))[args_length] = '\0';
    hiera_open_push(thread, record, scope);
    record->head.start = hiera_clock_ticks();
    hiera_record_take(thread, record->head.bytes);
}

static void lose_inside(HieraThread *thread)
{
    thread->inside_regions++;
    thread->lost_inside++;
}

static void lose_open(HieraThread *thread, uintptr_t scope)
{
    thread->lost_open++;
    hiera_open_lose(&thread->unkept, scope ? HIERA_OPEN_SCOPE : HIERA_OPEN_PLAIN, scope);
}

/* There is no memory for the state of the thread. hiera_thread_attach() has counted the loss. */
static void lose_unattached(uintptr_t scope)
{
    if (!hiera_life.closed)
        hiera_open_lose(&hiera_unattached, scope ? HIERA_OPEN_SCOPE : HIERA_OPEN_PLAIN, scope);
}

typedef struct Place {
    uintptr_t frame, scope; /* scope 0: plain region */
    const void *site;
} Place;

/* `place` is passed by its address: a copy would be read in other pieces than it was stored in, which is slow. */
static inline void begin(const Place *place, const char *level, const char *name, const char *format, va_list arguments)
{
    HieraThread *thread = hiera_thread_current();
    if (HIERA_UNLIKELY(!thread)) {
        lose_unattached(place->scope);
        return;
    }
    if (!enter(thread, place->frame)) {
        lose_inside(thread);
        return;
    }
    HieraName *known = NULL;
    if (make_room(thread, format ? TEXT_MAX : 0, place->frame, place->scope)) {
        known = hiera_name_find_text(thread, place->site, level ? level : "app", name ? name : "");
        size_t length =
            format ? put_args((char *)((HieraRegionRecord *)(void *)thread->next + 1), format, arguments) : 0;
        if (HIERA_LIKELY(known != NULL))
            open_region(thread, known, length, place->scope);
    }
    if (HIERA_UNLIKELY(!known))
        lose_open(thread, place->scope);
    leave(thread);
}

void hiera_begin(const char *level, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(&(Place){FRAME, 0, SITE}, level, name, format, arguments);
    va_end(arguments);
}

void hiera_begin_at(const void *call_site, const char *level, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(&(Place){FRAME, 0, call_site}, level, name, format, arguments);
    va_end(arguments);
}

void hiera_open_scope(void *scope, const void *call_site, const char *level, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(&(Place){FRAME, (uintptr_t)scope, call_site ? call_site : SITE}, level, name, format, arguments);
    va_end(arguments);
}

/* hiera_begin() of the Fortran module (hiera.f90): the hidden lengths follow the arguments. */
typedef void FortranBegin(const char *level, const char *name, const char *arguments, size_t level_length,
                          size_t name_length, size_t arguments_length);
/* … and hiera_end(), which is called with a name here. */
typedef void FortranEnd(const char *name, size_t name_length);

HIERA_PUBLIC FortranBegin hiera_fortran_begin;
HIERA_PUBLIC FortranEnd hiera_fortran_end;

void hiera_fortran_begin(const char *level, const char *name, const char *arguments, size_t level_length,
                         size_t name_length, size_t arguments_length)
{
    HieraThread *thread = hiera_thread_current();
    HieraBytes given = bytes_of_padded(arguments, arguments_length);
    uintptr_t frame = FRAME;
    HieraName *known = NULL;
    if (HIERA_UNLIKELY(!thread)) {
        lose_unattached(0);
        return;
    }
    if (!enter(thread, frame)) {
        lose_inside(thread);
        return;
    }
    if (make_room(thread, given.length, frame, 0)) {
        known = hiera_name_find(thread, SITE, bytes_of_padded(level, level_length), bytes_of_padded(name, name_length));
        if (given.length > 0)
            memcpy((HieraRegionRecord *)(void *)thread->next + 1, given.bytes, given.length);
        if (known)
            open_region(thread, known, given.length, 0);
    }
    if (HIERA_UNLIKELY(!known))
        lose_open(thread, 0);
    leave(thread);
}

/* Common start of all ends: return the thread, or NULL if there is nothing to do. */
static inline HieraThread *enter_end(HieraOpenKind kind, uintptr_t frame, const void *site)
{
    HieraThread *thread = hiera_thread;
    if (HIERA_UNLIKELY(!thread)) {
        if (hiera_open_end_lost(&hiera_unattached, kind))
            return NULL;
        thread = hiera_thread_attach();
    }
    if (HIERA_UNLIKELY(!thread))
        return NULL;
    if (HIERA_LIKELY(enter(thread, frame)))
        return thread;
    if (thread->inside_regions > 0)
        thread->inside_regions--;
    else
        hiera_balance_note(thread, HIERA_IMBALANCE_ALONE, NULL, site);
    return NULL;
}

void hiera_end(void)
{
    HieraThread *thread = enter_end(HIERA_OPEN_PLAIN, FRAME, SITE);
    if (HIERA_UNLIKELY(!thread))
        return;
    hiera_open_end(thread, FRAME, SITE);
    leave(thread);
}

static void end_named(HieraBytes name, uintptr_t frame, const void *site)
{
    HieraThread *thread = enter_end(HIERA_OPEN_PLAIN, frame, site);
    if (!thread)
        return;
    hiera_open_end_named(thread, name, frame, site);
    leave(thread);
}

void hiera_end_of(const char *name)
{
    name = name ? name : "";
    end_named((HieraBytes){name, strnlen(name, TEXT_MAX)}, FRAME, SITE);
}

void hiera_fortran_end(const char *name, size_t name_length)
{
    end_named(bytes_of_padded(name, name_length), FRAME, SITE);
}

void hiera_close_scope(void *scope)
{
    HieraThread *thread = enter_end(HIERA_OPEN_SCOPE, FRAME, SITE);
    if (HIERA_UNLIKELY(!thread))
        return;
    hiera_open_end_scope(thread, (uintptr_t)scope, FRAME, SITE);
    leave(thread);
}

/* Spellings of Fortran compilers. */
#define SPELLED(function) __attribute__((alias(#function)))
HIERA_PUBLIC FortranBegin hiera_fortran_begin_ SPELLED(hiera_fortran_begin),
    hiera_fortran_begin__ SPELLED(hiera_fortran_begin), HIERA_FORTRAN_BEGIN SPELLED(hiera_fortran_begin);
HIERA_PUBLIC FortranEnd hiera_fortran_end_ SPELLED(hiera_fortran_end), hiera_fortran_end__ SPELLED(hiera_fortran_end),
    HIERA_FORTRAN_END SPELLED(hiera_fortran_end);

/* The same for the Fortran module. These names are not in hiera.h, so that a program may define them itself
 * (hiera_fortran.c). */
HIERA_PUBLIC void hiera_fortran_end_last(void) SPELLED(hiera_end);
