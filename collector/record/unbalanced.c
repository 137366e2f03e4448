#include "unbalanced.h"

#include "base/kept.h"
#include "forked_regions.h"
#include "memory/kept_memory.h"

#include <string.h>

static HieraBalance of_ended_threads HIERA_KEPT;

/* Copy level and name to `to`, each with a NUL, shortened to fit HIERA_NOTE_TEXT. */
static void copy_texts(char *to, const HieraName *name)
{
    enum { LEVEL_MAX = 31 };
    size_t level = name->level_length < LEVEL_MAX ? name->level_length : LEVEL_MAX;
    size_t room = HIERA_NOTE_TEXT - level - 2;
    size_t length = name->name_length < room ? name->name_length : room;
    memcpy(to, name->level, level);
    memcpy(to + level + 1, hiera_name_text(name), length);
}

static bool is_same(const HieraNote *a, const HieraNote *b)
{
    return a->what == b->what && a->site == b->site && memcmp(a->text, b->text, HIERA_NOTE_TEXT) == 0;
}

/* Return the index of an equal note; if there is none, the index where the note would be added. */
static uint32_t find(const HieraBalance *balance, const HieraNote *note)
{
    uint32_t i = 0;
    while (i < balance->n && !is_same(&balance->notes[i], note))
        i++;
    return i;
}

static void add(HieraBalance *balance, const HieraNote *note)
{
    static const HieraNote other = {.what = HIERA_IMBALANCE_OTHER};
    uint32_t i = find(balance, note);
    uint64_t count = note->count;
    if (i == balance->n && i >= HIERA_NOTES - 1) {
        note = &other;
        i = find(balance, note);
    }
    if (i == balance->n) {
        balance->notes[i] = *note;
        balance->notes[i].count = 0;
        __atomic_store_n(&balance->n, i + 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&balance->notes[i].count, balance->notes[i].count + count, __ATOMIC_RELAXED);
}

void hiera_balance_note(HieraThread *thread, HieraImbalance what, const HieraName *name, const void *site)
{
    if (what == HIERA_IMBALANCE_ALONE && hiera_forked_end())
        return;
    HieraNote note = {.what = what, .count = 1, .site = site, .has_name = name != NULL};
    if (!thread->balance) {
        void *memory = hiera_kept_map(sizeof *thread->balance);
        if (!memory)
            return;
        __atomic_store_n(&thread->balance, memory, __ATOMIC_RELEASE);
    }
    if (name)
        copy_texts(note.text, name);
    add(thread->balance, &note);
}

void hiera_balance_end_thread(HieraThread *thread)
{
    if (!thread->balance)
        return;
    for (uint32_t i = 0; i < thread->balance->n; i++)
        add(&of_ended_threads, &thread->balance->notes[i]);
    hiera_kept_unmap(thread->balance, sizeof *thread->balance);
    thread->balance = NULL;
}

const HieraBalance *hiera_balance_of_ended_threads(void)
{
    return &of_ended_threads;
}
