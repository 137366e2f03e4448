/* See repeats.h. Summing and writing are separate: each record is decided once (single or sum), and the decision is
 * noted before the record is added. So a flush may fail or be on trial, and a process may be killed at any moment. Sums
 * that have ended are written in their place among the other records, and freed when these are in the file. */
#include "repeats.h"

#include "awaited.h"
#include "base/settings.h"
#include "fold.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"
#include "tree_format.h"
#include "write/element.h"
#include "write/level_ops.h"
#include "write/repeats.h"

#include <string.h>

enum {
    SINGLE = 16,      /* number of calls of a call site, by the same callers, that stay single operations */
    INTERRUPTS = 4,   /* a single call that ends a tree of sums counts as so many calls, so that there are few trees */
    KEYS = 4096,      /* capacity of the hash table of call sites ... */
    KEYS_MOST = 3072, /* ... and number of them that fills it: then calls of all further ones become sums at once */
    LEVELS = 64,      /* nesting depth of single operations; deeper ones share the last level */
    SUMS = 64         /* number of trees of sums that may end in one buffer; beyond it, calls are written singly */
};

#define COUNT_MASK UINT64_C(255)

_Static_assert((uint64_t)SINGLE + INTERRUPTS <= COUNT_MASK, "counts are in the low bits of a key");

typedef struct Sums {
    HieraProfile *tree;
    const char *from,
        *to; /* first record of the tree in the buffer (NULL: in an earlier buffer), and its end (NULL: not ended) */
    bool is_put;   /* whether the sums were written, … */
    uint64_t safe; /* … if `safe` of the file is now beyond this position, at which the flush began */
} Sums;

struct HieraRepeatedCalls {
    char *decided; /* end of the records of which it is decided whether they are single; NULL: none is */
    Sums all[SUMS];
    uint32_t n;
    bool is_open;   /* whether the last tree of sums still takes calls */
    bool is_call;   /* whether the last single operation is a call: then the begin of calls in its callbacks is single,
                       too */
    bool takes_all; /* whether every call becomes a sum, because the limit is reached */
    uint32_t n_levels; /* number of single operations that are open */
    uint32_t n_keys;
    uint64_t path[LEVELS + 1]; /* by level: a hash of the open operation and its callers */
    uint64_t last;             /* end of the previous call, or begin of the one around, in ticks; 0: there is none */
    HieraLabels labels;
    uint64_t keys[KEYS]; /* by call site and callers: their hash, and in the low bits the number of calls; 0: empty */
};

typedef struct HieraRepeatedCalls Repeats;

static Sums *last_of(Repeats *repeats)
{
    return repeats->is_open ? &repeats->all[repeats->n - 1] : NULL;
}

/* --- finding calls that come again --- */

static uint64_t callers(const Repeats *repeats)
{
    return repeats->path[repeats->n_levels < LEVELS ? repeats->n_levels : LEVELS];
}

static uint64_t key_of(Repeats *repeats, const HieraRecord *record)
{
    uint64_t what = 0, key = callers(repeats);
    if (record->call == HIERA_RECORD_FUNCTION)
        what = (uintptr_t)((const HieraFunctionRecord *)(const void *)record)->function;
    else if (record->call == HIERA_RECORD_REGION)
        what = hiera_profile_label(&repeats->labels, record, true);
    key = hiera_hash_more(hiera_hash_more(key, (uintptr_t)record->site), what ^ (uint64_t)record->call << 40);
    key &= ~COUNT_MASK;
    return key != 0 ? key : COUNT_MASK + 1;
}

/* Count a call, as `calls` calls, of the call site with this hash. Returns whether it had many calls before. */
static bool comes_again(Repeats *repeats, uint64_t key, unsigned calls)
{
    uint32_t at = (uint32_t)(key >> 20) % KEYS;
    while (repeats->keys[at] != 0 && (repeats->keys[at] & ~COUNT_MASK) != key)
        at = (at + 1) % KEYS;
    if (repeats->keys[at] == 0 && repeats->n_keys == KEYS_MOST)
        return true;
    if (repeats->keys[at] == 0) {
        repeats->keys[at] = key;
        repeats->n_keys++;
    }
    if ((repeats->keys[at] & COUNT_MASK) >= SINGLE)
        return true;
    repeats->keys[at] += calls;
    return false;
}

static bool is_place(const HieraRecord *record)
{
    return record->call >= HIERA_RECORD_CALLS || record->call == HIERA_RECORD_REGION ||
           record->call == HIERA_RECORD_FUNCTION || record->call == HIERA_RECORD_FILTERED;
}

static bool opens(const HieraRecord *record)
{
    return is_place(record) && record->call < HIERA_RECORD_CALLS;
}

/* --- the tree of sums to which calls are added now --- */

static void begin_sums(Repeats *repeats, HieraTraceFile *stream, const char *from)
{
    HieraProfile *tree = repeats->n < SUMS ? hiera_profile_new(stream->number) : NULL;
    if (!tree)
        return;
    tree->labels = &repeats->labels;
    tree->stream = stream;
    repeats->all[repeats->n] = (Sums){.tree = tree, .from = from};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    repeats->n++;
    repeats->is_open = true;
    repeats->last = 0;
}

static void end_sums(Repeats *repeats, const char *to)
{
    Sums *sums = last_of(repeats);
    if (!sums)
        return;
    hiera_profile_settle(sums->tree);
    sums->to = to;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    repeats->is_open = false;
}

/* Add the time before a call to its node: since the call before it ended, or the one around it began. */
static void add_gap(Repeats *repeats, HieraProfileNode *node, uint64_t start)
{
    if (repeats->last == 0 || !node)
        return;
    uint64_t ns = start > repeats->last ? (uint64_t)hiera_clock_span_ns(repeats->last, start) : 0;
    if (!node->gaps && !(node->gaps = hiera_memory_new(sizeof *node->gaps)))
        return;
    HieraGaps *gaps = node->gaps;
    gaps->min_ns = gaps->calls == 0 || ns < gaps->min_ns ? ns : gaps->min_ns;
    gaps->max_ns = ns > gaps->max_ns ? ns : gaps->max_ns;
    gaps->time_ns += ns;
    gaps->calls++;
    hiera_spread_add(&gaps->spread, hiera_spread_bin(ns), 1);
}

static void add(Repeats *repeats, const HieraRecord *record)
{
    HieraProfile *tree = last_of(repeats)->tree;
    hiera_profile_add(tree, record, &repeats->decided);
    if (is_place(record))
        add_gap(repeats, hiera_profile_adding.node, record->start);
    if (opens(record) || record->call == HIERA_RECORD_END)
        repeats->last = record->start;
    else if (record->call >= HIERA_RECORD_CALLS || record->call == HIERA_RECORD_FLUSH)
        repeats->last = record->finish;
}

/* --- decisions: is a call written as a single operation, or added to a sum? --- */

/* Note that a call stays a single operation and is the caller of those inside; others may complete its requests. */
static void stay_single(Repeats *repeats, const HieraRecord *record, uint64_t key)
{
    repeats->decided = (char *)(uintptr_t)record + record->bytes;
    if (opens(record)) {
        repeats->n_levels++;
        if (repeats->n_levels <= LEVELS)
            repeats->path[repeats->n_levels] = key;
    } else if (record->call == HIERA_RECORD_END) {
        repeats->n_levels -= repeats->n_levels > 0;
    } else if (record->call >= HIERA_RECORD_CALLS) {
        hiera_level.follow(record);
    }
    if (is_place(record) || record->call == HIERA_RECORD_END)
        repeats->is_call = record->call >= HIERA_RECORD_CALLS;
}

static void decide_one(Repeats *repeats, HieraTraceFile *stream, const HieraRecord *record)
{
    const Sums *sums = last_of(repeats);
    if (!sums && repeats->is_call && record->call == HIERA_RECORD_FILTERED && !record->site) {
        stay_single(repeats, record, key_of(repeats, record));
        return;
    }
    bool is_note = record->call == HIERA_RECORD_FLUSH || record->call == HIERA_RECORD_COUNTED;
    if (sums && (is_note || sums->tree->n_open > 0 || sums->tree->unkept > 0)) {
        add(repeats, record);
        return;
    }
    uint64_t key = is_place(record) ? key_of(repeats, record) : 0;
    bool becomes_sum = is_place(record) && (repeats->takes_all || comes_again(repeats, key, sums ? INTERRUPTS : 1));
    if (becomes_sum && !sums)
        begin_sums(repeats, stream, (const char *)record);
    if (becomes_sum && last_of(repeats)) {
        add(repeats, record);
        return;
    }
    end_sums(repeats, (const char *)record);
    stay_single(repeats, record, key);
}

/* Decide for each record whether it becomes a sum. A call in progress is not decided: it is written as it is. */
static void decide(HieraTraceFile *stream, const char *begin, const char *end)
{
    Repeats *repeats = stream->repeats;
    for (uint32_t i = 0; i < repeats->n; i++)
        repeats->all[i].is_put = repeats->all[i].is_put && stream->safe > repeats->all[i].safe;
    if (repeats->decided < begin)
        repeats->decided = (char *)(uintptr_t)begin;
    while (repeats->decided < end) {
        const HieraRecord *record = (const HieraRecord *)(const void *)repeats->decided;
        if (record->call >= HIERA_RECORD_CALLS && __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) == 0)
            break;
        decide_one(repeats, stream, record);
    }
    if (repeats->is_open)
        hiera_profile_settle(last_of(repeats)->tree);
}

/* --- writing sums --- */

static void put_times(HieraText *text, const HieraProfile *tree)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (const HieraProfileNode *node = tree->root.first; node; node = node->next) {
        first = node->calls > 0 && node->first_ns < first ? node->first_ns : first;
        last = node->last_ns > last ? node->last_ns : last;
    }
    HIERA_TEXT_LITERAL(text, " start_time=\"");
    hiera_text_seconds(text, first);
    HIERA_TEXT_LITERAL(text, "\" finish_time=\"");
    hiera_text_seconds(text, last > first ? last : first);
    HIERA_TEXT_LITERAL(text, "\"");
}

/* Write a tree of sums. Its number of iterations is how many calls the most frequent outermost node has. */
static void put(HieraTraceFile *stream, const HieraProfile *tree)
{
    uint64_t most = 0;
    for (const HieraProfileNode *node = tree->root.first; node; node = node->next)
        most = node->call != HIERA_RECORD_FLUSH && node->call != HIERA_RECORD_COUNTED && node->calls > most
                   ? node->calls
                   : most;
    if (most == 0)
        return;
    HIERA_ELEMENT_OPEN(stream, "<hieraTurns turns=\"");
    hiera_text_unsigned(stream->text, most);
    HIERA_TEXT_LITERAL(stream->text, "\"");
    put_times(stream->text, tree);
    HIERA_TEXT_LITERAL(stream->text, ">");
    stream->depth++;
    hiera_tree_put(stream, tree);
    stream->depth--;
    HIERA_ELEMENT_OPEN(stream, "</hieraTurns>");
}

/* Return the address up to which records in the buffer belong to the i-th tree of sums. */
static const char *end_of(const Repeats *repeats, uint32_t i)
{
    return repeats->is_open && i + 1 == repeats->n ? repeats->decided : repeats->all[i].to;
}

static const char *pass(HieraTraceFile *stream, const char *at)
{
    const Repeats *repeats = stream->repeats;
    for (uint32_t i = 0; i < repeats->n; i++) {
        Sums *sums = &stream->repeats->all[i];
        bool has_ended = !repeats->is_open || i + 1 < repeats->n;
        const char *to = end_of(repeats, i);
        if (at < to && at >= sums->from)
            at = to;
        if (!has_ended || sums->is_put || sums->to > at)
            continue;
        hiera_tree_declare(stream, sums->tree);
        put(stream, sums->tree);
        sums->is_put = true;
        sums->safe = stream->safe;
    }
    return at;
}

static bool is_sum(const HieraTraceFile *stream, const char *at)
{
    const Repeats *repeats = stream->repeats;
    for (uint32_t i = 0; i < repeats->n; i++)
        if (at >= repeats->all[i].from && at < end_of(repeats, i))
            return true;
    return false;
}

static void declare(HieraTraceFile *stream)
{
    for (uint32_t i = 0; i < stream->repeats->n; i++)
        if (!stream->repeats->all[i].is_put)
            hiera_tree_declare(stream, stream->repeats->all[i].tree);
}

static void put_rest(HieraTraceFile *stream)
{
    HieraFileState state = stream->state;
    for (uint32_t i = 0; i < stream->repeats->n; i++)
        if (!stream->repeats->all[i].is_put)
            put(stream, stream->repeats->all[i].tree);
    stream->state.objects = state.objects;
    stream->state.counters = state.counters;
}

/* --- begin and end of summing calls for a trace file --- */

static uint64_t count(const HieraTraceFile *stream)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < stream->repeats->n; i++)
        n += hiera_profile_calls(stream->repeats->all[i].tree);
    return n;
}

static void free_sums(HieraTraceFile *stream, Sums *sums)
{
    stream->operations += hiera_profile_calls(sums->tree);
    stream->lost += sums->tree->lost + sums->tree->lost_messages;
    hiera_awaited_forget(sums->tree);
    hiera_profile_free(sums->tree);
}

void hiera_repeats_rewind(HieraTraceFile *stream)
{
    Repeats *repeats = stream->repeats;
    uint32_t n = 0;
    for (uint32_t i = 0; i < repeats->n; i++) {
        Sums *sums = &repeats->all[i];
        if (sums->is_put && stream->safe > sums->safe) {
            free_sums(stream, sums);
            continue;
        }
        sums->from = sums->to = NULL;
        repeats->all[n++] = *sums;
    }
    repeats->n = n;
    repeats->decided = NULL;
}

static void end(HieraTraceFile *stream)
{
    for (uint32_t i = 0; i < stream->repeats->n; i++)
        free_sums(stream, &stream->repeats->all[i]);
    hiera_labels_free(&stream->repeats->labels);
    hiera_memory_free(stream->repeats, sizeof *stream->repeats);
    stream->repeats = NULL;
}

void hiera_repeats_begin(HieraTraceFile *stream)
{
    static const HieraRepeatsOps ops = {decide, pass, is_sum, declare, put_rest, count, end};
    if (stream->repeats || strcmp(hiera_settings.fold, "statistics") != 0)
        return;
    stream->repeats_ops = &ops;
    stream->repeats = hiera_memory_new(sizeof *stream->repeats);
}

void hiera_repeats_take_all(HieraTraceFile *stream)
{
    stream->repeats->takes_all = true;
}
