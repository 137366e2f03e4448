/* See trace_file.h. Text is collected in a block of memory, which is written to the file when it is full. */
#include "trace_file.h"

#include "base/kept.h"
#include "base/settings.h"
#include "call_dictionary.h"
#include "compress.h"
#include "memory/signal_safe_memory.h"
#include "repeats.h"
#include "store/store.h"

#include <errno.h>

enum { BLOCK = 128 << 10, TAIL_SPARE = 384 };

/* HIERA_FORMAT=auto: a file that becomes longer than this continues in the compact encoding. A person can read the
 * first part; compressed, the same text takes a tenth to a twentieth. */
enum { FULL_MAX = 4 << 20, FULL_MAX_PACKED = 256 << 10 };

_Static_assert((int)BLOCK <= (int)HIERA_PACK_MAX, "a block is packed at a time");

static char block_bytes[BLOCK + 2 * HIERA_TEXT_MARGIN];
static char frame_bytes[HIERA_PACK_ROOM];
static HieraTraceFile *current HIERA_KEPT; /* file whose text is in the block; NULL: no flush is in progress */

/* When a flush has succeeded, the new states of the file and of the caller take effect together: once `stream` is
 * set, a process that is killed counts as one that has completed the flush. */
typedef struct Accepted {
    HieraTraceFile *stream; /* file whose flush is being completed; NULL: none */
    uint64_t end, operations;
    void **where; /* both arguments of hiera_trace_file_notes() */
    void *value;
} Accepted;

static Accepted accepted HIERA_KEPT;

HieraTraceFile *hiera_trace_file_new(unsigned number)
{
    HieraTraceFile *stream = hiera_memory_new(sizeof *stream);
    if (!stream)
        return NULL;
    stream->number = number;
    for (size_t kind = 0; kind < HIERA_DECLARED_KINDS; kind++) {
        stream->declared[kind].item_bytes = sizeof(HieraDeclaration);
        stream->declared[kind].memory = hiera_memory_new;
    }
    stream->is_packed = hiera_pack_suffix()[0] != '\0';
    stream->becomes_compact = strcmp(hiera_settings.format, "auto") == 0 && strcmp(hiera_settings.fold, "times") != 0;
    if (strcmp(hiera_settings.format, "full") != 0 && !stream->becomes_compact)
        stream->dictionary = hiera_dictionary_make();
    return stream;
}

bool hiera_trace_file_open(HieraTraceFile *stream, HieraStore *store, int error)
{
    stream->store = store;
    stream->error = store ? 0 : error;
    return store != NULL;
}

/* Stop writing if the program has closed the file's descriptor and the store cannot open the file again. */
static void check_store(HieraTraceFile *stream)
{
    if (!stream->store || hiera_store_check(stream->store))
        return;
    hiera_store_close(stream->store);
    stream->store = NULL;
    stream->error = stream->cause = EBADF;
}

static bool write_at(HieraTraceFile *stream, uint64_t offset, const char *bytes, size_t n)
{
    int error = hiera_store_write_at(stream->store, bytes, n, offset);
    if (stream->error == 0)
        stream->error = error;
    return error == 0;
}

/* Set the block's limit to the number of bytes that the store prefers to write at once. */
static void set_limit(HieraTraceFile *stream)
{
    bool any = stream->is_packed || !stream->store;
    stream->text->limit =
        stream->text->base + (any ? BLOCK : hiera_store_piece(stream->store, stream->position, BLOCK));
}

/* Write bytes at `position` in the file, and advance `position`. */
static void write_next(HieraTraceFile *stream, const char *bytes, size_t n)
{
    if (stream->error == 0 && stream->store)
        write_at(stream, stream->position, bytes, n);
    stream->position += n;
}

static void write_text(HieraTraceFile *stream, size_t n)
{
    HieraText *text = stream->text;
    if (!stream->is_packed)
        write_next(stream, text->base, n);
    else if (n > 0)
        write_next(stream, frame_bytes,
                   stream->is_stored ? hiera_pack_stored(frame_bytes, text->base, n)
                                     : hiera_pack(frame_bytes, text->base, n));
    text->next -= n;
    memmove(text->base, text->base + n, (size_t)(text->next - text->base));
    set_limit(stream);
}

/* Write the block up to its limit, because it is full. Text beyond the limit becomes the begin of the next block. */
static void spill(HieraText *text)
{
    write_text(current, (size_t)(text->limit - text->base));
}

static void write_rest(HieraTraceFile *stream)
{
    write_text(stream, (size_t)(stream->text->next - stream->text->base));
}

/* Return the position in the file of the next byte of text; valid only if the file is not compressed. */
static uint64_t text_offset(const HieraTraceFile *stream)
{
    return stream->position + (uint64_t)(stream->text->next - stream->text->base);
}

/* Return the position in the file of the next byte; in a compressed file, first end the current frame. */
static uint64_t file_offset(HieraTraceFile *stream)
{
    if (stream->is_packed)
        write_rest(stream);
    return text_offset(stream);
}

const char *hiera_frame_end_tag(uint8_t element)
{
    static const char *const tags[] = {[HIERA_FRAME_REGION] = "</hieraRegion>",
                                       [HIERA_FRAME_OOPS] = "</hieraOOPS>",
                                       [HIERA_FRAME_CALL] = "</c>",
                                       [HIERA_FRAME_MPI] = "</hieraMPI>",
                                       [HIERA_FRAME_FILTERED] = ""};
    return tags[element];
}

static void put_end_tag(HieraText *text, uint8_t element)
{
    const char *tag = hiera_frame_end_tag(element);
    if (element != HIERA_FRAME_FILTERED)
        hiera_text_char(text, '\n');
    hiera_text_bytes(text, tag, strlen(tag));
}

/* Write the end tags of those elements of the file that are not among the outermost `open`, innermost first. */
static void close_down_to(HieraTraceFile *stream, size_t open)
{
    for (size_t i = stream->n_safe_frames; i-- > open;)
        put_end_tag(stream->text, stream->safe_frames[i]);
}

static void set_depth(HieraTraceFile *stream)
{
    stream->depth = 0;
    for (size_t i = 0; i < stream->n_frames; i++)
        stream->depth += stream->frames[i].element != HIERA_FRAME_FILTERED;
}

static void keep(HieraTraceFile *stream)
{
    if (stream->n_frames > 0)
        memcpy(stream->kept, stream->frames, stream->n_frames * sizeof *stream->kept);
    stream->n_kept = stream->n_frames;
    stream->kept_state = stream->state;
    hiera_sums_keep(&stream->sums);
}

void hiera_trace_file_begin(HieraTraceFile *stream)
{
    static HieraText text = {block_bytes, block_bytes + BLOCK, block_bytes, spill};
    if (stream->store)
        stream->error = 0;
    check_store(stream);
    keep(stream);
    stream->unsure = stream->n_held = 0;
    stream->is_stored = false; /* still true if a signal handler has interrupted the writing of a tail */
    stream->text = &text;
    text.next = text.base;
    stream->position = stream->safe;
    set_limit(stream);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    current = stream;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    close_down_to(stream, stream->n_common);
}

/* Restore the state at the begin of the flush. Declarations of this flush must be made again; it is simplest to make
 * all declarations again. */
static void undo(HieraTraceFile *stream)
{
    if (stream->n_kept > 0)
        memcpy(stream->frames, stream->kept, stream->n_kept * sizeof *stream->frames);
    stream->n_frames = stream->n_kept;
    stream->state = stream->kept_state;
    stream->near_times.length = 0; /* clear: a signal handler may have interrupted a change of these three caches */
    stream->near_span.from = 0;
    stream->near_request.from = 0;
    stream->start_tag_open = false;
    stream->n_held = 0; /* otherwise calls that are held back would be written into the tail */
    hiera_sums_undo(&stream->sums);
    set_depth(stream);
    hiera_dictionary_forget(stream->dictionary);
    hiera_declared_invalidate();
    stream->declaring++;
}

/* Write the tail. Unless this is the last flush, blank lines follow it. They reserve room for a longer tail, in case
 * the disk becomes full: sums grow with each operation that is only counted. */
static void write_tail(HieraTraceFile *stream, uint64_t begin, void (*tail)(HieraTraceFile *), bool final)
{
    stream->is_stored = !final;
    if (tail)
        tail(stream);
    uint64_t room = TAIL_SPARE, bytes = text_offset(stream) - begin;
    while (room < bytes + TAIL_SPARE / 2)
        room *= 2;
    while (!final && text_offset(stream) < begin + room)
        hiera_text_char(stream->text, '\n');
    write_rest(stream);
    stream->is_stored = false;
    uint64_t end = stream->position;
    if (stream->error == 0)
        stream->error = hiera_store_end_at(stream->store, end, stream->file_end, final);
    stream->file_end = end;
}

/* A flush has failed: cut the file back to its last good state. The file still has the disk blocks for it, so this
 * works on a full disk. */
static void cut_back(HieraTraceFile *stream, void (*tail)(HieraTraceFile *), bool final)
{
    int error = stream->error;
    if (stream->cause == 0)
        stream->cause = error;
    stream->error = 0;
    stream->text->next = stream->text->base;
    stream->position = stream->safe;
    set_limit(stream);
    stream->file_end = stream->safe + (stream->tail_room > TAIL_SPARE ? stream->tail_room : TAIL_SPARE);
    /* Only the tail's text says this higher number: the caller adds the lost operations to `lost`. */
    stream->lost += stream->unsure;
    if (hiera_store_end_at(stream->store, stream->file_end, UINT64_MAX, false) == 0) {
        close_down_to(stream, 0);
        write_tail(stream, stream->safe, tail, final);
    }
    stream->lost -= stream->unsure;
    stream->error = error;
}

/* Switch to the compact encoding. Cached elements in the full encoding become invalid. */
static void become_compact(HieraTraceFile *stream)
{
    stream->dictionary = hiera_dictionary_make();
    stream->becomes_compact = !stream->dictionary;
    hiera_declared_invalidate();
}

void hiera_trace_file_notes(void *where, void *value)
{
    accepted.where = where;
    accepted.value = value;
}

/* End a successful flush: the new states of file and caller become valid. Doing this twice does no harm. */
static void finish_accepted(void)
{
    HieraTraceFile *stream = accepted.stream;
    stream->safe = accepted.end;
    stream->operations = accepted.operations;
    stream->tail_room = stream->file_end - accepted.end;
    stream->n_safe_frames = stream->n_common = stream->n_frames;
    for (size_t i = 0; i < stream->n_frames; i++)
        stream->safe_frames[i] = stream->frames[i].element;
    if (accepted.where)
        memcpy(accepted.where, &accepted.value, sizeof accepted.value);
    current = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    accepted.stream = NULL;
}

/* Let the flush count as successful: the next flush begins at position `end`. */
static void accept(HieraTraceFile *stream, uint64_t end)
{
    accepted.end = end;
    accepted.operations = stream->operations + stream->unsure;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    accepted.stream = stream;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    finish_accepted();
    if (stream->becomes_compact && end >= (uint64_t)(stream->is_packed ? FULL_MAX_PACKED : FULL_MAX))
        become_compact(stream);
}

static void release(HieraTraceFile *stream)
{
    stream->text = NULL;
    current = NULL;
}

/* Write the end tags of all open elements, the innermost first. */
static void close_all(HieraTraceFile *stream, bool final)
{
    for (size_t i = stream->n_frames; i-- > 0;) {
        if (final && stream->put_inside)
            stream->put_inside(stream, i);
        put_end_tag(stream->text, stream->frames[i].element);
    }
}

bool hiera_trace_file_end(HieraTraceFile *stream, void (*tail)(HieraTraceFile *), HieraFlush flush)
{
    if (stream->repeats)
        stream->repeats_ops->declare(stream);
    uint64_t end = file_offset(stream);
    if (stream->store && stream->error == 0) {
        if (stream->repeats)
            stream->repeats_ops->put_rest(stream);
        close_all(stream, flush != HIERA_FLUSH_MORE);
        write_tail(stream, end, tail, flush != HIERA_FLUSH_MORE);
    }
    bool good = stream->store && stream->error == 0;
    if (good && flush != HIERA_FLUSH_TRIAL)
        accept(stream, end);
    else
        undo(stream);
    hiera_trace_file_notes(NULL, NULL);
    if (!good && stream->store)
        cut_back(stream, tail, flush != HIERA_FLUSH_MORE);
    else if (!good && stream->cause == 0)
        stream->cause = stream->error;
    release(stream);
    return good;
}

void hiera_trace_file_leave_to_parent(HieraTraceFile *stream)
{
    if (stream && stream->store)
        hiera_store_leave_to_parent(stream->store);
}

void hiera_trace_file_recover(void)
{
    HieraTraceFile *stream = accepted.stream ? accepted.stream : current;
    if (accepted.stream)
        finish_accepted();
    else if (current)
        undo(current);
    if (stream)
        release(stream);
    hiera_trace_file_notes(NULL, NULL);
}

void hiera_trace_file_drop_flush(const HieraTraceFile *stream)
{
    if (stream && accepted.stream == stream)
        accepted.stream = NULL;
    if (stream && current == stream)
        current = NULL;
}

/* Forget declarations, and texts that were stored for similar calls: they are made again. `moved`: difference of the
 * library's addresses. */
int hiera_trace_file_open_again(HieraTraceFile *stream, intptr_t moved, bool reads)
{
    int error = stream->store ? hiera_store_open_again(stream->store, moved, reads) : stream->error;
    if (error != 0)
        return error;
    for (size_t kind = 0; kind < HIERA_DECLARED_KINDS; kind++)
        stream->declared[kind] = (HieraStableArray){.item_bytes = sizeof(HieraDeclaration), .memory = hiera_memory_new};
    if (stream->dictionary)
        stream->dictionary = hiera_dictionary_make();
    stream->loops = NULL;
    stream->n_held = 0;
    if (stream->repeats)
        stream->repeats_ops = (const HieraRepeatsOps *)((intptr_t)stream->repeats_ops + moved);
    if (stream->put_inside)
        stream->put_inside = (void (*)(HieraTraceFile *, size_t))((intptr_t)stream->put_inside + moved);
    stream->near_times.length = 0;
    stream->near_span.from = 0;
    stream->near_request.from = 0;
    stream->start_tag_open = false;
    stream->text = NULL;
    stream->error = 0;
    stream->declaring++;
    stream->state.objects = stream->state.counters = 0;
    stream->kept_state.objects = stream->kept_state.counters = 0;
    return 0;
}

/* If bytes follow file_end, an interrupted flush has made the file longer: then its length counts as not known. */
void hiera_trace_file_measure(HieraTraceFile *stream)
{
    char byte;
    if (stream->store && hiera_store_read_at(stream->store, &byte, 1, stream->file_end) > 0)
        stream->file_end = UINT64_MAX;
}

uint64_t hiera_trace_file_put_slot(HieraTraceFile *stream, const char *bytes, size_t n)
{
    uint64_t slot = file_offset(stream);
    if (stream->is_packed)
        write_next(stream, frame_bytes, hiera_pack_stored(frame_bytes, bytes, n));
    else
        hiera_text_bytes(stream->text, bytes, n);
    return slot;
}

size_t hiera_trace_file_slot_bytes(size_t n)
{
    static const char nothing[HIERA_SLOT_MAX];
    return hiera_pack_suffix()[0] ? hiera_pack_stored(frame_bytes, nothing, n) : n;
}

void hiera_trace_file_patch(HieraTraceFile *stream, uint64_t slot, const char *bytes, size_t n)
{
    if (stream->text && slot >= stream->position)
        memcpy(stream->text->base + (slot - stream->position), bytes, n);
    else if (stream->store && stream->is_packed)
        write_at(stream, slot, frame_bytes, hiera_pack_stored(frame_bytes, bytes, n));
    else if (stream->store)
        write_at(stream, slot, bytes, n); /* overwriting needs no new disk blocks, so this works on a full disk */
}

/* The bytes of a compressed part are copied unchanged, because the part consists of complete frames. */
void hiera_trace_file_append_file(HieraTraceFile *stream, const HieraTraceFile *part)
{
    static char piece[4096];
    uint64_t offset = 0;
    ssize_t n = 0;
    file_offset(stream);
    while (part->store && (n = hiera_store_read_at(part->store, piece, sizeof piece, offset)) > 0) {
        if (stream->is_packed)
            write_next(stream, piece, (size_t)n);
        else
            hiera_text_bytes(stream->text, piece, (size_t)n);
        offset += (uint64_t)n;
    }
}

void hiera_trace_file_free(HieraTraceFile *stream)
{
    if (!stream)
        return;
    if (stream->store)
        hiera_store_close(stream->store);
    hiera_memory_free(stream->frames, stream->room_frames * sizeof *stream->frames);
    hiera_memory_free(stream->kept, stream->room_frames * sizeof *stream->kept);
    hiera_memory_free(stream->safe_frames, stream->room_frames);
    for (size_t kind = 0; kind < HIERA_DECLARED_KINDS; kind++)
        hiera_stable_free(&stream->declared[kind], hiera_memory_free);
    if (stream->loops)
        stream->end_loops(stream);
    if (stream->repeats)
        stream->repeats_ops->end(stream);
    if (stream->dictionary)
        hiera_dictionary_free(stream->dictionary);
    hiera_sums_clear(&stream->sums);
    hiera_declared_invalidate();
    hiera_memory_free(stream, sizeof *stream);
}
