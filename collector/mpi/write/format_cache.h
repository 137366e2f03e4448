/* Caches the text of a call for identical later calls.
 *
 * Two calls are identical if their images are: an image is the record without times and without requests, which are
 * different in each call. It is kept as the bytes of the record and a mask of those that are compared, so that the next
 * record is compared where it is, without making its image. Since programs are loops, the call that followed last time
 * is tried first. The cache has a fixed size; a call that was replaced is formatted again. */
#ifndef HIERA_FORMAT_CACHE_H
#define HIERA_FORMAT_CACHE_H

#include "request_deltas.h"
#include "write/trace_file.h"

enum { HIERA_IMAGE_WORDS = 64, HIERA_IMAGE_REQUESTS = 32, HIERA_MEMO_TEXT = HIERA_TEXT_MARGIN };

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
    bool starts; /* the first request is the one that the call starts */
    HieraImageRequest requests[HIERA_IMAGE_REQUESTS];
    HieraImagePair pairs[HIERA_IMAGE_WORDS / 2]; /* from the call site on; the last one ends with the record */
} HieraImage;

typedef struct HieraMemo {
    HieraImage image;
    uint32_t epoch;                /* valid if it equals hiera_declared_epoch(); 0: empty */
    uint8_t *misses;               /* of its call site */
    struct HieraMemo *next;        /* the call that followed last time */
    const HieraDeclared *declared; /* compact spelling: the declaration; NULL: the texts below */
    uint32_t begin_length, text_length;
    char begin[HIERA_MEMO_TEXT]; /* text before the times */
    char text[HIERA_MEMO_TEXT];  /* text after the times, up to the arguments that differ in each call */
} HieraMemo;

/* Make the image of a complete call; returns false if it is too long. `distances`: those of its requests, which are
 * part of the image in compact spelling; NULL in full spelling. */
bool hiera_image_make(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                      const HieraMpiCall *call, const HieraDistances *distances);

/* Try the call that followed last time. Returns it if it is identical and valid, else NULL. `last`: as for
 * hiera_distances_measure(). */
const HieraMemo *hiera_memo_guess(const HieraTraceFile *stream, const HieraMpiRecord *record, uint32_t last);

/* Is it worth searching the cache for a call at this call site? Not if many calls in a row were not in it; then it is
 * tried again after some calls. Ask once for each call. */
bool hiera_memo_pays(const void *site);

/* The entry of an image. *holds: it is valid; else the caller should fill it in. NULL: the call is not to be cached. */
HieraMemo *hiera_memo_find(const HieraImage *image, const void *site, bool *holds);

/* Fill in an entry: it is invalid until hiera_memo_end(). `epoch`: hiera_declared_epoch() before the call. */
void hiera_memo_begin(HieraMemo *memo, const HieraImage *image);
void hiera_memo_end(HieraMemo *memo, uint32_t epoch);

#endif
