/* See format_cache.h. A call is cached when its image occurs for the second time in its slot. So calls that are all
 * different replace no entries. */
#include "format_cache.h"

#include "call_format.h"
#include "text/hash.h"

enum { SLOTS = 256, BEGIN = offsetof(HieraMpiRecord, head.finish), WORD = sizeof(uint64_t) };

static HieraMemo memos[SLOTS];
static uint64_t kept[SLOTS]; /* by slot: hash of the cached image; tested first, because it is cheaper to compare */
static uint64_t met[SLOTS];  /* by slot: hash of the last image that was not cached */
HieraMemo *hiera_memo_last = memos;

/* For each call site: number of consecutive calls that were not in the cache. After MISSES_MAX of them, the cache is
 * not tried for the next SKIPPED calls. */
enum { SITES = 256, MISSES_MAX = 16, SKIPPED = 16 };
static uint8_t misses[SITES];

static uint8_t *misses_at(const void *site)
{
    return &misses[((uintptr_t)site ^ (uintptr_t)site >> 8) % SITES];
}

bool hiera_memo_pays(const void *site)
{
    uint8_t *calls = misses_at(site);
    if (*calls < MISSES_MAX)
        return true;
    *calls = *calls + 1 < MISSES_MAX + SKIPPED ? *calls + 1 : MISSES_MAX - 1;
    return false;
}

/* --- images: the bytes of records that the cache compares --- */

/* Which bytes of a record are compared: bytes of ones are, bytes of zeros are not. */
typedef struct Mask {
    uint32_t n; /* number of words; words[0] is at offset BEGIN of the record */
    uint64_t words[HIERA_IMAGE_WORDS];
} Mask;

static void ignore(Mask *mask, size_t offset, size_t bytes)
{
    memset((char *)mask->words + offset - BEGIN, 0, bytes);
}

static void ignore_arguments(Mask *mask, const HieraMpiCall *call, uint32_t set)
{
    while (set) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        ignore(mask, argument->offset, HIERA_ARGUMENT_BYTES(argument->kind));
    }
}

/* Do not compare the request's number; compare source and tag only if the request is a receive. */
static void ignore_completed(Mask *mask, size_t offset, const HieraCompleted *completed)
{
    enum { END = offsetof(HieraCompleted, tag) + sizeof(int32_t) };
    ignore(mask, offset + offsetof(HieraCompleted, number), sizeof completed->number);
    ignore(mask, offset + END, sizeof *completed - END);
    if (completed->size == HIERA_NO_STATUS)
        ignore(mask, offset + offsetof(HieraCompleted, source), END - offsetof(HieraCompleted, source));
}

/* Let the mask ignore requests in a tail, and padding behind a list of bytes or of short numbers. Returns false if the
 * elements are not in the record. */
static bool ignore_in_tail(Mask *mask, const HieraMpiRecord *record, const HieraMpiCall *call, const HieraTail *tail)
{
    const HieraArgument *argument = hiera_tail_argument(call, tail);
    const HieraCompleted *completed = (const HieraCompleted *)(tail + 1);
    size_t offset = (size_t)((const char *)completed - (const char *)record);
    if (tail->stored == HIERA_TAIL_ELSEWHERE)
        return false;
    if (argument) {
        size_t bytes = tail->stored * HIERA_ARGUMENT_BYTES(argument->kind), all = HIERA_ROUND_UP(bytes);
        bool are_requests = argument->kind == HIERA_ARGUMENT_NUMBER;
        ignore(mask, are_requests ? offset : offset + bytes, are_requests ? all : all - bytes);
    } else if (tail->argument == HIERA_TAIL_PENDING) {
        ignore(mask, offset, tail->stored * sizeof(HieraTested));
    } else if (tail->argument != HIERA_TAIL_BUFFERS) {
        for (uint32_t i = 0; i < tail->stored; i++)
            ignore_completed(mask, offset + i * sizeof *completed, &completed[i]);
        return tail->argument == HIERA_TAIL_COMPLETION;
    }
    return true;
}

/* Make the mask of a record. Returns false if the record is too long, or cannot be compared. */
static bool make_mask(Mask *mask, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    mask->n = (record->head.bytes - BEGIN) / WORD;
    if (mask->n > HIERA_IMAGE_WORDS)
        return false;
    memset(mask->words, 0xff, mask->n * WORD);
    ignore(mask, offsetof(HieraMpiRecord, head.finish), sizeof record->head.finish);
    ignore_arguments(mask, call, (record->flags & call->sets.common) | call->sets.own);
    if (call->padded)
        ignore(mask, call->bytes - sizeof(uint32_t), sizeof(uint32_t));
    bool good = true;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail && good;
         tail = hiera_mpi_next_tail(record, tail))
        good = ignore_in_tail(mask, record, call, tail);
    return good;
}

/* Add the requests and their distances. Returns false if there are too many, if one is too far away, or if one is
 * relative to a request that the call itself starts. */
static bool add_requests(HieraImage *image, const HieraMpiRecord *record, const HieraMpiCall *call,
                         const HieraDistances *distances)
{
    uint16_t places[HIERA_IMAGE_REQUESTS];
    image->n_requests = distances->near ? hiera_distances_places(places, HIERA_IMAGE_REQUESTS, record, call) : 0;
    if (!distances->near || image->n_requests > HIERA_IMAGE_REQUESTS || (image->started && image->n_requests > 1))
        return false;
    for (uint32_t i = 0; i < image->n_requests; i++)
        image->requests[i] = (HieraImageRequest){places[i], distances->each[i]};
    return true;
}

bool hiera_image_make(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                      const HieraMpiCall *call, const HieraDistances *distances)
{
    static Mask mask;
    _Static_assert(sizeof(HieraMpiRecord) - BEGIN >= sizeof(HieraImageWords), "a record has a pair");
    if (!make_mask(&mask, record, call))
        return false;
    image->stream = stream;
    memcpy(&image->size_and_call, record, sizeof image->size_and_call);
    image->n_pairs = mask.n / 2;
    image->begin = (uint16_t)(record->head.bytes - image->n_pairs * sizeof(HieraImageWords));
    for (uint32_t i = 0; i < image->n_pairs; i++) {
        HieraImagePair *pair = &image->pairs[i];
        size_t at = image->begin + i * sizeof pair->words;
        memcpy(&pair->mask, (const char *)mask.words + at - BEGIN, sizeof pair->mask);
        memcpy(&pair->words, (const char *)record + at, sizeof pair->words);
        pair->words &= pair->mask;
    }
    uint32_t started = hiera_call_present(call->sets.started, record);
    image->n_requests = 0;
    image->started = started ? hiera_call_next(call, &started)->offset : 0;
    return started == 0 && (!distances || add_requests(image, record, call, distances));
}

static bool same(const HieraImage *a, const HieraImage *b)
{
    if (a->size_and_call != b->size_and_call || a->n_requests != b->n_requests || a->stream != b->stream)
        return false;
    return memcmp(a->pairs, b->pairs, a->n_pairs * sizeof a->pairs[0]) == 0 &&
           memcmp(a->requests, b->requests, a->n_requests * sizeof a->requests[0]) == 0;
}

static uint64_t hash_of(const HieraImage *image)
{
    uint64_t hash = (uintptr_t)image->stream ^ image->size_and_call, word;
    for (uint32_t i = 0; i < image->n_pairs; i++) {
        uint64_t words[2];
        memcpy(words, &image->pairs[i].words, sizeof words);
        hash = hiera_hash_words(words, 2, hash);
    }
    for (uint32_t i = 0; i < image->n_requests; i++) {
        word = (uint64_t)image->requests[i].offset << 16 | (uint16_t)image->requests[i].distance;
        hash = hiera_hash_words(&word, 1, hash);
    }
    return hash;
}

/* --- cache of the texts of calls --- */

HieraMemo *hiera_memo_find(const HieraImage *image, const void *site, bool *holds)
{
    uint64_t hash = hash_of(image);
    size_t slot = hash % SLOTS;
    HieraMemo *memo = &memos[slot];
    uint8_t *calls = misses_at(site);
    *holds = kept[slot] == hash && same(&memo->image, image) && memo->epoch == hiera_declared_epoch();
    *calls = *holds ? 0 : *calls + (*calls < MISSES_MAX);
    if (!*holds && met[slot] != hash) {
        met[slot] = hash;
        return NULL;
    }
    kept[slot] = hash;
    memo->misses = calls;
    hiera_memo_last->next = memo;
    hiera_memo_last = memo;
    return memo;
}

void hiera_memo_begin(HieraMemo *memo, const HieraImage *image)
{
    memo->epoch = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* order of stores: a signal handler may come here and use the cache */
    memo->image.stream = image->stream;
    memo->image.size_and_call = image->size_and_call;
    memo->image.n_pairs = image->n_pairs;
    memo->image.n_requests = image->n_requests;
    memo->image.begin = image->begin;
    memo->image.started = image->started;
    memcpy(memo->image.requests, image->requests, image->n_requests * sizeof image->requests[0]);
    memcpy(memo->image.pairs, image->pairs, image->n_pairs * sizeof image->pairs[0]);
}

void hiera_memo_end(HieraMemo *memo, uint32_t epoch)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memo->epoch = epoch;
}
