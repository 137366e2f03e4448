/* See call_writer.h. A complete call is written from the cache (format_cache.h) if possible; else in compact spelling
 * if the trace has it; else in full. */
#include "call_writer.h"

#include "base/life.h"
#include "base/lock.h"
#include "call_compact.h"
#include "call_format.h"
#include "format_cache.h"
#include "handle_format.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/handles.h"
#include "mpi/handle/listed.h"
#include "mpi/handle/types.h"
#include "write/element.h"

/* Will all handles of the record keep their names and declarations? Then its text may be cached. Returns false if the
 * facts of one are not known yet, or if the record has lists of handles, which are not examined. */
static bool names_stay(const HieraMpiRecord *record, const HieraMpiCall *call)
{
    for (uint32_t set = hiera_call_present(call->sets.declared, record); set;) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        HieraHandleClass kind = argument->kind - HIERA_ARGUMENT_HANDLE;
        uint32_t number, own;
        memcpy(&number, (const char *)record + argument->offset, sizeof number);
        hiera_handle_name(kind, number, &own);
        uint32_t version = kind == HIERA_HANDLE_COMM   ? hiera_comm_facts(number)->version
                           : kind == HIERA_HANDLE_TYPE ? hiera_type_facts(number)->version
                                                       : hiera_group_facts(number)->version;
        if (version == 0 && (own != 0 || kind == HIERA_HANDLE_COMM))
            return false;
    }
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        const HieraArgument *argument = hiera_tail_argument(call, tail);
        if (argument && argument->kind >= HIERA_ARGUMENT_HANDLE)
            return false;
    }
    return true;
}

/* Write the arguments that are different in each call, and the end of the element. */
static void put_own(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    if (call->sets.own)
        hiera_format_arguments(text, record, call, call->sets.own);
    if (record->head.bytes > call->bytes)
        hiera_format_tails(text, record, call, HIERA_PART_REQUESTS);
    HIERA_TEXT_LITERAL(text, "/>");
}

static void put_common(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    hiera_format_arguments(text, record, call, call->sets.common);
    hiera_format_tails(text, record, call, HIERA_PART_OTHERS);
    hiera_format_bytes(text, record->sent, record->received);
    hiera_format_error(text, record->error);
    hiera_format_posted(text, record->flags);
}

/* Called after a read of another thread's list: is the call still in progress? If not, the value read is invalid. */
static bool is_there(const HieraMpiRecord *record, const HieraTail *tail)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return (__atomic_load_n(&record->flags, __ATOMIC_RELAXED) & HIERA_MPI_LISTED) != 0 &&
           tail->argument == HIERA_TAIL_LISTED;
}

/* ` requests="…"` of a call in progress, if it lists any. */
static void put_listed(HieraText *text, const HieraMpiRecord *record)
{
    const HieraTail *there = hiera_listed_place(record);
    const HieraPending *pending = (const HieraPending *)(intptr_t)there->total;
    HieraTail list = {.total = there->stored};
    if (hiera_life.recovers || !is_there(record, there))
        return; /* the requests of a process that was killed are gone */
    HIERA_TEXT_LITERAL(text, " requests=\"");
    for (; list.stored < list.total; list.stored++) {
        uint32_t number = hiera_request_listed(&pending[list.stored]);
        if (!is_there(record, there))
            break;
        if (list.stored > 0)
            hiera_text_char(text, ' ');
        hiera_text_unsigned(text, number);
    }
    hiera_format_list_end(text, &list);
}

/* Write a call in progress: its input arguments. The request that it starts is left out, since the thread of the call
 * may be storing it at this moment. */
static void put_begun(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    hiera_element_declare_object(stream, record->head.site);
    hiera_format_declarations(stream, record, call, false);
    hiera_element_open(stream, call->element, call->element_length);
    hiera_element_put_site(stream, record->head.site);
    hiera_element_put_times(stream, &record->head, NULL);
    hiera_format_arguments(stream->text, record, call, (call->sets.common | call->sets.own) & ~call->sets.started);
    put_listed(stream->text, record);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

/* Copy text that has just been written into the cache; false if it is too long. */
static bool keep(char *to, size_t room, uint32_t *length, const char *begin, const char *end)
{
    *length = (uint32_t)(end - begin);
    if ((size_t)(end - begin) > room)
        return false;
    memcpy(to, begin, *length);
    return true;
}

/* Write a call in full spelling. `memo` (may be NULL) gets a copy of the text. Returns whether it has one. */
static bool put_full(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call, HieraMemo *memo)
{
    HieraText *text = stream->text;
    hiera_element_open(stream, "", 0);
    uint64_t block = stream->position; /* changes when the output block is emptied: then the text is gone */
    const char *begin = text->next;
    hiera_text_padded(text, call->element, sizeof call->element, call->element_length);
    hiera_element_put_site(stream, record->head.site);
    bool kept = memo && stream->position == block &&
                keep(memo->begin, sizeof memo->begin, &memo->begin_length, begin, text->next);
    hiera_element_put_times(stream, &record->head, NULL);
    begin = text->next;
    put_common(text, record, call);
    kept =
        kept && stream->position == block && keep(memo->text, sizeof memo->text, &memo->text_length, begin, text->next);
    put_own(text, record, call);
    return kept;
}

/* As put_full(), or in compact spelling if the trace has it. */
static bool put(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                HieraDistances *distances, HieraMemo *memo)
{
    HieraKnown known;
    const HieraDeclared *declared = NULL;
    hiera_element_declare_object(stream, record->head.site);
    hiera_format_declarations(stream, record, call, true);
    if (stream->dictionary)
        declared = hiera_compact_put(stream, record, call, distances, &known);
    if (memo)
        memo->declared = declared;
    return declared ? known != HIERA_KNOWN_SIMILAR : put_full(stream, record, call, memo);
}

/* Copies of constant length are fast. Most texts are short: then half of the room is copied. */
static void put_kept(HieraText *text, const char *kept, uint32_t length)
{
    if (length <= HIERA_MEMO_TEXT / 2)
        hiera_text_padded(text, kept, HIERA_MEMO_TEXT / 2, length);
    else
        hiera_text_padded(text, kept, HIERA_MEMO_TEXT, length);
}

static void put_again(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                      const HieraMemo *memo)
{
    HieraText *text = stream->text;
    if (memo->declared) {
        hiera_compact_put_same(stream, record, call, memo->declared);
        return;
    }
    hiera_element_open(stream, "", 0);
    put_kept(text, memo->begin, memo->begin_length);
    hiera_element_put_times(stream, &record->head, NULL);
    put_kept(text, memo->text, memo->text_length);
    put_own(text, record, call);
}

static void put_complete(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call, uint32_t last)
{
    static HieraDistances distances; /* both are large, so not on the stack */
    static HieraImage image;
    bool holds = false;
    uint32_t epoch = hiera_declared_epoch();
    const HieraMemo *guess = hiera_memo_guess(stream, record, last);
    if (!guess && stream->dictionary)
        hiera_distances_measure(&distances, record, call, last);
    bool may_hold = !guess && hiera_memo_pays(record->head.site) &&
                    hiera_image_make(&image, stream, record, call, stream->dictionary ? &distances : NULL);
    HieraMemo *memo = may_hold ? hiera_memo_find(&image, record->head.site, &holds) : NULL;
    if (guess || holds) {
        put_again(stream, record, call, guess ? guess : memo);
        return;
    }
    if (memo)
        hiera_memo_begin(memo, &image);
    bool kept = put(stream, record, call, &distances, memo);
    if (kept && memo && names_stay(record, call) &&
        hiera_lock_care() != HIERA_CARE_TAKEN) /* else call sites were not resolved */
        hiera_memo_end(memo, epoch);
}

void hiera_call_write(HieraTraceFile *stream, const HieraRecord *head)
{
    const HieraMpiRecord *record = (const HieraMpiRecord *)head;
    const HieraMpiCall *call = &hiera_mpi_calls[head->call - HIERA_RECORD_CALLS];
    if (__atomic_load_n(&head->finish, __ATOMIC_ACQUIRE) == 0) {
        put_begun(stream, record, call);
        return;
    }
    uint32_t last = stream->state.last_request;
    if (stream->has_distances)
        stream->state.last_request = hiera_distances_last(record, call, last);
    put_complete(stream, record, call, last);
}
