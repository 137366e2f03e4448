#include "number_queue.h"

#include "memory/kept_heap.h"
#include "memory/taken_memory.h"

#include <stdbool.h>
#include <stddef.h>

enum { LAP_SHIFT = HIERA_QUEUE_NUMBER_BITS };

typedef struct HieraRing {
    int bits;              /* log2 of the number of cells */
    uint64_t added, taken; /* how many numbers were added to and taken from this ring; `added` may be too low by one */
    uint64_t cells[];      /* low bits: a number, 0: none; high bits: the lap, a count of rounds through the ring */
} HieraRing;

static size_t ring_bytes(int bits)
{
    return sizeof(HieraRing) + ((size_t)1 << bits) * sizeof(uint64_t);
}

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

/* Return the k-th ring of the queue, allocated if it does not exist yet; NULL: out of memory. */
static HieraRing *make_ring(HieraNumberQueue *queue, int k)
{
    HieraRing *ring = ring_of(queue, k);
    if (ring)
        return ring;
    int bits = HIERA_QUEUE_FIRST_BITS + k;
    HieraRing *made = hiera_kept_take_small(ring_bytes(bits));
    if (!made)
        return NULL;
    made->bits = bits;
    if (__atomic_compare_exchange_n(&queue->rings[k], &ring, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    hiera_kept_give(made); /* another thread has stored its ring first */
    return ring;
}

static uint64_t *cell_of(HieraRing *ring, uint64_t at)
{
    return &ring->cells[at & ((UINT64_C(1) << ring->bits) - 1)];
}

static uint64_t lap_of(const HieraRing *ring, uint64_t at)
{
    return at >> ring->bits << LAP_SHIFT;
}

/* Return the number in the content `cell` of a cell, if it was stored in the lap of position `at`; else 0. */
static uint64_t number_in(const HieraRing *ring, uint64_t at, uint64_t cell)
{
    return cell >> LAP_SHIFT == lap_of(ring, at) >> LAP_SHIFT ? cell & ((UINT64_C(1) << LAP_SHIFT) - 1) : 0;
}

static uint64_t load(const uint64_t *from)
{
    return __atomic_load_n(from, __ATOMIC_SEQ_CST);
}

static bool swap(uint64_t *in, uint64_t *there, uint64_t value)
{
    return __atomic_compare_exchange_n(in, there, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Add a number. Returns false if the ring is full. One atomic operation stores the number. `added` is increased
 * afterwards, by this or any other thread, so no thread waits for one that was stopped in between. */
static bool add(HieraRing *ring, uint64_t number)
{
    uint64_t at = load(&ring->added);
    for (;;) {
        uint64_t there = lap_of(ring, at), counted = at;
        bool stored = swap(cell_of(ring, at), &there, there | number);
        if (stored || number_in(ring, at, there) != 0)
            swap(&ring->added, &counted, at + 1);
        if (stored)
            return true;
        uint64_t now = load(&ring->added);
        if (now == at)
            return false; /* the ring is full: the cell still has a number of the previous lap */
        at = now;
    }
}

/* Take the oldest number out of the ring; 0: the ring is empty. */
static uint64_t take(HieraRing *ring)
{
    uint64_t at = load(&ring->taken);
    for (;;) {
        uint64_t number = number_in(ring, at, load(cell_of(ring, at))), now = at;
        if (number != 0 && swap(&ring->taken, &now, at + 1)) {
            __atomic_store_n(cell_of(ring, at), lap_of(ring, at + (UINT64_C(1) << ring->bits)), __ATOMIC_SEQ_CST);
            return number;
        }
        now = load(&ring->taken);
        if (number == 0 && now == at)
            return 0;
        at = now;
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
    do {
        for (int k = 0; k < HIERA_QUEUE_RINGS && ring_of(queue, k) && number == 0; k++)
            number = take(ring_of(queue, k));
    } while (number == 0 && hiera_queue_first(queue) !=
                                0); /* try again: a number was added to a ring that the loop had already passed */
    return number;
}

void hiera_queue_recover(HieraNumberQueue *queue)
{
    for (int k = 0; k < HIERA_QUEUE_RINGS; k++)
        if (queue->rings[k] && (!hiera_taken_has(queue->rings[k], ring_bytes(HIERA_QUEUE_FIRST_BITS + k)) ||
                                queue->rings[k]->bits != HIERA_QUEUE_FIRST_BITS + k))
            queue->rings[k] = NULL;
}

uint64_t hiera_queue_first(const HieraNumberQueue *queue)
{
    for (int k = 0; k < HIERA_QUEUE_RINGS && ring_of(queue, k); k++) {
        HieraRing *ring = ring_of(queue, k);
        uint64_t at = load(&ring->taken), number = number_in(ring, at, load(cell_of(ring, at)));
        if (number != 0)
            return number;
    }
    return 0;
}
