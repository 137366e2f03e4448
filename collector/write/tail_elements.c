#include "tail_elements.h"

#include "element.h"
#include "places/call_site.h"
#include "record/pause.h"
#include "record/unbalanced.h"

#include <string.h>

static void put_pause(HieraTraceFile *stream, HieraPause pause)
{
    HieraText *text = stream->text;
    HIERA_TEXT_LITERAL(text, "\n  <hieraPause start_time=\"");
    hiera_text_seconds(text, hiera_element_time_ns(pause.begin));
    HIERA_TEXT_LITERAL(text, "\" finish_time=\"");
    if (pause.end != 0)
        hiera_text_seconds(text, hiera_element_time_ns(pause.end));
    HIERA_TEXT_LITERAL(text, "\" count=\"");
    hiera_text_unsigned(text, pause.calls);
    if (pause.times > 1) {
        HIERA_TEXT_LITERAL(text, "\" pauses=\"");
        hiera_text_unsigned(text, pause.times);
    }
    HIERA_TEXT_LITERAL(text, "\"/>");
}

void hiera_tail_put_pauses(HieraTraceFile *stream)
{
    unsigned n = hiera_pause_count();
    for (unsigned i = 0; i < n; i++)
        put_pause(stream, hiera_pause_get(i));
}

static void begin_note(HieraText *text, HieraImbalance what)
{
    static const char *const reasons[] = {
#define X(identifier, reason) reason,
        HIERA_IMBALANCES(X)
#undef X
    };
    HIERA_TEXT_LITERAL(text, "\n  <hieraUnbalanced reason=\"");
    hiera_text_bytes(text, reasons[what], strlen(reasons[what]));
    HIERA_TEXT_LITERAL(text, "\"");
}

/* Begin an element hieraUnbalanced with the region's level, name and call site. */
static void begin_place(HieraTraceFile *stream, const HieraNote *note)
{
    HieraText *text = stream->text;
    bool is_function = note->what != HIERA_IMBALANCE_ALONE && !note->has_name;
    const void *place = (const char *)note->site + is_function; /* + 1: inside the function, as a return address is */
    const HieraSiteText *site = hiera_site_resolve(place);
    hiera_element_declare_object(stream, place);
    if (is_function)
        hiera_element_declare_object_of_function(stream, note->site);
    const char *level = is_function ? "function" : note->text;
    const char *name = is_function ? hiera_site_function_name(note->site)->name : note->text + strlen(note->text) + 1;
    begin_note(text, note->what);
    if (note->what != HIERA_IMBALANCE_ALONE) {
        HIERA_TEXT_LITERAL(text, " level=\"");
        hiera_text_escaped(text, level, strlen(level));
        HIERA_TEXT_LITERAL(text, "\" name=\"");
        hiera_text_escaped(text, name, strlen(name));
        HIERA_TEXT_LITERAL(text, "\"");
    }
    hiera_text_bytes(text, site->attributes, site->length);
}

static void put_note(HieraTraceFile *stream, const HieraNote *note)
{
    if (note->what == HIERA_IMBALANCE_OTHER)
        begin_note(stream->text, note->what);
    else
        begin_place(stream, note);
    HIERA_TEXT_LITERAL(stream->text, " count=\"");
    hiera_text_unsigned(stream->text, __atomic_load_n(&note->count, __ATOMIC_RELAXED));
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

static void put_notes(HieraTraceFile *stream, const HieraBalance *balance)
{
    uint32_t n = balance ? __atomic_load_n(&balance->n, __ATOMIC_ACQUIRE) : 0;
    for (uint32_t i = 0; i < n; i++)
        put_note(stream, &balance->notes[i]);
}

/* The declarations of objects in the tail count as not made, because the next flush overwrites the tail. */
void hiera_tail_put_unbalanced(HieraTraceFile *stream, const HieraThread *threads)
{
    uint64_t declared = stream->state.objects;
    put_notes(stream, hiera_balance_of_ended_threads());
    for (const HieraThread *thread = threads; thread; thread = thread->next_thread)
        put_notes(stream, __atomic_load_n(&thread->balance, __ATOMIC_ACQUIRE));
    stream->state.objects = declared;
}

void hiera_tail_put_aggregations(HieraTraceFile *stream, const char *lines, size_t bytes)
{
    for (const char *at = lines, *end = lines + bytes, *stop; at < end && (stop = memchr(at, '\n', (size_t)(end - at)));
         at = stop + 1) {
        HIERA_TEXT_LITERAL(stream->text, "\n  <hieraAggregation saved=\"");
        hiera_text_escaped(stream->text, at, (size_t)(stop - at));
        HIERA_TEXT_LITERAL(stream->text, "\"/>");
    }
}
