/* Numbers in the order in which they came. See number_queue.h. */
#include "number_queue.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE = 100000000 }; /* nanoseconds: some turns of the scheduler */

typedef struct Cell {
    uint64_t turn;
    uint64_t number;
} Cell;

typedef struct HieraRing {
    uint64_t mask;
    uint64_t added, taken; /* numbers so far */
    Cell cells[];
} HieraRing;

static HieraRing *ring_of(const HieraNumberQueue *queue, int k)
{
    return __atomic_load_n(&queue->rings[k], __ATOMIC_ACQUIRE);
}

static int newest(const HieraNumberQueue *queue)
{
    int k = 0;
    while (k + 1 < HIERA_QUEUE_RINGS && ring_of(queue, k + 1))
        k++;
    return k;
}

/* The k-th ring, made if it is not there yet; NULL without memory. */
static HieraRing *make_ring(HieraNumberQueue *queue, int k)
{
    HieraRing *ring = ring_of(queue, k);
    if (ring)
        return ring;
    size_t n = (size_t)HIERA_QUEUE_FIRST << k;
    HieraRing *made = malloc(sizeof *made + n * sizeof made->cells[0]);
    if (!made)
        return NULL;
    *made = (HieraRing){.mask = n - 1};
    for (size_t i = 0; i < n; i++)
        made->cells[i] = (Cell){i, 0};
    if (__atomic_compare_exchange_n(&queue->rings[k], &ring, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made); /* another thread was faster */
    return ring;
}

/* False if it is full. */
static bool add(HieraRing *ring, uint64_t number)
{
    uint64_t at = __atomic_load_n(&ring->added, __ATOMIC_RELAXED);
    for (;;) {
        Cell *cell = &ring->cells[at & ring->mask];
        uint64_t turn = __atomic_load_n(&cell->turn, __ATOMIC_ACQUIRE);
        if (turn < at)
            return false;
        if (turn > at)
            at = __atomic_load_n(&ring->added, __ATOMIC_RELAXED);
        else if (__atomic_compare_exchange_n(&ring->added, &at, at + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            cell->number = number;
            __atomic_store_n(&cell->turn, at + 1, __ATOMIC_RELEASE);
            return true;
        }
    }
}

/* In nanoseconds. */
static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* 0 if it is empty. One who was stopped in the midst of adding is waited for, but not for ever. */
static uint64_t take(HieraRing *ring)
{
    int64_t deadline = 0;
    uint64_t at = __atomic_load_n(&ring->taken, __ATOMIC_RELAXED);
    for (;;) {
        Cell *cell = &ring->cells[at & ring->mask];
        uint64_t turn = __atomic_load_n(&cell->turn, __ATOMIC_ACQUIRE);
        if (turn == at + 1) {
            if (!__atomic_compare_exchange_n(&ring->taken, &at, at + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                continue;
            uint64_t number = cell->number;
            __atomic_store_n(&cell->turn, at + ring->mask + 1, __ATOMIC_RELEASE);
            return number;
        }
        if (turn <= at) {
            if (__atomic_load_n(&ring->added, __ATOMIC_RELAXED) <= at)
                return 0;
            deadline = deadline ? deadline : now() + PATIENCE;
            if (now() > deadline)
                return 0;
            sched_yield();
        }
        at = __atomic_load_n(&ring->taken, __ATOMIC_RELAXED);
    }
}

void hiera_queue_add(HieraNumberQueue *queue, uint64_t number)
{
    int k = newest(queue);
    for (; k < HIERA_QUEUE_RINGS; k++) {
        HieraRing *ring = make_ring(queue, k);
        if (ring && add(ring, number))
            return;
        if (!ring)
            break;
    }
    HieraRing *last = ring_of(queue, newest(queue));
    if (last && take(last) != 0)
        add(last, number);
}

uint64_t hiera_queue_take(HieraNumberQueue *queue)
{
    uint64_t number = 0;
    for (int k = 0; k < HIERA_QUEUE_RINGS && ring_of(queue, k) && number == 0; k++)
        number = take(ring_of(queue, k));
    return number;
}

uint64_t hiera_queue_first(const HieraNumberQueue *queue)
{
    for (int k = 0; k < HIERA_QUEUE_RINGS && ring_of(queue, k); k++) {
        const HieraRing *ring = ring_of(queue, k);
        uint64_t at = __atomic_load_n(&ring->taken, __ATOMIC_ACQUIRE);
        const Cell *cell = &ring->cells[at & ring->mask];
        if (__atomic_load_n(&cell->turn, __ATOMIC_ACQUIRE) == at + 1)
            return cell->number;
    }
    return 0;
}
