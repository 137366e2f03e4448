#include "container.h"
#include "base/parse_numbers.h"
#include "container_index.h"
#include "hiera_trace.h"
#include "read_limits.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SEPARATOR '#'
#define TRIES     20 /* attempts to read an extent while a running job may be changing it */

struct HieraMember {
    int fd;
    HieraContainerIndex *index;
    guint32 rank;
    guint64 length;
    guint64 next;     /* offset in the container of the trace's next extent; 0: none */
    guint64 position; /* offset in the trace of the first byte of the loaded extent */
    guint32 order;    /* number of the next extent within the trace, from 0 */
    gsize used, filled;
    char *bytes; /* trace bytes of the loaded extent */
    char *problem;
};

static int open_container(const char *path)
{
    /* With O_NONBLOCK, opening a FIFO does not wait for its writer. */
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

/* Whether a path has the suffix of containers: such a file is a container even if its first page is damaged. */
static gboolean has_name(const char *path)
{
    return g_str_has_suffix(path, HIERA_CONTAINER_SUFFIX);
}

gboolean hiera_container_is(const char *path)
{
    if (has_name(path) && g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return TRUE;
    char head[sizeof HIERA_CONTAINER_MARK - 1];
    int fd = open_container(path);
    ssize_t n = fd >= 0 ? pread(fd, head, sizeof head, 0) : -1;
    if (fd >= 0)
        close(fd);
    return n == sizeof head && memcmp(head, HIERA_CONTAINER_MARK, sizeof head) == 0;
}

char *hiera_container_find(const char *path, guint32 *rank)
{
    const char *separator = strrchr(path, SEPARATOR);
    gint64 number;
    if (!separator || separator == path ||
        !hiera_number_parse_between(separator + 1, strlen(separator + 1), 0, G_MAXINT32, &number) ||
        g_file_test(path, G_FILE_TEST_EXISTS))
        return NULL;
    g_autofree char *container = g_strndup(path, (gsize)(separator - path));
    *rank = (guint32)number;
    return hiera_container_is(container) ? g_steal_pointer(&container) : NULL;
}

/* --- the list of traces in a container --- */

static void report(const char *path, const HieraContainerIndex *index, HieraFindings *findings)
{
    if (index->passed)
        hiera_findings_add(findings, HIERA_FINDING_SYNTAX, path, 0, NULL,
                           "has more traces than the limit files=%" G_GUINT64_FORMAT
                           "; if you trust the file, raise it with --limits",
                           hiera_limits.files);
    if (index->members == 0)
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, 0, NULL,
                           "its first page is damaged: nobody knows how many ranks it has; copy the file again");
    if (index->n_damaged > 0 && index->places->len < index->members)
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, 0, NULL,
                           "is damaged, first at byte %" G_GUINT64_FORMAT
                           ": traces may begin there; %u of %u ranks are found; copy the file again",
                           index->damaged, index->places->len, index->members);
    else if (index->places->len == 0)
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, 0, NULL,
                           "contains no trace: the job wrote none, or still starts");
}

void hiera_container_list(const char *container, GPtrArray *paths, HieraFindings *findings)
{
    int fd = open_container(container);
    if (fd < 0) {
        hiera_findings_add(findings, HIERA_FINDING_FILE, container, 0, NULL, "cannot be opened: %s", g_strerror(errno));
        return;
    }
    HieraContainerIndex *index = hiera_container_index_get(container, fd);
    close(fd);
    report(container, index, findings);
    for (guint i = 0; i < index->places->len; i++)
        g_ptr_array_add(paths, g_strdup_printf("%s%c%u", container, SEPARATOR,
                                               g_array_index(index->places, HieraContainerPlace, i).rank));
    hiera_container_index_unref(index);
}

gint64 hiera_container_trace_bytes(const char *container, guint32 rank, gboolean *compressed)
{
    int fd = open_container(container);
    if (fd < 0)
        return 0;
    HieraContainerIndex *index = hiera_container_index_get(container, fd);
    const HieraContainerPlace *place = hiera_container_index_find(index, rank);
    gint64 bytes = place ? (gint64)MIN(place->length, (guint64)G_MAXINT64) : 0;
    *compressed = place && place->is_compressed;
    hiera_container_index_unref(index);
    close(fd);
    return bytes;
}

/* --- reading one trace --- */

HieraMember *hiera_member_open(const char *container, guint32 rank, GError **error)
{
    HieraExtentHead head;
    int fd = open_container(container);
    if (fd < 0) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "cannot be opened: %s", g_strerror(errno));
        return NULL;
    }
    HieraMember *member = g_new0(HieraMember, 1);
    *member = (HieraMember){.fd = fd, .index = hiera_container_index_get(container, fd), .rank = rank};
    const HieraContainerPlace *place = hiera_container_index_find(member->index, rank);
    if (!place || !hiera_extent_read_head(fd, place->offset, member->index->number, &head)) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ,
                    place ? "the begin of this trace in the container is damaged; copy the file again"
                          : "the container has no trace of rank %u; name the container alone to see all that it has",
                    rank);
        hiera_member_free(member);
        return NULL;
    }
    member->next = place->offset;
    member->length = head.length;
    member->bytes = g_malloc(HIERA_EXTENT_MAX);
    return member;
}

static gboolean fail(HieraMember *member, const char *what)
{
    if (!member->problem)
        member->problem =
            g_strdup_printf("%s at byte %" G_GUINT64_FORMAT
                            " of the container: the trace of rank %u is lost from its byte %" G_GUINT64_FORMAT
                            " on, those of other ranks are not affected; copy the file again",
                            what, member->next, member->rank, member->position + member->filled);
    return FALSE;
}

/* Read the trace bytes of an extent into `member`. Return FALSE if their checksum is wrong. */
static gboolean read_content(HieraMember *member, guint64 offset, const HieraExtentHead *head)
{
    HieraContainerSum sum = {0, 0};
    gsize room = head->bytes - sizeof *head, wanted = (gsize)MIN(room, member->length - head->start);
    gsize bytes = MAX(wanted, MIN(head->summed, room));
    if (pread(member->fd, member->bytes, bytes, (off_t)(offset + sizeof *head)) != (gssize)bytes)
        return FALSE;
    hiera_container_sum_add(&sum, member->bytes, MIN(head->summed, room), 0);
    member->filled = wanted;
    return head->summed == 0 || (sum.sum == head->sum && sum.weighted == head->weighted);
}

static gboolean ends_before(const HieraMember *member, guint64 offset)
{
    return (guint64)MAX(lseek(member->fd, 0, SEEK_END), 0) <= offset;
}

/* Load the trace's next extent. Try again if its head changes meanwhile: then a running job has changed the extent. */
static gboolean load_next(HieraMember *member)
{
    HieraExtentHead head, again;
    guint64 start = member->position + member->filled, number = member->index->number;
    for (guint i = 0;; i++) {
        if (member->next == 0 || !hiera_extent_read_head(member->fd, member->next, number, &head) ||
            head.rank != member->rank || head.thread != 0 || head.order != member->order || head.start != start)
            return fail(member, member->next == 0 || ends_before(member, member->next) ? "a block is missing"
                                                                                       : "a block is damaged");
        member->position = start;
        member->filled = 0;
        if (read_content(member, member->next, &head))
            break;
        member->filled = 0;
        if (i == TRIES || !hiera_extent_read_head(member->fd, member->next, number, &again) ||
            memcmp(&head, &again, sizeof head) == 0)
            return fail(member, "a block is damaged");
    }
    member->used = 0;
    member->next = head.next;
    member->order++;
    return TRUE;
}

static gboolean has_more(HieraMember *member)
{
    return member->used < member->filled || (member->position + member->filled < member->length && load_next(member));
}

gsize hiera_member_peek(HieraMember *member, char *bytes, gsize n)
{
    if (!has_more(member))
        return 0;
    gsize there = MIN(n, member->filled - member->used);
    memcpy(bytes, member->bytes + member->used, there);
    return there;
}

gssize hiera_member_read(HieraMember *member, char *buffer, gsize size)
{
    if (!has_more(member))
        return member->problem ? -1 : 0;
    gsize n = MIN(size, member->filled - member->used);
    memcpy(buffer, member->bytes + member->used, n);
    member->used += n;
    return (gssize)n;
}

const char *hiera_member_peek_problem(const HieraMember *member)
{
    return member->problem ? member->problem : "the container cannot be read";
}

void hiera_member_free(HieraMember *member)
{
    if (!member)
        return;
    close(member->fd);
    hiera_container_index_unref(member->index);
    g_free(member->bytes);
    g_free(member->problem);
    g_free(member);
}
