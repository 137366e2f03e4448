/* User regions: hiera.h on the call path. */
#include "hiera.h"

#include "record.h"
#include "session.h"
#include "settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1023 };

static int paused; /* depth of hiera_pause() */

static size_t text_length(const char *text)
{
    return strnlen(text, TEXT_MAX);
}

static bool level_is_recorded(const char *level)
{
    return hiera_settings.levels[0] == '\0' || hiera_settings_has_word(hiera_settings.levels, level);
}

static char *put_text(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    to[length] = '\0';
    return to + length + 1;
}

/* Format the arguments at the end of the record. Returns their length. */
static size_t put_args(char *to, const char *format, va_list arguments)
{
    int saved_errno = errno;
    int n = vsnprintf(to, TEXT_MAX + 1, format, arguments);
    errno = saved_errno;
    return n < 0 ? 0 : n > TEXT_MAX ? TEXT_MAX : (size_t)n;
}

void hiera_begin(const char *level, const char *name, const char *format, ...)
{
    HieraThread *thread = hiera_thread_current();
    if (HIERA_UNLIKELY(!thread))
        return;
    if (HIERA_UNLIKELY(thread->inside)) { /* a callback of MPI: an MPI call has no children in the trace */
        thread->inside_regions++;
        thread->lost_inside++;
        return;
    }
    if (!level)
        level = "app";
    if (!name)
        name = "";
    size_t level_length = text_length(level), name_length = text_length(name);
    size_t fixed = sizeof(HieraRegionRecord) + level_length + name_length + 3;
    if (!hiera_record_room(thread, fixed + (format ? TEXT_MAX : 0) + 8))
        return;

    HieraRegionRecord *record = (HieraRegionRecord *)(void *)thread->next;
    char *text = put_text((char *)(record + 1), level, level_length);
    text = put_text(text, name, name_length);
    size_t args_length = 0;
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        args_length = put_args(text, format, arguments);
        va_end(arguments);
    }
    text[args_length] = '\0';
    record->level_length = (uint16_t)level_length;
    record->name_length = (uint16_t)name_length;
    record->args_length = (uint16_t)args_length;
    record->parent = thread->open;
    record->head.bytes = (uint32_t)HIERA_ROUND_UP(fixed + args_length);
    record->head.call =
        HIERA_UNLIKELY(hiera_is_idle() || !level_is_recorded(level)) ? HIERA_RECORD_HIDDEN : HIERA_RECORD_REGION;
    record->head.site = __builtin_return_address(0);
    record->head.finish = 0;
    record->head.start = hiera_clock_ticks();
    thread->open = record;
    hiera_record_take(thread, record->head.bytes);
}

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
