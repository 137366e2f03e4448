/* See container_index.h. The first extents are at the begin of the file, one after another, because each rank makes its
 * own in MPI_Init: the search ends when all ranks are found. */
#include "container_index.h"
#include "read_limits.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 64 * 1024 };

/* An index of a container, and the container's identity: another file may replace it at the same path. */
typedef struct {
    dev_t device;
    ino_t inode;
    off_t size; /* size when the index was made: if ranks are missing in it, they may be added later */
    HieraContainerIndex *index;
} Kept;

static GMutex lock;
static GHashTable *kept; /* index cache: path of the container → Kept */

gboolean hiera_extent_read_head(int fd, guint64 offset, guint64 number, HieraExtentHead *head)
{
    return pread(fd, head, sizeof *head, (off_t)offset) == sizeof *head && head->magic == HIERA_EXTENT_MAGIC &&
           (number == 0 || head->container == number) && head->check == hiera_container_check_of(head, sizeof *head) &&
           head->bytes > sizeof *head && head->bytes <= HIERA_EXTENT_MAX;
}

/* Search the file from `offset` (any byte) for the next extent, and return the extent's offset; 0: there is none. */
static guint64 find_extent(int fd, guint64 offset, guint64 number)
{
    static const guint64 magic = HIERA_EXTENT_MAGIC;
    g_autofree char *piece = g_malloc(PIECE);
    HieraExtentHead head;
    for (ssize_t n; (n = pread(fd, piece, PIECE, (off_t)offset)) >= (ssize_t)sizeof magic;
         offset += (guint64)n - sizeof magic + 1) {
        const char *end = piece + n;
        for (const char *at = piece; (at = memmem(at, (gsize)(end - at), &magic, sizeof magic)); at++)
            if (hiera_extent_read_head(fd, offset + (guint64)(at - piece), number, &head))
                return offset + (guint64)(at - piece);
    }
    return 0;
}

static void read_first_page(HieraContainerIndex *index, int fd)
{
    HieraContainerHead head;
    if (pread(fd, &head, sizeof head, HIERA_CONTAINER_TEXT) != sizeof head || head.magic != HIERA_CONTAINER_MAGIC ||
        head.check != hiera_container_check_of(&head, sizeof head))
        return;
    index->number = head.number;
    index->members = head.members;
}

/* Whether the trace in an extent is compressed: in plain text its first byte is '<', in any encoding. */
static gboolean is_compressed(int fd, guint64 offset)
{
    char first = '<';
    return pread(fd, &first, 1, (off_t)(offset + sizeof(HieraExtentHead))) == 1 && first != '<';
}

static void add_first(HieraContainerIndex *index, int fd, GHashTable *seen, const HieraExtentHead *head, guint64 offset)
{
    HieraContainerPlace place = {head->rank, offset, head->length, is_compressed(fd, offset)};
    if (head->thread != 0 || head->order != 0 || head->rank > G_MAXINT32 ||
        !g_hash_table_add(seen, GUINT_TO_POINTER(head->rank)))
        return;
    index->passed = index->places->len >= hiera_limits.files;
    if (!index->passed)
        g_array_append_val(index->places, place);
}

static gboolean has_all(const HieraContainerIndex *index)
{
    return index->passed || (index->members > 0 && index->places->len >= index->members);
}

/* Find the ranks' first extents. If no extent begins where it should, the one before may be incomplete: then the next
 * one begins inside it. */
static void find_places(HieraContainerIndex *index, int fd)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    HieraExtentHead head;
    guint64 offset = HIERA_CONTAINER_PAGE, last = offset, size = (guint64)MAX(lseek(fd, 0, SEEK_END), 0);
    while (offset != 0 && offset < size && !has_all(index)) {
        if (hiera_extent_read_head(fd, offset, index->number, &head)) {
            index->number = head.container;
            add_first(index, fd, seen, &head, offset);
            last = offset;
            offset += head.bytes;
            continue;
        }
        if (index->n_damaged++ == 0)
            index->damaged = offset;
        offset = find_extent(fd, last + 1, index->number);
    }
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    const HieraContainerPlace *one = a, *two = b;
    return (one->rank > two->rank) - (one->rank < two->rank);
}

static HieraContainerIndex *make_index(int fd)
{
    HieraContainerIndex *index = g_atomic_rc_box_new0(HieraContainerIndex);
    index->places = g_array_new(FALSE, FALSE, sizeof(HieraContainerPlace));
    read_first_page(index, fd);
    find_places(index, fd);
    g_array_sort(index->places, compare_ranks);
    return index;
}

static void clear_index(gpointer data)
{
    HieraContainerIndex *index = data;
    g_array_unref(index->places);
}

void hiera_container_index_unref(HieraContainerIndex *index)
{
    g_atomic_rc_box_release_full(index, clear_index);
}

static void free_kept(gpointer data)
{
    Kept *entry = data;
    hiera_container_index_unref(entry->index);
    g_free(entry);
}

HieraContainerIndex *hiera_container_index_get(const char *path, int fd)
{
    struct stat status = {0};
    fstat(fd, &status);
    g_mutex_lock(&lock);
    if (!kept)
        kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_kept);
    Kept *entry = g_hash_table_lookup(kept, path);
    if (!entry || entry->device != status.st_dev || entry->inode != status.st_ino ||
        (!has_all(entry->index) && entry->size != status.st_size)) {
        entry = g_new0(Kept, 1);
        *entry = (Kept){status.st_dev, status.st_ino, status.st_size, make_index(fd)};
        g_hash_table_replace(kept, g_strdup(path), entry);
    }
    HieraContainerIndex *index = g_atomic_rc_box_acquire(entry->index);
    g_mutex_unlock(&lock);
    return index;
}

const HieraContainerPlace *hiera_container_index_find(const HieraContainerIndex *index, guint32 rank)
{
    HieraContainerPlace key = {.rank = rank};
    guint at;
    return g_array_binary_search(index->places, &key, compare_ranks, &at)
               ? &g_array_index(index->places, HieraContainerPlace, at)
               : NULL;
}
