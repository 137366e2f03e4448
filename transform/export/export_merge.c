/* See export_merge.h. Processes other than 0 send their lines in blocks, with time and place of each entry; while they
 * make the next block, process 0 merges the last one. It has a heap of the other processes: the one whose next line
 * comes first is at its top. */
#include "export_merge.h"
#include "trace/pack_process.h"
#include <stdlib.h>
#include <string.h>

/* A block is sent when it has MUCH bytes; process 0's write buffer has ROOM bytes. */
enum { MUCH = 1 << 18, ROOM = 1 << 12 };

/* Lines that stay together in the file; `time_ns` and `place` are their sort key. */
typedef struct {
    gint64 time_ns;
    guint32 place;
    guint32 length; /* length of the entry's lines, in bytes */
} Entry;

typedef struct {
    GArray *entries; /* Entry, in the order of their lines in `text` */
    char *text;
    size_t n; /* length of `text` in bytes */
} Block;

/* In process 0: what was received from another process and is not merged yet. */
typedef struct {
    HieraUnpacker *from;
    Block block; /* the block that was received last */
    gsize room;  /* bytes allocated for `block.text` */
    guint entry; /* index in `block` of the next entry to merge */
    gsize at;    /* offset of that entry's lines in `block.text` */
} Other;

/* Element of the heap: the next entry of one other process. */
typedef struct {
    Entry entry;
    Other *other;
} Head;

struct HieraExportMerge {
    FILE *stream;    /* where lines are printed: the output file; in processes other than 0, `block.text` */
    HieraPacker *to; /* packs lines for process 0; NULL in process 0 */
    Block block;     /* in processes other than 0: entries that are not sent yet */
    size_t written;  /* length of `block.text` at the end of the last complete entry */
    Head *heap;      /* in process 0: heap of the processes that have further entries */
    guint n;         /* number of processes in `heap` */
    char *text;      /* in process 0: lines of others that are not yet written to the file, `filled` bytes */
    gsize filled;
};

/* --- processes other than 0: sending blocks --- */

/* Set the length of the last entry, whose lines have all been printed. */
static void close_entry(HieraExportMerge *merge)
{
    const GArray *entries = merge->block.entries;
    size_t n = (size_t)ftello(merge->stream);
    g_array_index(entries, Entry, entries->len - 1).length = (guint32)(n - merge->written);
    merge->written = n;
}

static void open_block(HieraExportMerge *merge)
{
    merge->stream = open_memstream(&merge->block.text, &merge->block.n);
    merge->written = 0;
    if (!merge->stream)
        g_error("no memory for what is exported");
}

static void send_block(HieraExportMerge *merge)
{
    Block *block = &merge->block;
    if (fclose(merge->stream) != 0)
        g_error("no memory for what is exported");
    merge->stream = NULL;
    hiera_pack_array(merge->to, block->entries);
    hiera_pack_number(merge->to, (gint64)block->n);
    hiera_pack_bytes(merge->to, block->text, block->n);
    free(block->text);
    g_array_set_size(block->entries, 0);
}

static FILE *add(HieraExportMerge *merge, const Entry *entry)
{
    if (merge->stream)
        close_entry(merge);
    if (merge->stream && merge->written >= MUCH)
        send_block(merge);
    if (!merge->stream)
        open_block(merge);
    g_array_append_val(merge->block.entries, *entry);
    return merge->stream;
}

/* Send the last block, and an empty block that says that no other follows. */
static void send_last(HieraExportMerge *merge)
{
    if (merge->stream) {
        close_entry(merge);
        send_block(merge);
    }
    hiera_pack_number(merge->to, 0);
    hiera_packer_end(merge->to);
    g_array_unref(merge->block.entries);
}

/* --- process 0: merging blocks --- */

/* Receive the next block of another process. @return FALSE: there was no further block */
static gboolean receive_block(Other *other)
{
    Block *block = &other->block;
    g_array_set_size(block->entries, 0);
    hiera_unpack_array(other->from, block->entries);
    other->entry = 0;
    other->at = 0;
    if (block->entries->len == 0)
        return FALSE;
    block->n = (size_t)hiera_unpack_number(other->from);
    if (block->n > other->room) {
        g_free(block->text);
        block->text = g_malloc(other->room = block->n);
    }
    hiera_unpack_bytes(other->from, block->text, block->n);
    return TRUE;
}

static gboolean is_before(const Entry *a, const Entry *b)
{
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->place < b->place;
}

/* Restore the order of a heap: move the element at an index down while an element below it comes first. */
static void sink(Head *heap, guint n, guint at)
{
    const Head moved = heap[at];
    for (guint child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && is_before(&heap[child + 1].entry, &heap[child].entry))
            child++;
        if (!is_before(&heap[child].entry, &moved.entry))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Get the next entry of a process. @return FALSE: there is none, and the process's state is freed */
static gboolean take_entry(Head *head)
{
    Other *other = head->other;
    if (other->entry == other->block.entries->len && !receive_block(other)) {
        hiera_unpacker_free(other->from);
        g_array_unref(other->block.entries);
        g_free(other->block.text);
        g_free(other);
        return FALSE;
    }
    head->entry = g_array_index(other->block.entries, Entry, other->entry);
    return TRUE;
}

static void write_filled(HieraExportMerge *merge)
{
    fwrite(merge->text, 1, merge->filled, merge->stream);
    merge->filled = 0;
}

static void write_text(HieraExportMerge *merge, const char *text, gsize n)
{
    if (n > ROOM - merge->filled)
        write_filled(merge);
    if (n > ROOM) {
        fwrite(text, 1, n, merge->stream);
        return;
    }
    memcpy(merge->text + merge->filled, text, n);
    merge->filled += n;
}

/* Write the entry that comes first among all other processes. */
static void write_first(HieraExportMerge *merge)
{
    Head *head = &merge->heap[0];
    Other *other = head->other;
    write_text(merge, other->block.text + other->at, head->entry.length);
    other->at += head->entry.length;
    other->entry++;
    if (!take_entry(head))
        *head = merge->heap[--merge->n];
    if (merge->n > 0)
        sink(merge->heap, merge->n, 0);
}

/* Write the entries of other processes that come before one of this process. @param limit  that one; NULL: write all */
static void write_before(HieraExportMerge *merge, const Entry *limit)
{
    while (merge->n > 0 && (!limit || is_before(&merge->heap[0].entry, limit)))
        write_first(merge);
    if (merge->filled > 0)
        write_filled(merge);
}

static void receive_first_blocks(HieraExportMerge *merge, const HieraScope *scope, const HieraTrace *trace)
{
    guint n = hiera_scope_count_processes(scope);
    merge->heap = g_new(Head, n);
    merge->text = g_malloc(ROOM);
    for (guint i = 1; i < n; i++) {
        Head *head = &merge->heap[merge->n];
        head->other = g_new0(Other, 1);
        head->other->from = hiera_unpacker_from(i, trace->catalog);
        head->other->block.entries = g_array_new(FALSE, FALSE, sizeof(Entry));
        merge->n += take_entry(head);
    }
    for (guint i = merge->n; i-- > 0;)
        sink(merge->heap, merge->n, i);
}

/* --- functions that all processes call --- */

HieraExportMerge *hiera_export_merge_new(const HieraScope *scope, const HieraTrace *trace, FILE *stream)
{
    HieraExportMerge *merge = g_new0(HieraExportMerge, 1);
    merge->stream = stream;
    if (!hiera_scope_leads(scope)) {
        merge->to = hiera_packer_to(0);
        merge->block.entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    } else if (scope->share.own) {
        receive_first_blocks(merge, scope, trace);
    }
    return merge;
}

FILE *hiera_export_merge_at(HieraExportMerge *merge, gint64 time_ns, guint32 place)
{
    const Entry own = {time_ns, place, 0};
    if (merge->to)
        return add(merge, &own);
    write_before(merge, &own);
    return merge->stream;
}

void hiera_export_merge_end(HieraExportMerge *merge)
{
    if (merge->to)
        send_last(merge);
    write_before(merge, NULL);
    g_free(merge->heap);
    g_free(merge->text);
    g_free(merge);
}
