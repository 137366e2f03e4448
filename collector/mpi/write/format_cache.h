/* Caches the text of a call for identical later calls.
 *
 * Two calls are identical if their images are: an image is the record without times and without requests, which are
 * different in each call. It is kept as the bytes of the record and a mask of those that are compared, so that the next
 * record is compared where it is, without making its image. Since programs are loops, the call that followed last time
 * is tried first. The cache has a fixed size; a call that was replaced is formatted again. */
#ifndef HIERA_FORMAT_CACHE_H
#define HIERA_FORMAT_CACHE_H

#include "request_deltas.h"
#include "write/element.h"

enum { HIERA_IMAGE_WORDS = 64, HIERA_IMAGE_REQUESTS = 32 };

/* Two words of a record, compared at a time: those of the record that the mask has, and the words of the image. */
typedef uint64_t HieraImageWords __attribute__((vector_size(2 * sizeof(uint64_t))));
typedef struct HieraImagePair {
    HieraImageWords mask, words;
} HieraImagePair;

/* Compact spelling: a request of the record, by its place and its distance. */
typedef struct HieraImageRequest {
    uint16_t offset;
    int16_t distance;
} HieraImageRequest;

typedef struct HieraImage {
    const HieraTraceFile *stream;
    uint64_t size_and_call; /* the first word of the record */
    uint32_t n_pairs, n_requests;
    uint16_t begin; /* place in the record of the first pair: the call site, or the word before it, so that the last one
                       ends with the record */
    uint16_t started; /* place in the record of the request that the call starts; 0: none */
    HieraImageRequest requests[HIERA_IMAGE_REQUESTS];
    HieraImagePair pairs[HIERA_IMAGE_WORDS / 2]; /* from `begin` on */
} HieraImage;

typedef struct HieraMemo {
    HieraImage image;
    uint32_t epoch;  /* valid if it equals hiera_declared_epoch(); 0: empty */
    uint16_t number; /* full spelling: place in the record of the only number that differs in each call; 0: none; */
    uint8_t *misses; /* of its call site */
    struct HieraMemo *next;        /* the call that followed last time */
    const HieraDeclared *declared; /* compact spelling: the declaration; NULL: the texts below */
    bool may_be_hidden;            /* a filter has to be asked about each of these calls */
    bool is_whole;                 /* nothing follows the declaration, or the texts and the number */
    HieraKeptElement texts __attribute__((aligned(64))); /* copied in lines of the cache */
} HieraMemo;

/* Make the image of a complete call; returns false if it is too long. `distances`: those of its requests, which are
 * part of the image in compact spelling; NULL in full spelling. */
bool hiera_image_make(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                      const HieraMpiCall *call, const HieraDistances *distances);

extern HieraMemo *hiera_memo_last HIERA_INTERNAL; /* the call before; never NULL */

/* Is the record like an image? The mask of the image is valid for the record, because it depends only on what is
 * compared too: the flags, the lengths of the tails, and whether a completed request was a receive. */
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

/* Have its requests the same distances? */
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

/* Try the call that followed last time. Returns it if it is identical and valid, else NULL. `last`: as for
 * hiera_distances_measure(). */
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

/* Is it worth searching the cache for a call at this call site? Not if many calls in a row were not in it; then it is
 * tried again after some calls. Ask once for each call. */
bool hiera_memo_pays(const void *site);

/* The entry of an image. *holds: it is valid; else the caller should fill it in. NULL: the call is not to be cached. */
HieraMemo *hiera_memo_find(const HieraImage *image, const void *site, bool *holds);

/* Fill in an entry: it is invalid until hiera_memo_end(). `epoch`: hiera_declared_epoch() before the call. */
void hiera_memo_begin(HieraMemo *memo, const HieraImage *image);
void hiera_memo_end(HieraMemo *memo, uint32_t epoch);

#endif
