#include "match_before.h"
#include "text/hash.h"
#include <string.h>

/* Key of a count of calls. Of messages, `processor` is 0 and `object` the context. */
typedef struct {
    guint32 sort, processor, object;
    gint32 from, to, tag;
    guint32 partitioned;
} Key;

struct HieraMatchBefore {
    const HieraTrace *trace;
    GHashTable *counts;   /* Key → number of calls before the trace + 2; 1: not known */
    GHashTable *contexts; /* set of (processor, context) whose processor has declared the communicator */
};

static guint hash_key(gconstpointer data)
{
    const Key *key = data;
    guint hash = key->sort;
    const guint32 words[] = {key->processor,   key->object,       (guint32)key->from,
                             (guint32)key->to, (guint32)key->tag, key->partitioned};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        hash = (hash ^ words[i]) * 0x9e3779b1u ^ hash >> 15;
    return hash;
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(Key)) == 0;
}

static void add(HieraMatchBefore *before, const Key *key, gint64 count)
{
    g_hash_table_insert(before->counts, g_memdup2(key, sizeof *key), GSIZE_TO_POINTER((gsize)(count + 2)));
}

static gint64 find(const HieraMatchBefore *before, const Key *key, gint64 otherwise)
{
    gpointer count = g_hash_table_lookup(before->counts, key);
    return count ? (gint64)GPOINTER_TO_SIZE(count) - 2 : otherwise;
}

/* --- counts of collective calls before the trace --- */

static void add_calls(HieraMatchBefore *before, guint32 processor)
{
    const HieraBefore *of = before->trace->processors[processor].before;
    for (guint i = 0; of && i < of->went->len; i++) {
        const HieraWent *went = &g_array_index(of->went, HieraWent, i);
        const Key key = {.sort = went->sort,
                         .processor = processor,
                         .object = went->sort == HIERA_BEFORE_STARTS ? (guint32)went->request : went->comm};
        if (went->sort >= HIERA_BEFORE_CALLS)
            add(before, &key, went->count);
    }
}

HieraMatchBefore *hiera_match_before_new(const HieraTrace *trace)
{
    guint32 first = 0;
    while (first < trace->n_processors && !trace->processors[first].before)
        first++;
    if (first == trace->n_processors)
        return NULL;
    HieraMatchBefore *before = g_new0(HieraMatchBefore, 1);
    before->trace = trace;
    before->counts = g_hash_table_new_full(hash_key, equal_keys, g_free, NULL);
    before->contexts = g_hash_table_new(hiera_hash_pair, NULL);
    for (guint32 i = first; i < trace->n_processors; i++)
        add_calls(before, i);
    return before;
}

void hiera_match_before_free(HieraMatchBefore *before)
{
    if (!before)
        return;
    g_hash_table_unref(before->counts);
    g_hash_table_unref(before->contexts);
    g_free(before);
}

gint64 hiera_match_before_calls(const HieraMatchBefore *before, guint32 processor, HieraBeforeSort sort, guint32 comm)
{
    const HieraBefore *of = before ? before->trace->processors[processor].before : NULL;
    if (!of)
        return 0;
    gboolean knows = of->complete && g_hash_table_contains(of->comms, GUINT_TO_POINTER(comm));
    const Key key = {.sort = sort, .processor = processor, .object = comm};
    return find(before, &key, knows ? 0 : HIERA_BEFORE_UNKNOWN);
}

gint64 hiera_match_before_starts(const HieraMatchBefore *before, guint32 processor, guint32 row)
{
    const HieraRequest *request;
    if (!before || !before->trace->processors[processor].before || !hiera_before_is_carried(before->trace, row, NULL))
        return 0;
    guint n = hiera_trace_peek_requests(before->trace, row, &request);
    const Key key = {
        .sort = HIERA_BEFORE_STARTS, .processor = processor, .object = n > 0 ? (guint32)request->number : 0};
    return find(before, &key, before->trace->processors[processor].before->complete ? 0 : HIERA_BEFORE_UNKNOWN);
}

/* --- counts of messages before the trace --- */

static Key key_of_channel(const HieraChannelKey *channel, gboolean received)
{
    return (Key){.sort = received ? HIERA_BEFORE_RECEIVED : HIERA_BEFORE_SENT,
                 .object = channel->context,
                 .from = channel->from,
                 .to = channel->to,
                 .tag = channel->tag,
                 .partitioned = channel->partitioned};
}

static void number_message(HieraMatchBefore *before, const HieraMatch *match, guint32 processor, const HieraWent *went)
{
    const HieraCommunicator *communicator = hiera_match_communicator(before->trace, went->comm);
    gboolean received = went->sort == HIERA_BEFORE_RECEIVED;
    gint32 own = (gint32)before->trace->processors[processor].rank;
    gint32 peer = communicator ? hiera_match_translate(communicator, went->peer) : HIERA_ABSENT;
    if (peer < 0)
        return;
    const HieraChannelKey channel = {.context = match->context[went->comm],
                                     .from = received ? peer : own,
                                     .to = received ? own : peer,
                                     .tag = went->tag,
                                     .partitioned = went->partitioned};
    const Key key = key_of_channel(&channel, received);
    add(before, &key, went->count);
}

void hiera_match_before_number(HieraMatchBefore *before, const HieraMatch *match)
{
    for (guint32 i = 0; before && i < before->trace->n_processors; i++) {
        const HieraBefore *of = before->trace->processors[i].before;
        GHashTableIter iterator;
        gpointer comm;
        if (!of)
            continue;
        for (guint n = 0; n < of->went->len; n++) {
            const HieraWent *went = &g_array_index(of->went, HieraWent, n);
            if (went->sort < HIERA_BEFORE_CALLS && went->comm != HIERA_NONE)
                number_message(before, match, i, went);
        }
        g_hash_table_iter_init(&iterator, of->comms);
        while (g_hash_table_iter_next(&iterator, &comm, NULL))
            g_hash_table_add(before->contexts, hiera_pair(i, match->context[GPOINTER_TO_UINT(comm)]));
    }
}

gint64 hiera_match_before_messages(const HieraMatchBefore *before, const HieraChannelKey *channel, gboolean received)
{
    guint32 processor = hiera_trace_find_rank(before->trace, received ? channel->to : channel->from);
    const HieraBefore *of = processor == HIERA_NONE ? NULL : before->trace->processors[processor].before;
    if (!of)
        return 0;
    gboolean knows = of->complete && g_hash_table_contains(before->contexts, hiera_pair(processor, channel->context));
    const Key key = key_of_channel(channel, received);
    return find(before, &key, knows ? 0 : HIERA_BEFORE_UNKNOWN);
}

/* --- windows and files made before the trace --- */

gboolean hiera_match_before_made(const HieraTrace *trace, guint32 processor, guint32 comm)
{
    const HieraProcessor *of = &trace->processors[processor];
    for (guint i = 0; of->before && i < of->before->carried->len; i++) {
        guint32 row = (guint32)(of->first + g_array_index(of->before->carried, HieraCarried, i).index);
        if (hiera_trace_peek_sparse(trace, row)->other == comm)
            return TRUE;
    }
    return FALSE;
}
