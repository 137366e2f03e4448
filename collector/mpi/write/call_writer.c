/* See call_writer.h. A complete call is written from the cache (format_cache.h) if possible; else in the compact
 * encoding if the trace has it; else in full. */
#include "call_writer.h"

#include "base/life.h"
#include "base/lock.h"
#include "call_compact.h"
#include "call_filter.h"
#include "call_format.h"
#include "format_cache.h"
#include "handle_format.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/handles.h"
#include "mpi/handle/listed.h"
#include "mpi/handle/types.h"
#include "write/element.h"

static const HieraMpiCall *described(const HieraMpiRecord *record)
{
    return &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS];
}

/* Whether all handles of the record will keep their names and declarations: then its text may be cached. Returns false
 * if the facts of one are not known yet, or if the record has lists of handles, which are not examined. */
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

/* Write the values that differ in each call: requests and messages. */
static void put_own_arguments(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    if (call->sets.own)
        hiera_format_arguments(text, record, call, call->sets.own);
    if (record->head.bytes > call->bytes)
        hiera_format_tails(text, record, call, HIERA_CALL_PART_REQUESTS);
}

/* Write the values that differ in each call, and the end of the element. */
static void put_own(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    put_own_arguments(text, record, call);
    HIERA_TEXT_LITERAL(text, "/>");
}

static void put_common(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    hiera_format_arguments(text, record, call, call->sets.common);
    hiera_format_tails(text, record, call, HIERA_CALL_PART_OTHERS);
    hiera_format_bytes(text, record->sent, record->received);
    hiera_format_error(text, record->error);
    hiera_format_posted(text, record->flags);
}

/* Whether the call of this record is still in progress. Called after a value was read from the list of another thread:
 * if the call has ended, this value is invalid. */
static bool is_there(const HieraMpiRecord *record, const HieraTail *tail)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return (__atomic_load_n(&record->flags, __ATOMIC_RELAXED) & HIERA_MPI_LISTED) != 0 &&
           tail->argument == HIERA_TAIL_LISTED;
}

/* Write ` requests="…"` for a call in progress if the call has listed its requests. */
static void put_listed(HieraText *text, const HieraMpiRecord *record)
{
    const HieraTail *there = hiera_listed_place(record);
    const HieraTail requests = *there;
    HieraTail list = {.total = requests.stored};
    if (!is_there(record, there) || !hiera_requests_are_there(&requests))
        return;
    HIERA_TEXT_LITERAL(text, " requests=\"");
    for (; list.stored < list.total; list.stored++) {
        uint32_t number = hiera_request_listed(&requests, list.stored);
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
static void put_begun(HieraTraceFile *stream, const HieraMpiRecord *record)
{
    const HieraMpiCall *call = described(record);
    hiera_element_declare_object(stream, record->head.site);
    hiera_format_declarations(stream, record, call, false);
    hiera_format_declare_buffers(stream, record, call);
    hiera_element_open(stream, call->element, call->element_length);
    hiera_element_put_site(stream, record->head.site);
    hiera_element_put_times(stream, &record->head, NULL);
    hiera_format_arguments(stream->text, record, call, (call->sets.common | call->sets.own) & ~call->sets.started);
    hiera_format_buffers(stream->text, record, call);
    put_listed(stream->text, record);
    HIERA_TEXT_LITERAL(stream->text, "/>");
}

/* Write a call in whose callbacks calls were made: its element stays open, and theirs come inside. */
static void put_holding(HieraTraceFile *stream, const HieraMpiRecord *record)
{
    const HieraMpiCall *call = described(record);
    bool has_room = hiera_trace_file_make_room(stream);
    stream->state.last_request = hiera_distances_last(record, call, stream->state.last_request);
    hiera_element_declare_object(stream, record->head.site);
    hiera_format_declarations(stream, record, call, true);
    hiera_format_declare_buffers(stream, record, call);
    hiera_element_open(stream, call->element, call->element_length);
    hiera_element_put_site(stream, record->head.site);
    hiera_element_put_times(stream, &record->head, NULL);
    put_common(stream->text, record, call);
    put_own_arguments(stream->text, record, call);
    stream->state.holds = has_room;
    if (has_room) {
        stream->start_tag_open = true;
        hiera_trace_file_push(stream, (HieraFrame){.element = HIERA_FRAME_MPI});
    } else { /* no room for a nested element: the calls in the callbacks follow this one */
        stream->state.unkept--;
        HIERA_TEXT_LITERAL(stream->text, "/>");
    }
}

/* Copy the text from `begin` to `end`, just written, into the cache; false: it is too long. */
static bool keep(char *to, uint16_t *length, const char *begin, const char *end)
{
    if (end - begin > HIERA_KEPT_TEXT)
        return false;
    *length = (uint16_t)(end - begin);
    memcpy(to, begin, *length);
    return true;
}

/* Return the offset in the record of the only number among the values that put_own() writes; 0: there is none. *many:
 * there are several. */
static uint16_t find_number(const HieraMpiRecord *record, const HieraMpiCall *call, bool *many)
{
    uint32_t own = hiera_call_present(call->sets.own, record);
    const HieraTail *tail = hiera_mpi_next_tail(record, NULL);
    const HieraArgument *first = own ? hiera_call_next(call, &own) : NULL;
    uint16_t place = first ? first->offset : 0;
    *many = own != 0 ||
            (first && first->kind != HIERA_ARGUMENT_NUMBER); /* a message is printed as a name, not as a number */
    for (; tail; tail = hiera_mpi_next_tail(record, tail)) {
        const HieraArgument *argument = hiera_tail_argument(call, tail);
        if (argument && argument->kind != HIERA_ARGUMENT_NUMBER)
            continue;
        *many |= place != 0 || tail->argument != HIERA_TAIL_COMPLETION || tail->stored != 1 || tail->total != 1;
        place = (uint16_t)((const char *)(tail + 1) - (const char *)record + offsetof(HieraCompleted, number));
    }
    return *many ? 0 : place;
}

/* Store the text from `common` to `end`: an element from its times on. The part that differs in each call begins
 * at `own`. */
static bool keep_rest(HieraMemo *memo, const HieraMpiRecord *record, const HieraMpiCall *call, const char *common,
                      const char *own, const char *end)
{
    HieraKeptElement *texts = &memo->texts;
    char digits[HIERA_SECONDS_MAX];
    bool many;
    memo->number = find_number(record, call, &many);
    memo->is_whole = !many;
    texts->has_number = memo->number != 0;
    if (texts->has_number)
        end -= hiera_text_format_unsigned(digits, hiera_request_at(record, memo->number)) + sizeof "\"/>" - 1;
    return keep(texts->rest, &texts->rest_length, common, many ? own : end);
}

/* Write a call in the full encoding, and copy the text to `memo` (may be NULL). Returns whether `memo` has it all. */
static bool put_full(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call, HieraMemo *memo)
{
    HieraText *text = stream->text;
    hiera_element_open(stream, "", 0);
    uint64_t block =
        stream->position; /* this changes when the buffer of text is written to the file: then the text is gone */
    const char *begin = text->next;
    hiera_text_padded(text, call->element, sizeof call->element, call->element_length);
    hiera_element_put_site(stream, record->head.site);
    bool kept =
        memo && stream->position == block && keep(memo->texts.begin, &memo->texts.begin_length, begin, text->next);
    hiera_element_put_times(stream, &record->head, NULL);
    begin = text->next;
    put_common(text, record, call);
    const char *own = text->next;
    put_own(text, record, call);
    return kept && stream->position == block && keep_rest(memo, record, call, begin, own, text->next);
}

/* Write a call, compact if the trace has this encoding, else in full. Returns whether `memo` may be used for it. */
static bool put(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                HieraDistances *distances, HieraMemo *memo)
{
    HieraDictionaryMatch known;
    const HieraDeclared *declared = NULL;
    hiera_element_declare_object(stream, record->head.site);
    hiera_format_declarations(stream, record, call, true);
    hiera_format_declare_buffers(stream, record, call);
    if (stream->dictionary)
        declared = hiera_compact_put(stream, record, call, distances, &known);
    if (memo) {
        memo->declared = declared;
        memo->is_whole = declared && (call->sets.own & ~call->sets.requests) == 0;
    }
    return declared ? known != HIERA_DICTIONARY_SIMILAR : put_full(stream, record, call, memo);
}

/* Write a cached call in several steps: the buffer is nearly full, or more than one number differs in each call. */
static __attribute__((noinline)) void put_parts(HieraTraceFile *stream, const HieraMpiRecord *record,
                                                const HieraMpiCall *call, const HieraMemo *memo)
{
    HieraText *text = stream->text;
    const HieraKeptElement *kept = &memo->texts;
    hiera_element_open(stream, "", 0);
    hiera_text_bytes(text, kept->begin, kept->begin_length);
    hiera_element_put_times(stream, &record->head, NULL);
    hiera_text_bytes(text, kept->rest, kept->rest_length);
    if (!memo->is_whole) {
        put_own(text, record, call);
    } else if (kept->has_number) {
        hiera_text_unsigned(text, hiera_request_at(record, memo->number));
        HIERA_TEXT_LITERAL(text, "\"/>");
    }
}

/* Write a call in the full encoding from the texts in the cache. */
static __attribute__((noinline)) void put_texts(HieraTraceFile *stream, const HieraMpiRecord *record,
                                                const HieraMemo *memo)
{
    if (!memo->is_whole ||
        !hiera_element_put_kept(stream, &record->head, &memo->texts, hiera_request_at(record, memo->number)))
        put_parts(stream, record, described(record), memo);
}

static inline void put_again(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMemo *memo)
{
    if (!memo->declared)
        put_texts(stream, record, memo);
    else if (memo->is_whole && !stream->loops)
        hiera_element_put_whole_reference(stream, memo->declared, &record->head);
    else
        hiera_compact_put_same(stream, record, described(record), memo->declared);
}

static bool is_filtered(HieraTraceFile *stream, const HieraMpiRecord *record)
{
    bool filtered = hiera_call_filter_hide(&stream->sums, &record->head);
    stream->filtered += filtered;
    return filtered;
}

/* Write a call in progress, or one that the cache did not predict from the previous call. */
static __attribute__((noinline)) void put_other(HieraTraceFile *stream, const HieraMpiRecord *record, bool has_begun)
{
    if (is_filtered(stream, record))
        return;
    if (has_begun) {
        put_begun(stream, record);
        return;
    }
    if (record->flags & HIERA_MPI_HOLDS) {
        put_holding(stream, record);
        return;
    }
    const HieraMpiCall *call = described(record);
    uint32_t last = stream->state.last_request;
    stream->state.last_request = hiera_distances_last(record, call, last);
    static HieraDistances distances; /* static, as both variables are large */
    static HieraImage image;
    bool holds = false;
    uint32_t epoch = hiera_declared_epoch();
    if (stream->dictionary)
        hiera_distances_measure(&distances, record, call, last);
    bool may_hold = hiera_memo_pays(record->head.site) &&
                    hiera_image_make(&image, stream, record, call, stream->dictionary ? &distances : NULL);
    HieraMemo *memo = may_hold ? hiera_memo_find(&image, record->head.site, &holds) : NULL;
    if (holds) {
        put_again(stream, record, memo);
        return;
    }
    if (memo) {
        hiera_memo_begin(memo, &image);
        memo->may_be_filtered = !hiera_call_filter_keeps(record->head.call - HIERA_RECORD_CALLS);
    }
    bool kept = put(stream, record, call, &distances, memo);
    if (kept && memo && names_stay(record, call) &&
        hiera_lock_care() != HIERA_CARE_TAKEN) /* else the call site was not looked up: no malloc in a signal handler */
        hiera_memo_end(memo, epoch);
}

/* Write a call. The usual path is short, and calls other functions only at its end. */
void hiera_call_write(HieraTraceFile *stream, const HieraRecord *head)
{
    const HieraMpiRecord *record = (const HieraMpiRecord *)head;
    bool has_begun = __atomic_load_n(&head->finish, __ATOMIC_ACQUIRE) == 0;
    const HieraMemo *guess =
        HIERA_UNLIKELY(has_begun) ? NULL : hiera_memo_guess(stream, record, stream->state.last_request);
    if (HIERA_UNLIKELY(guess == NULL)) {
        put_other(stream, record, has_begun);
        return;
    }
    if (HIERA_UNLIKELY(guess->may_be_filtered) && is_filtered(stream, record))
        return;
    if (guess->image.started)
        stream->state.last_request = hiera_request_at(record, guess->image.started);
    put_again(stream, record, guess);
}
