/* Writes open regions and kept calls at the begin of a trace, by the usual writer, in the order of their begin. */
#include "prologue.h"

#include "kept_calls.h"
#include "open_begins.h"
#include "write/element.h"
#include "write/level_ops.h"
#include "write/writer.h"

/* The next kept call of this thread, behind `after` in the list, that has a record; NULL: none. */
static const HieraKeptCall *next_call(const HieraThread *thread, const HieraKeptCall *after)
{
    const HieraKeptCall *kept = hiera_kept_next(after);
    while (kept && (!kept->record || kept->thread != thread->number))
        kept = hiera_kept_next(kept);
    return kept;
}

static void put_places(HieraText *text, const HieraThread *thread)
{
    const HieraKeptCall *kept = next_call(thread, NULL);
    if (!kept)
        return;
    HIERA_TEXT_LITERAL(text, " places=\"");
    for (bool is_first = true; kept; kept = next_call(thread, kept), is_first = false) {
        if (!is_first)
            hiera_text_char(text, ' ');
        if (kept->place == HIERA_NO_PLACE)
            hiera_text_char(text, '-');
        else
            hiera_text_unsigned(text, kept->place);
    }
    hiera_text_char(text, '"');
}

static void put_before(HieraTraceFile *stream, const HieraThread *thread, uint64_t since_ns)
{
    bool is_main = thread->number == 0;
    if (is_main)
        hiera_level.declare_channels(stream);
    HIERA_ELEMENT_OPEN(stream, "<hieraBefore time=\"");
    hiera_text_seconds(stream->text, since_ns);
    hiera_text_char(stream->text, '"');
    put_places(stream->text, thread);
    if (is_main && !hiera_level.channels_are_complete())
        HIERA_TEXT_LITERAL(stream->text, " complete=\"no\"");
    HIERA_TEXT_LITERAL(stream->text, ">");
    if (is_main)
        hiera_level.put_channels(stream);
    HIERA_ELEMENT_OPEN(stream, "</hieraBefore>");
}

static uint64_t put_record(HieraTraceFile *stream, const HieraRecord *record)
{
    const char *begin = (const char *)record;
    hiera_writer_write(stream, begin, begin + record->bytes, true);
    return stream->unsure;
}

void hiera_prologue_put(HieraTraceFile *stream, const HieraThread *thread, uint64_t since_ns)
{
    uint64_t operations = 0;
    put_before(stream, thread, since_ns);
    const HieraKeptCall *kept = next_call(thread, NULL);
    const HieraRecord *region;
    for (uint32_t n = 0; (region = hiera_begins_at(thread, n)) || kept;) {
        if (region && (!kept || region->start <= kept->record->start)) {
            operations += put_record(stream, region);
            n++;
        } else {
            operations += put_record(stream, kept->record);
            kept = next_call(thread, kept);
        }
    }
    HIERA_ELEMENT_OPEN(stream, "<hieraSince/>");
    stream->unsure = operations;
}
