/* Notes about begins and ends that do not fit. See unbalanced.h. */
#include "unbalanced.h"

#include "places/call_site.h"
#include "process/session_state.h"
#include "write/trace_file.h"
#include "write/writer.h"

#include <string.h>
#include <sys/mman.h>

static HieraBalance of_ended_threads;

/* Level and name, each with its NUL. */
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
        void *memory = mmap(NULL, sizeof *thread->balance, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
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
    munmap(thread->balance, sizeof *thread->balance);
    thread->balance = NULL;
}

static void put_note(HieraStream *stream, const HieraNote *note)
{
    HieraText *text = stream->text;
    static const char *const reasons[] = {
#define X(identifier, reason) reason,
        HIERA_IMBALANCES(X)
#undef X
    };
    bool is_function = note->what != HIERA_IMBALANCE_ALONE && !note->has_name;
    const void *place = (const char *)note->site + is_function; /* in it, not before it */
    const HieraSiteText *site = hiera_site_resolve(place);
    hiera_writer_declare_object(stream, place);
    if (is_function)
        hiera_writer_declare_object_of_function(stream, note->site);
    const char *level = is_function ? "function" : note->text;
    const char *name = is_function ? hiera_site_function_name(note->site)->name : note->text + strlen(note->text) + 1;
    HIERA_TEXT_LITERAL(text, "\n  <hieraUnbalanced reason=\"");
    hiera_text_bytes(text, reasons[note->what], strlen(reasons[note->what]));
    if (note->what != HIERA_IMBALANCE_ALONE) {
        HIERA_TEXT_LITERAL(text, "\" level=\"");
        hiera_text_escaped(text, level, strlen(level));
        HIERA_TEXT_LITERAL(text, "\" name=\"");
        hiera_text_escaped(text, name, strlen(name));
    }
    HIERA_TEXT_LITERAL(text, "\"");
    hiera_text_bytes(text, site->attributes, site->length);
    HIERA_TEXT_LITERAL(text, " count=\"");
    hiera_text_unsigned(text, __atomic_load_n(&note->count, __ATOMIC_RELAXED));
    HIERA_TEXT_LITERAL(text, "\"/>");
}

static void put_notes(HieraStream *stream, const HieraBalance *balance)
{
    uint32_t n = balance ? __atomic_load_n(&balance->n, __ATOMIC_ACQUIRE) : 0;
    for (uint32_t i = 0; i < n; i++)
        put_note(stream, &balance->notes[i]);
}

/* It is part of the tail, which is written anew each time, and the objects that it declares with it. */
void hiera_balance_put(HieraStream *stream)
{
    uint64_t declared = stream->objects;
    put_notes(stream, &of_ended_threads);
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        put_notes(stream, __atomic_load_n(&thread->balance, __ATOMIC_ACQUIRE));
    stream->objects = declared;
}
