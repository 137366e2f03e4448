/* User regions: hiera.h and hiera.f90 on the call path. */
#include "hiera.h"

#include "record.h"
#include "session.h"
#include "settings.h"
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { TEXT_MAX = 1023 };

static int paused; /* depth of hiera_pause() */

/* Bytes of the program that need not end with NUL. */
typedef struct Text {
    const char *bytes;
    size_t length;
} Text;

static Text text_of(const char *bytes, const char *if_null)
{
    if (!bytes)
        bytes = if_null;
    return (Text){bytes, strnlen(bytes, TEXT_MAX)};
}

/* Of Fortran: padded with blanks; absent is NULL. */
static Text text_of_padded(const char *bytes, size_t length)
{
    while (bytes && length > 0 && bytes[length - 1] == ' ')
        length--;
    return (Text){bytes, !bytes ? 0 : length > TEXT_MAX ? TEXT_MAX : length};
}

static bool level_is_recorded(const char *level)
{
    return hiera_settings.levels[0] == '\0' || hiera_settings_has_word(hiera_settings.levels, level);
}

static char *put_text(char *to, Text text)
{
    if (text.length > 0)
        memcpy(to, text.bytes, text.length);
    to[text.length] = '\0';
    return to + text.length + 1;
}

/* Format the arguments at the end of the record. Returns their length. */
static size_t put_args(char *to, const char *format, va_list arguments)
{
    int saved_errno = errno;
    size_t n = hiera_text_print_arguments(to, TEXT_MAX + 1, format, arguments);
    errno = saved_errno;
    return n;
}

static size_t fixed_bytes(Text level, Text name)
{
    return sizeof(HieraRegionRecord) + level.length + name.length + 3;
}

/* Begin the record of a region; *args is where its arguments go, `room` bytes of them. NULL if it is not recorded. */
static inline HieraRegionRecord *start_record(HieraThread *thread, Text level, Text name, size_t room, char **args)
{
    if (HIERA_UNLIKELY(!thread))
        return NULL;
    if (HIERA_UNLIKELY(thread->inside)) { /* a callback of MPI: an MPI call has no children in the trace */
        thread->inside_regions++;
        thread->lost_inside++;
        return NULL;
    }
    if (!hiera_record_room(thread, fixed_bytes(level, name) + room + 8))
        return NULL;
    HieraRegionRecord *record = (HieraRegionRecord *)(void *)thread->next;
    *args = put_text(put_text((char *)(record + 1), level), name);
    record->level_length = (uint16_t)level.length;
    record->name_length = (uint16_t)name.length;
    return record;
}

/* Its arguments are there: from now on the region is open. */
static inline void finish_record(HieraThread *thread, HieraRegionRecord *record, size_t args_length, const void *site)
{
    const char *level = (const char *)(record + 1);
    size_t fixed = sizeof *record + record->level_length + record->name_length + 3u;
    record->args_length = (uint16_t)args_length;
    record->parent = thread->open;
    record->head.bytes = (uint32_t)HIERA_ROUND_UP(fixed + args_length);
    record->head.call =
        HIERA_UNLIKELY(hiera_is_idle() || !level_is_recorded(level)) ? HIERA_RECORD_HIDDEN : HIERA_RECORD_REGION;
    record->head.site = site;
    record->head.finish = 0;
    record->head.start = hiera_clock_ticks();
    thread->open = record;
    hiera_record_take(thread, record->head.bytes);
}

static void begin(const void *site, const char *level, const char *name, const char *format, va_list arguments)
{
    HieraThread *thread = hiera_thread_current();
    char *args;
    HieraRegionRecord *record =
        start_record(thread, text_of(level, "app"), text_of(name, ""), format ? TEXT_MAX : 0, &args);
    if (!record)
        return;
    size_t length = format ? put_args(args, format, arguments) : 0;
    args[length] = '\0';
    finish_record(thread, record, length, site);
}

void hiera_begin(const char *level, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(__builtin_return_address(0), level, name, format, arguments);
    va_end(arguments);
}

void hiera_begin_at(const void *call_site, const char *level, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(call_site, level, name, format, arguments);
    va_end(arguments);
}

/* hiera_begin() of the Fortran module (hiera.f90): the hidden lengths follow the arguments. */
typedef void FortranBegin(const char *level, const char *name, const char *arguments, size_t level_length,
                          size_t name_length, size_t arguments_length);

HIERA_PUBLIC FortranBegin hiera_fortran_begin;

void hiera_fortran_begin(const char *level, const char *name, const char *arguments, size_t level_length,
                         size_t name_length, size_t arguments_length)
{
    HieraThread *thread = hiera_thread_current();
    Text given = text_of_padded(arguments, arguments_length);
    char *args;
    HieraRegionRecord *record = start_record(thread, text_of_padded(level, level_length),
                                             text_of_padded(name, name_length), given.length, &args);
    if (!record)
        return;
    put_text(args, given);
    finish_record(thread, record, given.length, __builtin_return_address(0));
}

/* As Fortran compilers spell it. */
#define SPELLED __attribute__((alias("hiera_fortran_begin")))
HIERA_PUBLIC FortranBegin hiera_fortran_begin_ SPELLED, hiera_fortran_begin__ SPELLED, HIERA_FORTRAN_BEGIN SPELLED;

void hiera_end(void)
{
    HieraThread *thread = hiera_thread_current();
    if (HIERA_UNLIKELY(!thread))
        return;
    if (HIERA_UNLIKELY(thread->inside)) {
        if (thread->inside_regions > 0)
            thread->inside_regions--;
        else
            thread->lost_ends++;
        return;
    }
    /* The room first: it may flush, and then the region is no longer in the buffer. The time behind it: the flush is in
     * the document before the end, so it must be so in time. */
    if (!hiera_record_room(thread, HIERA_END_BYTES))
        return;
    uint64_t now = hiera_clock_ticks();
    if (thread->open) {
        HieraRegionRecord *region = thread->open;
        __atomic_store_n(&region->head.finish, now, __ATOMIC_RELAXED); /* another thread may be writing the region */
        thread->open = region->parent;
    } else if (thread->flushed_open > 0) {
        thread->flushed_open--;
    } else {
        thread->lost_ends++;
        return;
    }
    HieraRecord *record = (HieraRecord *)(void *)thread->next;
    record->bytes = HIERA_END_BYTES;
    record->call = HIERA_RECORD_END;
    record->start = now;
    hiera_record_take(thread, HIERA_END_BYTES);
}

void hiera_pause(void)
{
    if (__atomic_fetch_add(&paused, 1, __ATOMIC_ACQ_REL) == 0)
        __atomic_add_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
}

void hiera_resume(void)
{
    int depth = __atomic_load_n(&paused, __ATOMIC_ACQUIRE);
    while (depth > 0 &&
           !__atomic_compare_exchange_n(&paused, &depth, depth - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
    if (depth == 1)
        __atomic_sub_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
}
