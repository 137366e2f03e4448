/* See unbalanced.h. */
#include "unbalanced.h"

#include "base/kept.h"
#include "base/kept_memory.h"

#include <string.h>

static HieraBalance of_ended_threads HIERA_KEPT;

/* Copy level and name, each with its NUL. */
static void copy_texts(char *to, const HieraName *name)
{
    enum { LEVEL_MAX = 31 };
    size_t level = name->level_length < LEVEL_MAX ? name->level_length : LEVEL_MAX;
    size_t room = HIERA_NOTE_TEXT - level - 2;
    size_t length = name->name_length < room ? name->name_length : room;
    memcpy(to, name->level, level);
    memcpy(to + level + 1, hiera_name_text(name), length);
}

static void add(HieraBalance *balance, const HieraNote *note)
{
    uint32_t i = 0;
    while (i < balance->n && (balance->notes[i].what != note->what || balance->notes[i].site != note->site ||
                              memcmp(balance->notes[i].text, note->text, HIERA_NOTE_TEXT) != 0))
        i++;
    if (i == HIERA_NOTES) {
        i--;
    } else if (i == balance->n) {
        balance->notes[i] = *note;
        balance->notes[i].count = 0;
        __atomic_store_n(&balance->n, i + 1, __ATOMIC_RELEASE);
    }
    uint64_t count = balance->notes[i].count + note->count;
    __atomic_store_n(&balance->notes[i].count, count, __ATOMIC_RELAXED);
}

void hiera_balance_note(HieraThread *thread, HieraImbalance what, const HieraName *name, const void *site)
{
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
