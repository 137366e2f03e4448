/* A container: one file with the traces of several ranks of one host (HIERA_CONTAINER). Contract between the collector,
 * which writes it, and the transform, which reads it; docs/format.md explains it to people.
 *
 * The file begins with a page of text that explains the file, and that ends with HieraContainerHead. Then come extents,
 * in the order in which ranks requested room. An extent is a HieraExtentHead and bytes of one member: a rank's trace,
 * or the part of a thread. The bytes of a member's extents, in their order, are exactly the file that the rank would
 * write without a container. An extent usually begins at a multiple of 4096; after one that was not written completely
 * the next one may begin anywhere.
 *
 * Numbers have the byte order of the host. */
#ifndef HIERA_DTD_CONTAINER_H
#define HIERA_DTD_CONTAINER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HIERA_CONTAINER_NAME   "traces" /* the file's name: this, its first rank, and HIERA_CONTAINER_SUFFIX */
#define HIERA_CONTAINER_SUFFIX ".hiera"
#define HIERA_CONTAINER_MARK   "Hiera container 1\n" /* first bytes of the file */
#define HIERA_CONTAINER_MAGIC  UINT64_C(0x3148437265694801)
#define HIERA_EXTENT_MAGIC     UINT64_C(0x31587e7265694802)

enum {
    HIERA_CONTAINER_PAGE = 4096,
    HIERA_CONTAINER_TEXT = HIERA_CONTAINER_PAGE - 24, /* size of the first page's text, padded with zero bytes */
    HIERA_EXTENT_MAX = 128 << 10,                     /* maximum size of an extent, including its head */
};

#define HIERA_EXTENT_FREE UINT32_MAX /* value of `thread` in extents that no longer belong to a member */

/* Data at the end of the container's first page. */
typedef struct HieraContainerHead {
    uint64_t magic;
    uint64_t number;  /* number of this container; all its extents have it */
    uint32_t members; /* number of ranks that write into the container */
    uint32_t check;   /* check value: hiera_container_check_of() this struct */
} HieraContainerHead;

typedef struct HieraExtentHead {
    uint64_t magic;
    uint64_t container;
    uint32_t rank;
    uint32_t thread; /* 0: the trace of the rank; else the part of this thread, which exists while the rank runs */
    uint32_t order;  /* index among the extents of the member, from 0 */
    uint32_t bytes;  /* size of the extent, including this head */
    uint64_t start;  /* position in the member of the extent's first byte */
    uint64_t next;   /* file offset of the member's next extent; 0: there is none */
    uint64_t length; /* in the member's first extent (order 0): size of the member; else 0 */
    uint64_t sum;    /* checksum: HieraContainerSum of the first `summed` bytes behind the head */
    uint64_t weighted;
    uint32_t summed; /* number of bytes in the checksum; 0: none, as the bytes may still change */
    uint32_t check;  /* check value: hiera_container_check_of() this struct */
} HieraExtentHead;

_Static_assert(sizeof(HieraContainerHead) == 24, "without gaps");
_Static_assert(sizeof(HieraExtentHead) == 80, "without gaps");

/* Checksum over words of 32 bits: the sum of the words, and the sum of the words times their positions. It detects one
 * or two changed words, and exchanged ones; and if some bytes change, it can be updated without reading the others. */
typedef struct HieraContainerSum {
    uint64_t sum, weighted;
} HieraContainerSum;

static inline void hiera_container_sum_byte(HieraContainerSum *sum, unsigned char byte, size_t position)
{
    uint32_t word = 0;
    memcpy((unsigned char *)&word + (position & 3), &byte, 1);
    sum->sum += word;
    sum->weighted += (uint64_t)word * (position / 4 + 1);
}

typedef uint64_t HieraWordPair __attribute__((vector_size(16)));

/* Add four words in each step, in two vectors. `behind` sums the values of `words` after each step: so the first words
 * are in it as many times as there are steps, and the last ones once. */
static inline const unsigned char *hiera_container_sum_words(HieraContainerSum *sum, const unsigned char *at,
                                                             size_t steps, uint64_t place)
{
    enum { LOW_FIRST = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
    const HieraWordPair low = {UINT32_MAX, UINT32_MAX};
    HieraWordPair words[2] = {{0}}, behind[2] = {{0}};
    for (size_t i = 0; i < steps; i++, at += 16) {
        HieraWordPair four;
        memcpy(&four, at, sizeof four);
        words[!LOW_FIRST] += four & low;
        words[LOW_FIRST] += four >> 32;
        behind[0] += words[0];
        behind[1] += words[1];
    }
    for (size_t j = 0; j < 4; j++) {
        uint64_t word = words[j % 2][j / 2];
        sum->sum += word;
        sum->weighted += word * (place + j + 1) + 4 * (steps * word - behind[j % 2][j / 2]);
    }
    return at;
}

/* Add n bytes to a checksum; `position` counts from the end of the extent's head. */
static inline void hiera_container_sum_add(HieraContainerSum *sum, const void *bytes, size_t n, size_t position)
{
    const unsigned char *at = (const unsigned char *)bytes, *end = at + n;
    for (; at < end && (position & 3) != 0; at++, position++)
        hiera_container_sum_byte(sum, *at, position);
    size_t steps = (size_t)(end - at) / 16;
    at = hiera_container_sum_words(sum, at, steps, position / 4);
    for (position += 16 * steps; at < end; at++, position++)
        hiera_container_sum_byte(sum, *at, position);
}

/* Remove n bytes from a checksum; `position` counts from the end of the extent's head. */
static inline void hiera_container_sum_remove(HieraContainerSum *sum, const void *bytes, size_t n, size_t position)
{
    HieraContainerSum gone = {0, 0};
    hiera_container_sum_add(&gone, bytes, n, position);
    sum->sum -= gone.sum;
    sum->weighted -= gone.weighted;
}

/* Return the check value of a head of `bytes` bytes: FNV-1a of all bytes before its last field, `check`. */
static inline uint32_t hiera_container_check_of(const void *head, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)head;
    uint32_t hash = UINT32_C(0x811c9dc5);
    for (size_t i = 0; i < bytes - sizeof hash; i++)
        hash = (hash ^ at[i]) * UINT32_C(0x01000193);
    return hash;
}

#endif
