#include "member.h"

#include "container.h"
#include "memory/signal_safe_memory.h"

#include <errno.h>

enum { KNOWN_MAX = 256, CHANGED_MAX = 16, PIECE = 16 << 10, PAGE = 4096, HEAD = sizeof(HieraExtentHead) };

typedef struct Place {
    uint64_t start; /* position of the extent's first byte in the member's text */
    uint64_t offset;
} Place;

typedef struct Member {
    HieraStore store;
    uint32_t rank, thread;
    uint64_t length;               /* position where the member's text ends */
    uint64_t room;                 /* position where the member's extents end */
    HieraExtentHead head;          /* head of the extent that was read or written last; head.bytes 0: none is loaded */
    uint64_t offset;               /* offset in the file of the extent of `head` */
    uint64_t first, last;          /* offsets in the file of the member's first and last extents */
    Place known[KNOWN_MAX];        /* cache of positions of some extents, in order, beginning with the first extent */
    size_t n_known, skipped;       /* number of entries in `known`; number of extents since the last of these */
    size_t stride;                 /* distance between extents in `known`: every stride-th one is there */
    uint64_t changed[CHANGED_MAX]; /* offsets in the file of extents that have no checksum */
    size_t n_changed;
} Member;

static Member *member_of(HieraStore *store)
{
    return (Member *)(void *)store;
}

static size_t room_of(const HieraExtentHead *head)
{
    return head->bytes - HEAD;
}

static bool has(const HieraExtentHead *head, uint64_t position)
{
    return head->bytes > 0 && position >= head->start && position - head->start < room_of(head);
}

/* --- the list of extents of a member (a trace in the container) --- */

static int load(Member *member, uint64_t offset)
{
    if (member->head.bytes > 0 && member->offset == offset)
        return 0;
    int error = hiera_container_read_head(offset, &member->head);
    if (error == 0 && (member->head.rank != member->rank || member->head.thread != member->thread))
        error = EIO;
    if (error != 0)
        member->head.bytes = 0;
    member->offset = offset;
    return error;
}

static int store_head(Member *member)
{
    return hiera_container_write_head(member->offset, &member->head);
}

/* Load the head of the extent that has this position, which must be below member->room. */
static int find(Member *member, uint64_t position)
{
    size_t i = member->n_known;
    if (has(&member->head, position))
        return 0;
    while (i > 1 && member->known[i - 1].start > position)
        i--;
    bool is_near =
        member->head.bytes > 0 && member->head.start <= position && member->head.start >= member->known[i - 1].start;
    int error = is_near ? 0 : load(member, member->known[i - 1].offset);
    while (error == 0 && !has(&member->head, position))
        error = member->head.next != 0 ? load(member, member->head.next) : EIO;
    return error;
}

/* Add the loaded extent to `known`. If `known` is full, drop every second entry and double the stride. */
static void remember(Member *member)
{
    if (++member->skipped < member->stride)
        return;
    if (member->n_known == KNOWN_MAX) {
        for (size_t i = 0; i < KNOWN_MAX / 2; i++)
            member->known[i] = member->known[2 * i];
        member->n_known = KNOWN_MAX / 2;
        member->stride *= 2;
    }
    member->known[member->n_known++] = (Place){member->head.start, member->offset};
    member->skipped = 0;
}

/* --- checksums of extents --- */

static void note_changed(Member *member)
{
    for (size_t i = 0; i < member->n_changed; i++)
        if (member->changed[i] == member->offset)
            return;
    if (member->n_changed < CHANGED_MAX)
        member->changed[member->n_changed++] = member->offset;
}

/* Compute the checksum of the first n bytes of the loaded extent. If these cannot be read, it gets no checksum. */
static int sum_up(Member *member, size_t n)
{
    static char piece[PIECE];
    HieraContainerSum sum = {0, 0};
    for (size_t at = 0; at < n; at += sizeof piece) {
        size_t bytes = n - at < sizeof piece ? n - at : sizeof piece;
        if (hiera_container_read(member->offset, at, piece, bytes) != 0)
            return 0;
        hiera_container_sum_add(&sum, piece, bytes, at);
    }
    member->head.sum = sum.sum;
    member->head.weighted = sum.weighted;
    member->head.summed = (uint32_t)n;
    return store_head(member);
}

/* Compute the sums of extents that have changed and are full; at the end also of the last one, whose unused room is
 * given back. */
static int sum_changed(Member *member, bool final)
{
    size_t n = member->n_changed;
    int error = 0;
    member->n_changed = 0;
    for (size_t i = 0; i < n && error == 0; i++) {
        error = load(member, member->changed[i]);
        uint64_t used = member->length > member->head.start ? member->length - member->head.start : 0;
        if (error == 0 && used == 0 && final)
            hiera_container_trim(member->offset, &member->head, 0);
        if (error != 0 || used == 0)
            continue;
        bool is_full = used >= room_of(&member->head);
        if (is_full || final)
            error = sum_up(member, is_full ? room_of(&member->head) : (size_t)used);
        else
            note_changed(member);
        if (error == 0 && final && !is_full)
            hiera_container_trim(member->offset, &member->head, (size_t)used);
    }
    return error;
}

/* --- writing text of a member (a trace in the container) --- */

static int remove_sum(Member *member)
{
    note_changed(member);
    if (member->head.summed == 0)
        return 0;
    member->head.summed = 0;
    member->head.sum = member->head.weighted = 0;
    return store_head(member);
}

/* Subtract the bytes of the loaded extent that will be overwritten from its checksum `sum`. */
static int take_out(Member *member, HieraContainerSum *sum, size_t at, size_t n)
{
    static char old[PIECE];
    int error = 0;
    for (size_t end = at + n; at < end && error == 0; at += sizeof old) {
        size_t bytes = end - at < sizeof old ? end - at : sizeof old;
        error = hiera_container_read(member->offset, at, old, bytes);
        hiera_container_sum_remove(sum, old, bytes, at);
    }
    return error;
}

/* Overwrite bytes that the extent's checksum covers, and update the checksum. During the write the extent has none. */
static int replace(Member *member, size_t at, const char *bytes, size_t n)
{
    uint32_t summed = member->head.summed;
    HieraContainerSum sum = {0, 0};
    int error = 0;
    if (n < summed) {
        sum = (HieraContainerSum){member->head.sum, member->head.weighted};
        error = take_out(member, &sum, at, n);
    }
    member->head.summed = 0;
    error = error != 0 ? error : store_head(member);
    error = error != 0 ? error : hiera_container_write(member->offset, at, bytes, n);
    if (error != 0)
        return error;
    hiera_container_sum_add(&sum, bytes, n, at);
    member->head.sum = sum.sum;
    member->head.weighted = sum.weighted;
    member->head.summed = summed;
    return store_head(member);
}

/* Overwrite n bytes at offset `at` in the text of the loaded extent. */
static int overwrite(Member *member, size_t at, const char *bytes, size_t n)
{
    if (at + n <= member->head.summed)
        return replace(member, at, bytes, n);
    int error = remove_sum(member);
    return error != 0 ? error : hiera_container_write(member->offset, at, bytes, n);
}

/* Overwrite at most *n bytes, within one extent; *n becomes the number of overwritten bytes. */
static int write_inside(Member *member, uint64_t position, const char *bytes, size_t *n)
{
    int error = find(member, position);
    if (error != 0)
        return error;
    size_t at = (size_t)(position - member->head.start), rest = room_of(&member->head) - at;
    *n = *n < rest ? *n : rest;
    return overwrite(member, at, bytes, *n);
}

/* Return the size of a new extent for n bytes of text, including its head, in whole pages. */
static uint32_t size_for(const Member *member, size_t n)
{
    uint64_t bytes = n > member->room / 8 ? n : member->room / 8;
    bytes = (bytes + HEAD + PAGE - 1) / PAGE * PAGE;
    return bytes < HIERA_EXTENT_MAX ? (uint32_t)bytes : HIERA_EXTENT_MAX;
}

/* Append the new extent to the member's list of extents. */
static int link_new(Member *member, const HieraExtentHead *head, uint64_t offset)
{
    member->head.next = offset;
    int error = head->order > 0 ? store_head(member) : 0;
    if (error != 0)
        return error;
    member->head = *head;
    if (head->order == 0)
        member->first = offset;
    member->last = member->offset = offset;
    member->room += room_of(head);
    remember(member);
    if (head->summed == 0)
        note_changed(member);
    return 0;
}

/* Load the last extent. A signal handler may have interrupted the adding of an extent: so the room is recomputed from
 * the last one. */
static int load_last(Member *member)
{
    int error = member->room > 0 ? load(member, member->last) : 0;
    if (error == 0 && member->room > 0)
        member->room = member->head.start + room_of(&member->head);
    return error;
}

/* Append an extent with at most *n bytes behind the last one, which is loaded; *n becomes the number of bytes in it. */
static int extend(Member *member, const char *bytes, size_t *n)
{
    uint64_t offset;
    uint32_t order = member->room > 0 ? member->head.order + 1 : 0;
    HieraExtentHead head = {.rank = member->rank,
                            .thread = member->thread,
                            .order = order,
                            .start = member->room,
                            .bytes = size_for(member, *n)};
    *n = *n < room_of(&head) ? *n : room_of(&head);
    int error = hiera_container_take(&head, bytes, n, &offset);
    return error != 0 ? error : link_new(member, &head, offset);
}

static int write_at(HieraStore *store, const char *bytes, size_t n, uint64_t position)
{
    Member *member = member_of(store);
    int error = 0;
    while (n > 0 && error == 0) {
        size_t part = n;
        if (position >= member->room && (error = load_last(member)) != 0)
            break;
        if (position > member->room)
            error = EIO;
        else if (position == member->room)
            error = extend(member, bytes, &part);
        else
            error = write_inside(member, position, bytes, &part);
        bytes += part;
        n -= part;
        position += part;
    }
    if (error == 0 && position > member->length)
        member->length = position;
    return error == 0 && member->n_changed == CHANGED_MAX ? sum_changed(member, false) : error;
}

/* --- other functions of a HieraStoreKind --- */

static ssize_t read_at(HieraStore *store, char *bytes, size_t n, uint64_t position)
{
    Member *member = member_of(store);
    if (position >= member->length || position >= member->room)
        return 0;
    if (find(member, position) != 0)
        return -1;
    uint64_t end = member->head.start + room_of(&member->head);
    end = end < member->length ? end : member->length;
    size_t part = n < end - position ? n : (size_t)(end - position);
    return hiera_container_read(member->offset, (size_t)(position - member->head.start), bytes, part) == 0
               ? (ssize_t)part
               : -1;
}

static int end_at(HieraStore *store, uint64_t end, uint64_t was, bool final)
{
    Member *member = member_of(store);
    (void)was;
    if (member->room == 0)
        return end == 0 ? 0 : EIO;
    member->length = end < member->room ? end : member->room;
    int error = sum_changed(member, final);
    error = error != 0 ? error : load(member, member->first);
    member->head.length = member->length;
    return error != 0 ? error : store_head(member);
}

/* Return the number of bytes from `position` to the end of its extent, for a new extent to its largest possible end. */
static size_t piece(HieraStore *store, uint64_t position, size_t most)
{
    Member *member = member_of(store);
    size_t rest = HIERA_EXTENT_MAX - HEAD;
    if (position < member->room && find(member, position) == 0)
        rest = room_of(&member->head) - (size_t)(position - member->head.start);
    return rest < most ? rest : most;
}

static bool check(HieraStore *store)
{
    member_of(store)->head.bytes = 0; /* load again: a signal handler may have interrupted the loading of the head */
    return hiera_container_check();
}

/* Other processes may be writing into the container now, but only the killed one has written into this member. */
static int open_again(HieraStore *store, bool reads)
{
    member_of(store)->head.bytes = 0; /* load again: the process may have been killed while it loaded the head */
    return hiera_container_open_again(reads);
}

static HieraStorePlace place(const HieraStore *store)
{
    (void)store;
    return hiera_container_place();
}

static void leave_to_parent(HieraStore *store)
{
    (void)store;
    hiera_container_leave_to_parent();
}

static void remove_member(HieraStore *store)
{
    Member *member = member_of(store);
    uint64_t next = member->room > 0 ? member->first : 0;
    while (next != 0 && load(member, next) == 0) {
        next = member->head.next;
        hiera_container_give(member->offset, member->head);
    }
    member->length = member->room = 0;
    member->head.bytes = 0;
    member->n_known = member->skipped = member->n_changed = 0;
    member->stride = 1;
}

static void close_member(HieraStore *store)
{
    hiera_memory_free(store, sizeof(Member));
}

static const HieraStoreKind kind = {write_at,   read_at, end_at,          piece,         check,
                                    open_again, place,   leave_to_parent, remove_member, close_member};

HieraStore *hiera_member_make(int rank, unsigned thread)
{
    Member *member = hiera_memory_new(sizeof *member);
    if (!member)
        return NULL;
    member->store.kind = &kind;
    member->rank = (uint32_t)rank;
    member->thread = thread;
    member->stride = 1;
    return &member->store;
}
