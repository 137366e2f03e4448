/* Calls that say what one before said: what is written of them is kept, and not put together again.
 *
 * A call is told by its image: its record without times, and without requests, which are its own. What followed a call
 * the last time is looked at first: programs are loops. The memory is fixed; what pushes another out costs time alone.
 */
#ifndef HIERA_FORMAT_CACHE_H
#define HIERA_FORMAT_CACHE_H

#include "request_deltas.h"
#include "write/trace_file.h"

enum { HIERA_IMAGE_WORDS = 40, HIERA_MEMO_TEXT = HIERA_TEXT_MARGIN };

typedef struct HieraImage {
    const HieraTraceFile *stream;
    const void *site;
    uint32_t call, n, fixed; /* words; of these, of the record's fixed part */
    uint64_t words[HIERA_IMAGE_WORDS];
    uint64_t mask[HIERA_IMAGE_WORDS]; /* of the fixed part: bits that count */
} HieraImage;

typedef struct HieraMemo {
    HieraImage image;
    uint32_t epoch;                /* it holds in; 0: nothing is kept here */
    struct HieraMemo *next;        /* what followed it the last time */
    const HieraDeclared *declared; /* in compact spelling: what it refers to; else its text: */
    uint32_t begin_length, text_length;
    char begin[HIERA_MEMO_TEXT]; /* up to the times */
    char text[HIERA_MEMO_TEXT];  /* what is behind them and not its own */
} HieraMemo;

/* The image of a complete call; false if there is none: it is too long. @param distances  of its requests, which are
 * part of it in compact spelling; else NULL */
bool hiera_image_make(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                      const HieraMpiCall *call, const HieraDistances *distances);

/* What is written of such a call, if it was guessed and holds; else NULL. The image need not be made for that; it is
 * written over. */
const HieraMemo *hiera_memo_guess(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                                  const HieraMpiCall *call, const HieraDistances *distances);

/* Is it worth making an image of a call there? Not where calls have differed from each other for long; but it is tried
 * again now and then: to be asked once for each call. */
bool hiera_memo_pays(const void *site);

/* Where what is written of such a call is kept, or, if it does not hold, is to be kept; NULL: nowhere. */
HieraMemo *hiera_memo_find(const HieraImage *image, bool *holds);

/* Begin to keep it: nothing holds until hiera_memo_end(). `epoch`: as it was before anything of it was written. */
void hiera_memo_begin(HieraMemo *memo, const HieraImage *image);
void hiera_memo_end(HieraMemo *memo, uint32_t epoch);

#endif
