/* See open_begins.h. A stack of copies. If there is no memory for a copy, the regions from there on are only counted.
 */
#include "open_begins.h"

#include "memory/signal_safe_memory.h"
#include "record/open_regions.h"

#include <string.h>

struct HieraBegins {
    HieraRecord **records;
    uint32_t n, room;
    uint32_t unkept; /* number of open regions inside those of `records` for whose copies there was no memory */
};

static bool make_room(struct HieraBegins *begins)
{
    if (begins->n < begins->room)
        return true;
    size_t each = sizeof *begins->records, larger = begins->room ? 2 * begins->room : 32;
    HieraRecord **records = hiera_memory_grow(begins->records, begins->room * each, larger * each);
    if (!records)
        return false;
    begins->records = records;
    begins->room = (uint32_t)larger;
    return true;
}

static void push(struct HieraBegins *begins, const HieraRecord *record)
{
    bool has_room = begins->unkept == 0 && make_room(begins);
    HieraRecord *copy = has_room ? hiera_memory_new(record->bytes) : NULL;
    if (!copy) {
        begins->unkept++;
        return;
    }
    memcpy(copy, record, record->bytes);
    copy->finish = 0;
    begins->records[begins->n++] = copy;
}

static void pop(struct HieraBegins *begins)
{
    if (begins->unkept > 0) {
        begins->unkept--;
    } else if (begins->n > 0) {
        HieraRecord *copy = begins->records[--begins->n];
        hiera_memory_free(copy, copy->bytes);
    }
}

void hiera_begins_follow(HieraThread *thread, const HieraRecord *record)
{
    bool begins = record->call == HIERA_RECORD_REGION || record->call == HIERA_RECORD_FUNCTION ||
                  record->call == HIERA_RECORD_FILTERED;
    if (begins && !thread->begins)
        thread->begins = hiera_memory_new(sizeof *thread->begins);
    if (begins && thread->begins)
        push(thread->begins, record);
    else if (record->call == HIERA_RECORD_END && thread->begins)
        pop(thread->begins);
}

void hiera_begins_settle(HieraThread *thread)
{
    struct HieraBegins *begins = thread->begins;
    for (uint32_t i = 0; begins && i < begins->n && i < thread->n_recorded; i++)
        if (begins->records[i]->call == HIERA_RECORD_REGION && thread->open[i].name)
            ((HieraRegionRecord *)(void *)begins->records[i])->name = thread->open[i].name;
}

const HieraRecord *hiera_begins_at(const HieraThread *thread, uint32_t n)
{
    return thread->begins && n < thread->begins->n ? thread->begins->records[n] : NULL;
}

void hiera_begins_free(HieraThread *thread)
{
    struct HieraBegins *begins = thread->begins;
    if (!begins)
        return;
    begins->unkept = 0;
    while (begins->n > 0)
        pop(begins);
    hiera_memory_free(begins->records, begins->room * sizeof *begins->records);
    hiera_memory_free(begins, sizeof *begins);
    thread->begins = NULL;
}
