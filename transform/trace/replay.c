#include "replay.h"
#include "hiera_summed.h"

HieraOperation hiera_trace_make_operation(const HieraTrace *trace, const HieraProcessor *processor, guint32 row)
{
    const HieraSparse *sparse = hiera_trace_peek_sparse(trace, row);
    HieraOperation operation = {
        .site = hiera_trace_peek_site(trace, row),
        .index = row - processor->first,
        .parent = trace->parent[row] == HIERA_NONE ? HIERA_NO_PARENT : trace->parent[row] - processor->first,
        .element_line = trace->element_line ? trace->element_line[row] : 0,
        .posted = trace->posted ? trace->posted[row] : -1,
        .finish_ns = hiera_trace_is_open(trace, row) ? HIERA_TIME_OPEN : trace->finish_ns[row],
        .other = sparse->other,
        .rtag = sparse->rtag,
        .rbytes = sparse->rbytes,
        .failed = hiera_trace_is_failed(trace, row),
        .any_source = hiera_trace_asks_any_source(trace, row),
        .any_tag = hiera_trace_asks_any_tag(trace, row),
    };
#define COPY(name) operation.name = trace->name[row];
    COPY(depth)
    COPY(thread)
    COPY(start_ns)
    COPY(comm)
    COPY(peer)
    COPY(source)
    COPY(tag)
    COPY(bytes)
    operation.n_requests = hiera_trace_peek_requests(trace, row, &operation.requests);
    operation.n_pending = hiera_trace_peek_pending(trace, row, &operation.pending);
    operation.missed = operation.n_pending == 1 && operation.pending[0].n == 0;
    if (operation.missed)
        operation.n_pending = 0;
    return operation;
}

static void replay_filtered(const HieraTrace *trace, guint32 processor, const HieraSink *sink, gpointer state)
{
    for (guint i = 0; sink->filtered && i < trace->filtered->len; i++) {
        const HieraFilteredOf *of = &g_array_index(trace->filtered, HieraFilteredOf, i);
        if (of->processor == processor)
            sink->filtered(state, &of->sum);
    }
}

/* Pass summed operations before operation `index` to the sink. @param next  the first not passed yet; moves forward */
static void replay_summed(const HieraTrace *trace, guint32 processor, guint64 index, guint *next, const HieraSink *sink,
                          gpointer state)
{
    for (; *next < trace->summed->len; ++*next) {
        const HieraSummedOf *of = &g_array_index(trace->summed, HieraSummedOf, *next);
        if (of->processor != processor || of->summed->before > index)
            break;
        if (sink->summed)
            sink->summed(state, of->summed);
    }
}

/* Return the index of the first element of a processor in an array sorted by processor; the first member of its
 * elements is the index of the processor. */
static guint find_first(const GArray *rows, guint32 processor)
{
    gsize bytes = g_array_get_element_size((GArray *)rows);
    guint low = 0, high = rows->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (*(const guint32 *)(const void *)(rows->data + middle * bytes) < processor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

G_STATIC_ASSERT(G_STRUCT_OFFSET(HieraOwnTime, processor) == 0);

guint hiera_trace_find_own_time(const HieraTrace *trace, guint32 processor)
{
    return trace->own_time ? find_first(trace->own_time, processor) : 0;
}

static const HieraAsserted *peek_asserted(const HieraTrace *trace, guint i)
{
    return &g_array_index(trace->asserted, HieraAsserted, i);
}

/* Return the index in HieraTrace.asserted of a processor's first assertion. */
static guint find_asserted(const HieraTrace *trace, guint32 processor)
{
    guint low = 0, high = trace->asserted->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (peek_asserted(trace, middle)->processor < processor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Pass assertions before operation `index` to the sink. @param next  the first not passed yet; moves forward */
static void replay_asserted(const HieraTrace *trace, guint32 processor, guint64 index, guint *next,
                            const HieraSink *sink, gpointer state)
{
    for (; *next < trace->asserted->len; ++*next) {
        const HieraAsserted *asserted = peek_asserted(trace, *next);
        if (asserted->processor != processor || asserted->before > index)
            break;
        if (sink->asserted)
            sink->asserted(state, asserted);
    }
}

/* Pass times that the collector took (own_time) before operation `index` to the sink. @param next  the first not passed
 * yet; moves forward */
static void replay_own_time(const HieraTrace *trace, guint32 processor, guint64 index, guint *next,
                            const HieraSink *sink, gpointer state)
{
    for (; *next < trace->own_time->len; ++*next) {
        const HieraOwnTime *own = &g_array_index(trace->own_time, HieraOwnTime, *next);
        if (own->processor != processor || own->before > index)
            break;
        if (sink->own_time)
            sink->own_time(state, own);
    }
}

G_STATIC_ASSERT(G_STRUCT_OFFSET(HieraAttributeValue, processor) == 0);

const HieraAttributeValue *hiera_trace_find_attribute(const HieraTrace *trace, guint32 row, guint column)
{
    const GArray *all = trace->attribute;
    if (!all || all->len == 0)
        return NULL;
    guint32 processor = hiera_trace_find_processor(trace, row);
    guint64 index = row - trace->processors[processor].first;
    guint low = find_first(all, processor), high = find_first(all, processor + 1), end = high;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(all, HieraAttributeValue, middle).index < index)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < end && g_array_index(all, HieraAttributeValue, low).index == index; low++) {
        if (g_array_index(all, HieraAttributeValue, low).column == column)
            return &g_array_index(all, HieraAttributeValue, low);
    }
    return NULL;
}

/* Pass attributes of operation `index` to the sink. @param next  the first not passed yet; moves forward */
static void replay_attributes(const HieraTrace *trace, guint32 processor, guint64 index, guint *next,
                              const HieraSink *sink, gpointer state)
{
    for (; *next < trace->attribute->len; ++*next) {
        const HieraAttributeValue *value = &g_array_index(trace->attribute, HieraAttributeValue, *next);
        if (value->processor != processor || value->index > index)
            break;
        if (sink->attribute)
            sink->attribute(state, value);
    }
}

G_STATIC_ASSERT(G_STRUCT_OFFSET(HieraSavedLine, processor) == 0);

static void replay_saved(const HieraTrace *trace, guint32 processor, const HieraSink *sink, gpointer state)
{
    for (guint i = sink->saved ? find_first(trace->saved, processor) : trace->saved->len; i < trace->saved->len; i++) {
        const HieraSavedLine *of = &g_array_index(trace->saved, HieraSavedLine, i);
        if (of->processor != processor)
            break;
        sink->saved(state, of->line);
    }
}

#define X(type, name, texts)                                                                                           \
    G_STATIC_ASSERT(G_STRUCT_OFFSET(type, processor) == 0);                                                            \
    static void replay_##name(const HieraTrace *trace, guint32 processor, const HieraSink *sink, gpointer state)       \
    {                                                                                                                  \
        for (guint i = sink->name ? find_first(trace->name, processor) : trace->name->len; i < trace->name->len;       \
             i++) {                                                                                                    \
            const type *record = &g_array_index(trace->name, type, i);                                                 \
            if (record->processor != processor)                                                                        \
                break;                                                                                                 \
            sink->name(state, record);                                                                                 \
        }                                                                                                              \
    }
HIERA_END_RECORDS(X)
#undef X

static void replay_counted(const HieraTrace *trace, guint32 row, const HieraSink *sink, gpointer state)
{
    const HieraCounted *first;
    guint n = sink->counted && trace->counted->len > 0 ? hiera_trace_peek_counted(trace, row, &first) : 0;
    for (guint i = 0; i < n; i++)
        sink->counted(state, &first[i]);
}

gpointer hiera_trace_replay_one(const HieraTrace *trace, const guint8 *chosen, guint32 number, const HieraSink *sink)
{
    const HieraProcessor *processor = &trace->processors[number];
    gpointer state = sink->begin(sink->user, processor);
    guint next = find_asserted(trace, number), next_summed = hiera_trace_find_summed(trace, number),
          next_own = hiera_trace_find_own_time(trace, number), next_attribute = find_first(trace->attribute, number);
    for (guint64 i = processor->first; i < processor->first + processor->n_operations; i++) {
        HieraOperation operation = hiera_trace_make_operation(trace, processor, (guint32)i);
        operation.refused = chosen && !chosen[i];
        replay_asserted(trace, number, i - processor->first, &next, sink, state);
        replay_summed(trace, number, i - processor->first, &next_summed, sink, state);
        replay_own_time(trace, number, i - processor->first, &next_own, sink, state);
        replay_attributes(trace, number, i - processor->first, &next_attribute, sink, state);
        sink->operation(state, &operation);
        replay_counted(trace, (guint32)i, sink, state);
    }
    replay_asserted(trace, number, G_MAXUINT64, &next, sink, state);
    replay_summed(trace, number, G_MAXUINT64, &next_summed, sink, state);
    replay_own_time(trace, number, G_MAXUINT64, &next_own, sink, state);
    replay_filtered(trace, number, sink, state);
    replay_saved(trace, number, sink, state);
#define X(type, name, texts) replay_##name(trace, number, sink, state);
    HIERA_END_RECORDS(X)
#undef X
    return state;
}

void hiera_trace_replay(const HieraTrace *trace, const guint8 *chosen, const HieraSink *sink)
{
    for (guint32 processor = 0; processor < trace->n_processors; processor++)
        sink->end(sink->user, hiera_trace_replay_one(trace, chosen, processor, sink), &trace->processors[processor],
                  TRUE);
}
