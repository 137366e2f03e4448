/* See format_cache.h. A call is cached when its image occurs for the second time in its slot. So calls that are all
 * different replace nothing. */
#include "format_cache.h"

#include "call_format.h"

/* Two words, compared at a time. */
typedef uint64_t Pair __attribute__((vector_size(2 * sizeof(uint64_t))));

enum { SLOTS = 256, BEGIN = offsetof(HieraMpiRecord, flags), WORD = sizeof(uint64_t) };

static HieraMemo memos[SLOTS];
static uint64_t kept[SLOTS]; /* hash of the image in each slot: a cheap test before the comparison */
static uint64_t met[SLOTS];  /* hash of the last image that was not cached */
static HieraMemo *last = memos;

/* Per call site: how many calls in a row were not in the cache. After MISSES_MAX of them, the cache is not tried for
 * the next SKIPPED calls. */
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

/* --- images --- */

static uint64_t *take(HieraImage *image, uint32_t n)
{
    uint64_t *words = image->words + image->n;
    if (n > HIERA_IMAGE_WORDS - image->n)
        return NULL;
    image->n += n;
    return words;
}

/* Clear the bits of these arguments in the mask: they are not compared. */
static void ignore(HieraImage *image, const HieraMpiCall *call, uint32_t set)
{
    while (set) {
        const HieraArgument *argument = hiera_call_next(call, &set);
        memset((char *)image->mask + argument->offset - BEGIN, 0, HIERA_ARGUMENT_BYTES(argument->kind));
    }
}

static bool add_completion(HieraImage *image, const HieraTail *tail)
{
    const HieraCompleted *completed = (const HieraCompleted *)(tail + 1);
    uint64_t *words = tail->stored <= HIERA_IMAGE_WORDS ? take(image, 2 * tail->stored) : NULL;
    if (!words)
        return false;
    for (uint32_t i = 0; i < tail->stored; i++) {
        bool has_status = completed[i].size != HIERA_NO_STATUS;
        *words++ = (uint64_t)completed[i].size;
        *words++ = has_status ? (uint32_t)completed[i].source | (uint64_t)(uint32_t)completed[i].tag << 32 : 0;
    }
    return true;
}

static bool add_list(HieraImage *image, const HieraTail *tail, unsigned kind)
{
    size_t bytes = tail->stored * HIERA_ARGUMENT_BYTES(kind);
    if (kind == HIERA_ARGUMENT_NUMBER)
        return true;
    uint64_t *words = bytes <= sizeof image->words ? take(image, (uint32_t)((bytes + WORD - 1) / WORD)) : NULL;
    if (words && bytes > 0) {
        words[(bytes - 1) / WORD] = 0;
        memcpy(words, tail + 1, bytes);
    }
    return words != NULL;
}

static bool add_tails(HieraImage *image, const HieraMpiRecord *record, const HieraMpiCall *call)
{
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        uint64_t *words = take(image, 2);
        if (!words || tail->stored == HIERA_TAIL_ELSEWHERE)
            return false;
        words[0] = tail->argument | (uint64_t)tail->stored << 32;
        words[1] = (uint64_t)tail->total;
        const HieraArgument *argument = hiera_tail_argument(call, tail);
        unsigned kind = argument ? argument->kind : HIERA_ARGUMENT_NUMBER;
        if (!(tail->argument == HIERA_TAIL_COMPLETION ? add_completion(image, tail) : add_list(image, tail, kind)))
            return false;
    }
    return true;
}

static bool add_distances(HieraImage *image, const HieraDistances *distances)
{
    uint32_t n = (distances->n + HIERA_DISTANCES_PER_WORD - 1) / HIERA_DISTANCES_PER_WORD;
    uint64_t *words = distances->near ? take(image, n) : NULL;
    for (uint32_t i = 0; words && i < n; i++)
        words[i] = distances->words[i];
    return words != NULL;
}

/* Add what follows the fixed part: tails and distances. */
static bool add_rest(HieraImage *image, const HieraMpiRecord *record, const HieraMpiCall *call,
                     const HieraDistances *distances)
{
    return (record->head.bytes == call->bytes || add_tails(image, record, call)) &&
           (!distances || add_distances(image, distances));
}

bool hiera_image_make(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                      const HieraMpiCall *call, const HieraDistances *distances)
{
    uint32_t fixed = (call->bytes - BEGIN) / WORD;
    if (fixed > HIERA_IMAGE_WORDS)
        return false;
    image->stream = stream;
    image->site = record->head.site;
    image->call = record->head.call;
    image->n = image->fixed = fixed;
    memcpy(image->words, (const char *)record + BEGIN, fixed * WORD);
    memset(image->mask, 0xff, fixed * WORD);
    ignore(image, call, (record->flags & call->sets.common) | call->sets.own);
    if (call->padded)
        memset((char *)(image->mask + fixed) - sizeof(uint32_t), 0, sizeof(uint32_t));
    for (uint32_t i = 0; i < fixed; i++)
        image->words[i] &= image->mask[i];
    return add_rest(image, record, call, distances);
}

static bool same(const HieraImage *a, const HieraImage *b)
{
    if (a->site != b->site || a->call != b->call || a->n != b->n || a->stream != b->stream)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->words[i] != b->words[i])
            return false;
    return true;
}

static uint64_t hash_of(const HieraImage *image)
{
    return hiera_hash(image->words, image->n, (uintptr_t)image->site ^ (uintptr_t)image->stream ^ image->call);
}

/* --- cached calls --- */

/* Does the fixed part of a record equal an image? The mask of the image is valid for the record, because it depends on
 * the flags only, which are part of the comparison. */
static bool is_like(const HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record)
{
    const char *at = (const char *)record + BEGIN;
    Pair differ = {0}, words = {0}, mask, known;
    uint32_t i = 0;
    if (image->site != record->head.site || image->call != record->head.call || image->stream != stream)
        return false;
    for (; i + 2 <= image->fixed; i += 2) {
        memcpy(&words, at + i * WORD, sizeof words);
        memcpy(&mask, image->mask + i, sizeof mask);
        memcpy(&known, image->words + i, sizeof known);
        differ |= (words & mask) ^ known;
    }
    if (i < image->fixed) {
        memcpy(&words, at + i * WORD, WORD);
        differ[0] |= (words[0] & image->mask[i]) ^ image->words[i];
    }
    return (differ[0] | differ[1]) == 0;
}

static const HieraMemo *follow(HieraMemo *memo)
{
    *misses_at(memo->image.site) = 0;
    return last = memo;
}

const HieraMemo *hiera_memo_guess(HieraImage *image, const HieraTraceFile *stream, const HieraMpiRecord *record,
                                  const HieraMpiCall *call, const HieraDistances *distances)
{
    HieraMemo *memo = last->next;
    if (!memo || memo->epoch != hiera_declared_epoch() || !is_like(&memo->image, stream, record))
        return NULL;
    if (record->head.bytes == call->bytes && (!distances || distances->n == 0))
        return memo->image.n == memo->image.fixed ? follow(memo) : NULL;
    image->n = image->fixed = memo->image.fixed;
    if (!add_rest(image, record, call, distances) || image->n != memo->image.n)
        return NULL;
    for (uint32_t i = image->fixed; i < image->n; i++)
        if (image->words[i] != memo->image.words[i])
            return NULL;
    return follow(memo);
}

HieraMemo *hiera_memo_find(const HieraImage *image, bool *holds)
{
    uint64_t hash = hash_of(image);
    size_t slot = hash % SLOTS;
    HieraMemo *memo = &memos[slot];
    uint8_t *calls = misses_at(image->site);
    *holds = kept[slot] == hash && same(&memo->image, image) && memo->epoch == hiera_declared_epoch();
    *calls = *holds ? 0 : *calls + (*calls < MISSES_MAX);
    if (!*holds && met[slot] != hash) {
        met[slot] = hash;
        return NULL;
    }
    kept[slot] = hash;
    last->next = memo;
    last = memo;
    return memo;
}

void hiera_memo_begin(HieraMemo *memo, const HieraImage *image)
{
    memo->epoch = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a signal handler may interrupt this and write */
    memo->image = *image;
}

void hiera_memo_end(HieraMemo *memo, uint32_t epoch)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memo->epoch = epoch;
}
