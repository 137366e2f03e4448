/* A container and its members: several processes write, overwrite, cut and read at random, at the same time. Each
 * member must have the bytes that a file of its own would have, and each block that is whole its sum; the blocks of all
 * fill the file without gaps. On a file of limited size the members keep what was written, and can still be
 * overwritten. */
#include "../../../collector/store/container.h"
#include "../../../collector/store/member.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4, STEPS = 400, MOST = 40 << 20, PIECE = 150000 };

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct Model {
    HieraStore *store;
    char *bytes; /* what a file would have */
    uint64_t length;
} Model;

static char dir[] = "/tmp/hiera-container-XXXXXX", path[64];
static char piece[PIECE], back[PIECE];

static Model make(int rank, unsigned thread)
{
    Model model = {hiera_member_make(rank, thread), calloc(1, MOST), 0};
    CHECK(model.store && model.bytes);
    return model;
}

static void drop(Model *model)
{
    hiera_store_close(model->store);
    free(model->bytes);
}

static size_t below(size_t limit)
{
    return (size_t)((((uint64_t)random() << 31) ^ (uint64_t)random()) % limit);
}

static int write_some(Model *model, uint64_t position, size_t n)
{
    for (size_t i = 0; i < n; i++)
        piece[i] = (char)random();
    int error = hiera_store_write_at(model->store, piece, n, position);
    if (error == 0) {
        memcpy(model->bytes + position, piece, n);
        model->length = position + n > model->length ? position + n : model->length;
    }
    return error;
}

static void check_bytes(const Model *model)
{
    uint64_t at = 0;
    ssize_t n;
    while ((n = hiera_store_read_at(model->store, back, sizeof back, at)) > 0) {
        CHECK(memcmp(back, model->bytes + at, (size_t)n) == 0);
        at += (uint64_t)n;
    }
    CHECK(n == 0 && at == model->length);
}

static void step(Model *model)
{
    size_t n = 1 + below(below(3) == 0 ? PIECE : 900);
    switch (below(8)) {
    case 0:
        model->length = model->length > 0 ? model->length - below(model->length < 5000 ? model->length : 5000) : 0;
        if (model->length > 0)
            CHECK(hiera_store_end_at(model->store, model->length, UINT64_MAX, below(2)) == 0);
        break;
    case 1:
    case 2:
        CHECK(model->length == 0 || write_some(model, below(model->length), n) == 0);
        break;
    case 3:
        CHECK(hiera_store_check(model->store));
        break;
    default:
        n = below(4) == 0 ? hiera_store_piece(model->store, model->length, PIECE) : n;
        CHECK(write_some(model, model->length, n) == 0);
    }
}

/* The extents of a member on the disk: linked, and summed. */
static void check_extents(int rank, uint64_t length)
{
    HieraExtentHead head;
    uint64_t offset = HIERA_CONTAINER_PAGE, position = 0;
    while (hiera_container_read_head(offset, &head) == 0 &&
           !(head.rank == (uint32_t)rank && head.thread == 0 && head.order == 0))
        offset += head.bytes;
    CHECK(head.length == length);
    for (uint32_t order = 0; position < length; order++, position += head.bytes - sizeof head) {
        HieraContainerSum sum = {0, 0};
        CHECK(order == 0 || (offset = head.next) != 0);
        CHECK(hiera_container_read_head(offset, &head) == 0);
        CHECK(head.order == order && head.start == position && head.rank == (uint32_t)rank && head.thread == 0);
        CHECK(head.summed > 0 && hiera_container_read(offset, 0, piece, head.summed) == 0);
        hiera_container_sum_add(&sum, piece, head.summed, 0);
        CHECK(sum.sum == head.sum && sum.weighted == head.weighted);
    }
}

/* A trace, and parts that come and go. */
static void write_at_random(int rank)
{
    srandom((unsigned)rank + 1);
    CHECK(rank == 0 || hiera_container_join(path) == 0);
    Model trace = make(rank, 0), part = make(rank, 1);
    for (int i = 0; i < STEPS && trace.length < MOST - 2 * PIECE; i++) {
        step(&trace);
        if (part.length < MOST - 2 * PIECE)
            step(&part);
        if (i % 500 == 499) {
            check_bytes(&part);
            hiera_store_remove(part.store);
            part.length = 0;
        }
    }
    check_bytes(&trace);
    CHECK(hiera_store_end_at(trace.store, trace.length, trace.length, true) == 0);
    check_bytes(&trace);
    check_extents(rank, trace.length);
    CHECK(write_some(&trace, trace.length / 2, 7) == 0); /* a value that is filled in later */
    check_bytes(&trace);
    check_extents(rank, trace.length);
    drop(&trace);
    drop(&part);
}

/* Returns where the extents end. */
static uint64_t check_whole(void)
{
    HieraExtentHead head;
    uint64_t offset = HIERA_CONTAINER_PAGE;
    while (hiera_container_read_head(offset, &head) == 0)
        offset += head.bytes;
    return offset;
}

static void processes_write_together(void)
{
    struct stat status;
    pid_t children[PROCESSES];
    for (int rank = 0; rank < PROCESSES; rank++) {
        children[rank] = fork();
        CHECK(children[rank] >= 0);
        if (children[rank] == 0) {
            write_at_random(rank + 1);
            exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int ended = -1;
        CHECK(waitpid(children[i], &ended, 0) == children[i] && ended == 0);
    }
    CHECK(stat(path, &status) == 0 && check_whole() == (uint64_t)status.st_size);
}

static void limit_costs_what_does_not_fit(void)
{
    struct stat status;
    Model trace = make(50, 0);
    int error = 0;
    CHECK(stat(path, &status) == 0);
    struct rlimit limit = {(rlim_t)status.st_size + 300001, RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    while (error == 0 && trace.length < MOST - PIECE)
        error = write_some(&trace, trace.length, 70000);
    CHECK(error == EFBIG && trace.length >= 200000);
    CHECK(hiera_store_end_at(trace.store, trace.length, UINT64_MAX, false) == 0);
    CHECK(write_some(&trace, trace.length - 20000, 20000) == 0);
    CHECK(hiera_store_end_at(trace.store, trace.length, trace.length, true) == 0);
    check_bytes(&trace);
    check_extents(50, trace.length);
    limit.rlim_cur = RLIM_INFINITY;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK(write_some(&trace, trace.length, 70000) == 0);
    check_bytes(&trace);
    drop(&trace);
}

int main(void)
{
    CHECK(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/traces0.hiera", dir);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600), error;
    CHECK(fd >= 0 && hiera_container_make(path, fd, PROCESSES, 7) == 0);
    CHECK(hiera_container_is_used(&error) && error == 0);
    processes_write_together();
    limit_costs_what_does_not_fit();
    unlink(path);
    rmdir(dir);
    return 0;
}
