#include "region_counters.h"

#include "base/settings.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

HieraCounterSet hiera_region_counters;

typedef struct HieraCounting {
    uint32_t room;
    double begins[]; /* by open region's index: hiera_region_counters.n values, read at the region's begin */
} HieraCounting;

/* Note for hiera_settings_complain() that a counter of the setting `list` cannot be read. */
static void blame(void *list, const char *name, size_t length, const char *reason)
{
    const char *at = strstr(list, name);
    hiera_settings_blame("HIERA_COUNTERS", at ? at : list, at ? length : strlen(list), reason);
}

void hiera_region_counters_load(void)
{
    if (hiera_settings.counters[0] && hiera_settings.trace)
        hiera_counters_add(&hiera_region_counters, hiera_settings.counters, blame,
                           (void *)(uintptr_t)hiera_settings.counters);
}

/* --- memory for values of counters at begins of regions --- */

static size_t bytes_of(uint32_t room)
{
    return sizeof(HieraCounting) + (size_t)room * hiera_region_counters.n * sizeof(double);
}

/* Make room for the values of the open region `index`. Uses no malloc: the thread may be inside a call of malloc. */
static bool make_room(HieraThread *thread, uint32_t index)
{
    enum { FIRST_ROOM = 64 };
    HieraCounting *old = thread->counting;
    uint32_t room = old ? old->room : FIRST_ROOM;
    int saved_errno = errno;
    while (room <= index)
        room *= 2;
    void *memory = old ? mremap(old, bytes_of(old->room), bytes_of(room), MREMAP_MAYMOVE)
                       : mmap(NULL, bytes_of(room), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = saved_errno;
    if (memory == MAP_FAILED)
        return false;
    thread->counting = memory;
    thread->counting->room = room;
    return true;
}

void hiera_region_counters_free(HieraThread *thread)
{
    if (thread->counting)
        munmap(thread->counting, bytes_of(thread->counting->room));
    thread->counting = NULL;
}

/* --- reading counters at the begin and the end of a region --- */

bool hiera_region_counters_begin(HieraThread *thread, uint32_t index)
{
    bool has_room = (thread->counting && index < thread->counting->room) || make_room(thread, index);
    if (has_room)
        hiera_counters_read(&hiera_region_counters, thread->counting->begins + (size_t)index * hiera_region_counters.n);
    return has_room;
}

void hiera_region_counters_put(HieraThread *thread, uint32_t index)
{
    HieraCountersRecord *record = (HieraCountersRecord *)(void *)thread->next;
    const double *begin = thread->counting->begins + (size_t)index * hiera_region_counters.n;
    hiera_counters_read(&hiera_region_counters, record->values);
    hiera_counters_subtract(&hiera_region_counters, record->values, begin);
    record->bytes = (uint32_t)(sizeof *record + hiera_region_counters.n * sizeof(double));
    record->call = HIERA_RECORD_COUNTERS;
    hiera_record_take(thread, record->bytes);
}
