/* See call_format.h. One code prints the calls of all MPI functions, by the generated descriptions. */
#include "call_format.h"

#include "dtd/names.h"
#include "handle_format.h"
#include "mpi/handle/buffers.h"
#include "places/call_site.h"
#include "places/originals.h"
#include "write/element.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const char *name_of_special(unsigned kind, int32_t value)
{
    static const struct {
        uint8_t kind;
        int32_t value;
        const char *name;
    } rows[] = {{HIERA_ARGUMENT_RANK, MPI_UNDEFINED, "MPI_UNDEFINED"},
                {HIERA_ARGUMENT_COLOR, MPI_UNDEFINED, "MPI_UNDEFINED"},
#define X(of, name, value) {HIERA_ARGUMENT_##of, name, #name},
                HIERA_SPECIAL_VALUES(X)
#undef X
    };
    if (value >= 0)
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].kind == kind && rows[i].value == value)
            return rows[i].name;
    return NULL;
}

static void put_int(HieraText *text, unsigned kind, int32_t value)
{
    const char *name = kind <= HIERA_ARGUMENT_COLOR ? name_of_special(kind, value) : NULL;
    if (name)
        hiera_text_short(text, name, strlen(name));
    else
        hiera_text_signed(text, value);
}

static void put_symbol(HieraText *text, uint64_t address)
{
    const char *name = address ? hiera_site_function((const void *)(uintptr_t)address) : "NULL";
    if (name) {
        hiera_text_escaped(text, name, strlen(name));
    } else {
        HIERA_TEXT_LITERAL(text, "0x");
        hiera_text_hex(text, address);
    }
}

static void put_double(HieraText *text, double value)
{
    char digits[40];
    hiera_text_short(text, digits, hiera_text_print(digits, sizeof digits, "%.9g", value));
}

/* Write a number that is not negative, without a check for room, and return true: it has no special name. Return false
 * for any other value. */
static inline bool put_plain(HieraText *text, unsigned kind, const void *at)
{
    int64_t wide;
    int32_t narrow;
    if (kind == HIERA_ARGUMENT_LONG) {
        memcpy(&wide, at, sizeof wide);
    } else if (kind <= HIERA_ARGUMENT_COLOR || kind == HIERA_ARGUMENT_NUMBER) {
        memcpy(&narrow, at, sizeof narrow);
        wide = narrow;
    } else {
        return false;
    }
    if (wide >= 0 && wide < 10)
        *text->next++ = (char)('0' + wide);
    else if (wide >= 0)
        text->next += hiera_text_format_unsigned(text->next, (uint64_t)wide);
    return wide >= 0;
}

/* Write a value of any kind of argument, including negative numbers and names. */
static void put_odd_value(HieraText *text, unsigned kind, const void *at)
{
    union {
        int32_t i;
        uint32_t u;
        int64_t l;
        double d;
    } value;
    memcpy(&value, at, HIERA_ARGUMENT_BYTES(kind));
    if (kind <= HIERA_ARGUMENT_COLOR)
        put_int(text, kind, value.i);
    else if (kind == HIERA_ARGUMENT_LONG)
        hiera_text_signed(text, value.l);
    else if (kind == HIERA_ARGUMENT_NUMBER)
        hiera_text_unsigned(text, value.u);
    else if (kind == HIERA_ARGUMENT_SYMBOL)
        put_symbol(text, (uint64_t)value.l);
    else if (kind == HIERA_ARGUMENT_DOUBLE)
        put_double(text, value.d);
    else
        hiera_format_handle(text, kind - HIERA_ARGUMENT_HANDLE, value.u);
}

/* Write a value without checking the buffer's capacity: the caller must write something next that checks it. */
static inline void put_value(HieraText *text, unsigned kind, const void *at)
{
    if (!put_plain(text, kind, at))
        put_odd_value(text, kind, at);
}

static void put_list(HieraText *text, unsigned kind, const HieraTail *tail)
{
    const char *at = (const char *)(tail + 1);
    size_t step = HIERA_ARGUMENT_BYTES(kind);
    for (uint32_t i = 0; i < tail->stored; i++) {
        if (i > 0)
            hiera_text_char(text, ' ');
        put_value(text, kind, at + i * step);
    }
}

/* Write `requests`, and the lists of sources, tags and sizes, where "-" means that the request was not a receive. */
void hiera_format_completion(HieraText *text, const HieraTail *completion, unsigned lists)
{
    static const struct {
        char begin[12];
        uint8_t begin_length, kind, offset;
    } rows[] = {
        {" requests=\"", 11, HIERA_ARGUMENT_NUMBER, offsetof(HieraCompleted, number)},
        {" sources=\"", 10, HIERA_ARGUMENT_RANK, offsetof(HieraCompleted, source)},
        {" tags=\"", 7, HIERA_ARGUMENT_TAG, offsetof(HieraCompleted, tag)},
        {" sizes=\"", 8, HIERA_ARGUMENT_LONG, offsetof(HieraCompleted, size)},
    };
    const HieraCompleted *completed = (const HieraCompleted *)(completion + 1);
    for (; lists; lists &= lists - 1) {
        int row = __builtin_ctz(lists);
        hiera_text_padded(text, rows[row].begin, sizeof rows[row].begin, rows[row].begin_length);
        for (uint32_t i = 0; i < completion->stored; i++) {
            if (i > 0)
                hiera_text_char(text, ' ');
            if (row > 0 && completed[i].size == HIERA_NO_STATUS)
                hiera_text_char(text, '-');
            else
                put_value(text, rows[row].kind, (const char *)&completed[i] + rows[row].offset);
        }
        hiera_format_list_end(text, completion);
    }
}

void hiera_format_list_end(HieraText *text, const HieraTail *tail)
{
    if (tail->stored < tail->total) {
        HIERA_TEXT_LITERAL(text, " ... (");
        hiera_text_signed(text, tail->total);
        HIERA_TEXT_LITERAL(text, ")");
    }
    hiera_text_char(text, '"');
}

static void put_pending(HieraText *text, const HieraTail *tail)
{
    const HieraTested *tested = (const HieraTested *)(tail + 1);
    HIERA_TEXT_LITERAL(text, HIERA_PENDING_BEGIN);
    for (uint32_t i = 0; i < tail->stored; i++) {
        if (i > 0)
            hiera_text_char(text, ' ');
        hiera_text_unsigned(text, tested[i].first);
        if (tested[i].last == tested[i].first)
            continue;
        HIERA_TEXT_LITERAL(text, HIERA_REQUESTS_TO);
        hiera_text_unsigned(text, tested[i].last);
    }
    hiera_format_list_end(text, tail);
}

/* --- buffers --- */

/* Room for a place in the program or a library. */
enum { PLACE = 300 };

/* Write the place of an address that an object has: of the frame, that of the code that made the call. */
static size_t place_of(const HieraMpiRecord *record, const HieraBuffer *buffer, char place[PLACE])
{
    if (buffer->use == 'f')
        return hiera_site_in_object(hiera_original(record->head.site), place, PLACE);
    bool may_be = strchr("rwx", (int)buffer->use) && buffer->block_bytes == 0 && !buffer->is_missing &&
                  !buffer->may_span && !buffer->is_on_stack;
    return may_be ? hiera_site_in_object((const void *)(intptr_t)buffer->address, place, PLACE) : 0;
}

/* Write where the memory of a buffer is: `!` nowhere; `?` perhaps in several variables; `@55d0+64` in a block with this
 * begin and size; `@app+0x4060` in the program or a library. */
static void put_whereabouts(HieraText *text, const HieraMpiRecord *record, const HieraBuffer *buffer)
{
    char place[PLACE], block[60];
    if (buffer->is_missing) {
        hiera_text_char(text, '!');
    } else if (buffer->may_span) {
        hiera_text_char(text, '?');
    } else if (buffer->block_bytes > 0) {
        int n = snprintf(block, sizeof block, "@%llx+%lld", (unsigned long long)buffer->block,
                         (long long)buffer->block_bytes);
        hiera_text_short(text, block, (size_t)n);
    } else if (place_of(record, buffer, place) > 0) {
        hiera_text_char(text, '@');
        hiera_text_escaped(text, place, strlen(place));
    }
}

/* Write the frame of the function that made the call: `f:app+0x11f3,7ffc20,7ffc80`, its return address, stack pointer
 * and frame pointer. */
static void put_frame(HieraText *text, const HieraMpiRecord *record, const HieraBuffer *frame)
{
    char place[PLACE], registers[60];
    if (place_of(record, frame, place) == 0)
        return;
    HIERA_TEXT_LITERAL(text, " f:");
    hiera_text_escaped(text, place, strlen(place));
    int n = snprintf(registers, sizeof registers, ",%llx,%llx", (unsigned long long)frame->address,
                     (unsigned long long)frame->offset);
    hiera_text_short(text, registers, (size_t)n);
}

/* Write `r:7ffc10+4` or `p:0,0+4`, in hexadecimal but for the target of a one-sided call; `~`: it has gaps. */
static void put_buffer(HieraText *text, const HieraMpiRecord *record, const HieraBuffer *buffer)
{
    char part[100];
    bool at_target = strchr("pga", (int)buffer->use) != NULL;
    const char *gaps = buffer->gaps ? "~" : "";
    long long bytes = buffer->bytes, offset = buffer->offset;
    int n = at_target ? snprintf(part, sizeof part, "%c:%lld,%lld+%lld%s", (char)buffer->use,
                                 (long long)buffer->address, offset, bytes, gaps)
                      : snprintf(part, sizeof part, "%c:%llx+%lld%s", (char)buffer->use,
                                 (unsigned long long)buffer->address, bytes, gaps);
    hiera_text_short(text, part, (size_t)n);
    if (buffer->use == 'x') {
        hiera_text_char(text, '/');
        hiera_text_signed(text, offset);
    }
    if (!at_target)
        put_whereabouts(text, record, buffer);
}

static void put_buffers(HieraText *text, const HieraMpiRecord *record, const HieraTail *tail)
{
    const HieraBuffer *buffers = (const HieraBuffer *)(tail + 1);
    if (tail->stored == 0)
        return;
    HIERA_TEXT_LITERAL(text, " buffers=\"");
    for (uint32_t i = 0; i < tail->stored; i++) {
        if (buffers[i].use == 'f') {
            put_frame(text, record, &buffers[i]);
            continue;
        }
        if (i > 0)
            hiera_text_char(text, ' ');
        put_buffer(text, record, &buffers[i]);
    }
    hiera_text_char(text, '"');
}

/* Return the buffers of a call that has begun; NULL: they are not known. */
static const HieraTail *find_buffers(const HieraMpiRecord *record, const HieraMpiCall *call)
{
    const HieraTail *tail = record->head.bytes > call->bytes ? hiera_mpi_next_tail(record, NULL) : NULL;
    return tail && tail->argument == HIERA_TAIL_BUFFERS && tail->stored <= HIERA_BUFFERS_MOST ? tail : NULL;
}

void hiera_format_buffers(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    const HieraTail *tail = hiera_buffers_are_wanted() ? find_buffers(record, call) : NULL;
    if (tail)
        put_buffers(text, record, tail);
}

void hiera_format_declare_buffers(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    char place[PLACE];
    const HieraTail *tail = hiera_buffers_are_wanted() ? find_buffers(record, call) : NULL;
    for (uint32_t i = 0; tail && i < tail->stored; i++) {
        const HieraBuffer *buffer = (const HieraBuffer *)(tail + 1) + i;
        size_t length = place_of(record, buffer, place);
        const void *address =
            buffer->use == 'f' ? hiera_original(record->head.site) : (const void *)(intptr_t)buffer->address;
        if (length > 0)
            hiera_element_declare_named(stream, address, place, length);
    }
}

/* --- tails --- */

static void put_tail(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, const HieraTail *tail,
                     HieraCallPart part)
{
    if (tail->argument == HIERA_TAIL_BUFFERS) {
        if (part != HIERA_CALL_PART_REQUESTS)
            put_buffers(text, record, tail);
        return;
    }
    if (tail->argument == HIERA_TAIL_COMPLETION) {
        hiera_format_completion(text, tail,
                                part == HIERA_CALL_PART_REQUESTS ? HIERA_LIST_REQUESTS
                                : part == HIERA_CALL_PART_OTHERS ? HIERA_LISTS_OTHERS
                                                                 : HIERA_LIST_REQUESTS | HIERA_LISTS_OTHERS);
        return;
    }
    if (tail->argument == HIERA_TAIL_PENDING) {
        if (part != HIERA_CALL_PART_OTHERS)
            put_pending(text, tail);
        return;
    }
    const HieraArgument *argument = &call->arguments[tail->argument];
    if (part != HIERA_CALL_PART_ALL && (argument->kind == HIERA_ARGUMENT_NUMBER) != (part == HIERA_CALL_PART_REQUESTS))
        return;
    hiera_text_padded(text, argument->begin, sizeof argument->begin, argument->begin_length);
    if (argument->kind == HIERA_ARGUMENT_TEXT)
        hiera_text_escaped(text, (const char *)(tail + 1), tail->stored);
    else
        put_list(text, argument->kind, tail);
    hiera_format_list_end(text, tail);
}

void hiera_format_tails(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, HieraCallPart part)
{
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail))
        put_tail(text, record, call, hiera_mpi_tail_contents(tail), part);
}

void hiera_format_bytes(HieraText *text, int64_t sent, int64_t received)
{
    if (sent >= 0) {
        HIERA_TEXT_LITERAL(text, " bytes=\"");
        hiera_text_signed(text, sent);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    if (received >= 0) {
        HIERA_TEXT_LITERAL(text, " rbytes=\"");
        hiera_text_signed(text, received);
        HIERA_TEXT_LITERAL(text, "\"");
    }
}

void hiera_format_error(HieraText *text, int32_t error)
{
    if (error != MPI_SUCCESS) {
        HIERA_TEXT_LITERAL(text, " error=\"");
        hiera_text_signed(text, error);
        HIERA_TEXT_LITERAL(text, "\"");
    }
}

void hiera_format_posted(HieraText *text, uint32_t flags)
{
    if (flags & HIERA_MPI_LEFT)
        HIERA_TEXT_LITERAL(text, " left=\"true\"");
    if (flags & HIERA_MPI_POSTED_ANY)
        HIERA_TEXT_LITERAL(text, " posted=\"any\"");
    if (flags & HIERA_MPI_POSTED_ANY_TAG)
        HIERA_TEXT_LITERAL(text, " posted_tag=\"any\"");
}

void hiera_format_argument(HieraText *text, const HieraMpiRecord *record, const HieraArgument *argument)
{
    hiera_text_padded(text, argument->begin, sizeof argument->begin, argument->begin_length);
    put_value(text, argument->kind, (const char *)record + argument->offset);
    hiera_text_char(text, '"');
}

void hiera_format_arguments(HieraText *text, const HieraMpiRecord *record, const HieraMpiCall *call, uint32_t set)
{
    for (set = hiera_call_present(set, record); set;)
        hiera_format_argument(text, record, hiera_call_next(call, &set));
}

void hiera_format_sum(HieraTraceFile *stream, const HieraSumRow *row)
{
    const HieraMpiCall *call = &hiera_mpi_calls[row->call - HIERA_RECORD_CALLS];
    HIERA_TEXT_LITERAL(stream->text, " level=\"mpi\" operation=\"");
    hiera_text_short(stream->text, call->operation, strlen(call->operation));
    if (row->comm != HIERA_SUM_NO_COMM) {
        HIERA_TEXT_LITERAL(stream->text, "\" comm=\"");
        hiera_format_handle(stream->text, HIERA_HANDLE_COMM, row->comm);
    }
    HIERA_TEXT_LITERAL(stream->text, "\"");
}

void hiera_format_call(HieraText *text, uint32_t call)
{
    const HieraMpiCall *described = &hiera_mpi_calls[call - HIERA_RECORD_CALLS];
    hiera_text_short(text, described->element, described->element_length);
}

void hiera_format_part(HieraText *text, const HieraProfilePart *part)
{
    static const char *const ways[] = {
        [HIERA_PART_WAY_SEND] = " way=\"send\"", [HIERA_PART_WAY_RECEIVE] = " way=\"receive\""};
    HieraPartKey key = part->key;
    if (key.way == HIERA_PART_WAY_OTHER) {
        HIERA_TEXT_LITERAL(text, " comm=\"(other)\" peer=\"other\"");
        return;
    }
    if (key.comm != HIERA_SUM_NO_COMM) {
        HIERA_TEXT_LITERAL(text, " comm=\"");
        hiera_format_handle(text, HIERA_HANDLE_COMM, key.comm);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    if (key.peer != HIERA_NO_PEER) {
        hiera_text_bytes(text, key.way == HIERA_PART_WAY_ROOT ? " root=\"" : " peer=\"", 7);
        put_int(text, HIERA_ARGUMENT_RANK, key.peer);
        HIERA_TEXT_LITERAL(text, "\"");
    }
    if (key.way == HIERA_PART_WAY_SEND || key.way == HIERA_PART_WAY_RECEIVE)
        hiera_text_short(text, ways[key.way], strlen(ways[key.way]));
}
