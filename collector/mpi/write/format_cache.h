/* Caches the text of a call for identical later calls.
 *
 * Two calls are identical if their images are: an image is the record without times and without requests, which
 * differ in each call. It is stored as the bytes of the record and a mask of the bytes to compare, so that the next
 * record is compared where it is, without making its image. Since programs are loops, the call that followed last time
 * is tried first. The cache has a fixed size; a call that was replaced is formatted again. */
#pragma once

#include "request_deltas.h"
#include "write/element.h"

enum { HIERA_IMAGE_WORDS = 64, HIERA_IMAGE_REQUESTS = 32 };

/* Two words of a record, compared at once: (words of the record & mask) must equal `words`, those of the image. */
typedef uint64_t HieraImageWords __attribute__((vector_size(2 * sizeof(uint64_t))));
typedef struct HieraImagePair {
    HieraImageWords mask, words;
} HieraImagePair;

/* Compact encoding: the offset of a request in the record, and its distance from the request started last. */
typedef struct HieraImageRequest {
    uint16_t offset;
    int16_t distance;
} HieraImageRequest;

typedef struct HieraImage {
    const HieraTraceFile *stream;
    uint64_t size_and_call; /* first word of the record: its size, and the MPI function */
    uint32_t n_pairs, n_requests;
    uint16_t begin;   /* offset in the record of the first pair: the call site, or the word before it, so that the last
                         pair ends with the record */
    uint16_t started; /* offset in the record of the request that the call starts; 0: it starts none */
    HieraImageRequest requests[HIERA_IMAGE_REQUESTS];
    HieraImagePair pairs[HIERA_IMAGE_WORDS / 2]; /* the words of the record from offset `begin` on */
} HieraImage;

typedef struct HieraMemo {
    HieraImage image;
    uint32_t epoch;         /* the entry is valid if this equals hiera_declared_epoch(); 0: the entry is empty */
    uint16_t number;        /* full encoding: offset in the record of the only number that differs per call; 0: none */
    uint8_t *misses;        /* counter of cache misses of the call site */
    struct HieraMemo *next; /* the call that followed this one last time */
    const HieraDeclared *declared; /* compact encoding: the call's declaration; NULL: full encoding, see `texts` */
    bool may_be_filtered;          /* whether each call with this image must be checked against a filter */
    bool is_whole; /* whether the element is complete with the declaration, or with the texts and `number` */
    HieraKeptElement texts __attribute__((aligned(64))); /* full encoding; aligned to cache lines, for fast copying */
} HieraMemo;

/* Make the image of a complete call; returns false if the record is too long. `distances`: of its requests, which are
 * part of the image in the compact encoding; NULL in the full encoding. */
bool hiera_image_make(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                      const HieraMpiCall *call, const HieraDistances *distances);

extern HieraMemo *hiera_memo_last HIERA_INTERNAL; /* cache entry of the previous call; never NULL */

/* Whether the record equals an image. The image's mask is valid for the record, because it depends only on values that
 * are compared, too: the flags, the lengths of the tails, and whether a completed request was a receive. */
static inline bool hiera_image_is_like(const HieraImage *image, const HieraMpiRecord *record)
{
    const HieraImagePair *pair = image->pairs, *end = pair + image->n_pairs;
    const char *at = (const char *)record + image->begin;
    HieraImageWords differ = {0}, words;
    do {
        memcpy(&words, at, sizeof words);
        differ |= (words & pair->mask) ^ pair->words;
        at += sizeof words;
    } while (++pair < end);
    return (differ[0] | differ[1]) == 0;
}

/* Whether the record's requests have the distances that the image has. `last`: request that was started last. */
static inline bool hiera_image_has_distances(const HieraImage *image, const HieraMpiRecord *record, uint32_t last)
{
    const HieraImageRequest *request = image->requests, *end = request + image->n_requests;
    for (; request < end; request++) {
        uint32_t number = hiera_request_at(record, request->offset);
        bool is_far = (int64_t)number - last != request->distance;
        if (HIERA_UNLIKELY(is_far || number == 0) && (number != 0 || request->distance != HIERA_NO_DISTANCE))
            return false;
    }
    return true;
}

/* Return the cache entry of the call that followed the previous call last time, if the record equals it and the entry
 * is valid; else NULL. `last`: as for hiera_distances_measure(). */
static inline const HieraMemo *hiera_memo_guess(const HieraTraceFile *stream, const HieraMpiRecord *record,
                                                uint32_t last)
{
    HieraMemo *memo = hiera_memo_last->next;
    uint64_t size_and_call;
    memcpy(&size_and_call, record, sizeof size_and_call);
    if (!memo || memo->image.size_and_call != size_and_call || memo->image.stream != stream ||
        memo->epoch != hiera_declared_epoch() || !hiera_image_is_like(&memo->image, record) ||
        !hiera_image_has_distances(&memo->image, record, last))
        return NULL;
    *memo->misses = 0;
    return hiera_memo_last = memo;
}

/* Whether it is worth searching the cache for a call at this call site: not if many consecutive calls were not in the
 * cache; then it is tried again after some calls. Ask once for each call. */
bool hiera_memo_pays(const void *site);

/* Return the cache entry for an image; NULL: the call must not be cached. *holds: the entry is valid; otherwise the
 * caller should fill it in. */
HieraMemo *hiera_memo_find(const HieraImage *image, const void *site, bool *holds);

/* Fill in a cache entry; it becomes valid in hiera_memo_end(). `epoch`: hiera_declared_epoch() before the call. */
void hiera_memo_begin(HieraMemo *memo, const HieraImage *image);
void hiera_memo_end(HieraMemo *memo, uint32_t epoch);
