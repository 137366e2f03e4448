#include "rematch.h"
#include "text/hash.h"
#include <string.h>

/* Flags of a message. All but ANEW are also flags of a call that makes a persistent request. */
enum { ANEW = 1, ANY_SOURCE = 2, ANY_TAG = 4, PARTITIONED = 8 };

struct Rematch {
    const RecordedRun *run;
    guint8 *flags; /* ANEW, … of each message, by its index in the match */
    guint64 n_any;
};

static guint flags_of(const HieraTrace *trace, guint32 row)
{
    return (hiera_trace_asks_any_source(trace, row) ? ANY_SOURCE : 0) |
           (hiera_trace_asks_any_tag(trace, row) ? ANY_TAG : 0);
}

/* --- wildcards of persistent requests --- */

static gint64 key_of(guint32 processor, gint64 number)
{
    return (gint64)((guint64)processor << 40 ^ (guint64)number);
}

static void add_maker(GHashTable *makers, const HieraTrace *trace, guint32 processor, guint32 row)
{
    const HieraRequest *first;
    const char *operation = hiera_trace_peek_site(trace, row)->operation;
    gboolean partitioned = g_str_has_prefix(operation, "psend") || g_str_has_prefix(operation, "precv");
    guint n = hiera_trace_peek_requests(trace, row, &first), flags = flags_of(trace, row);
    for (guint i = 0; i < n; i++) {
        gint64 *key = g_new(gint64, 1);
        *key = key_of(processor, first[i].number);
        g_hash_table_insert(makers, key, GUINT_TO_POINTER(flags | (partitioned ? PARTITIONED : 0)));
    }
}

/* @return rank and request number → flags of the call that made it; only receives and partitioned sends */
static GHashTable *find_makers(const HieraTrace *trace)
{
    GHashTable *makers = g_hash_table_new_full(hiera_hash_number_at, g_int64_equal, g_free, NULL);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
            const HieraSite *site = hiera_trace_peek_site(trace, (guint32)row);
            if (site->mpi && (site->starts == HIERA_KIND_RECEIVE || g_str_has_prefix(site->operation, "psend")))
                add_maker(makers, trace, i, (guint32)row);
        }
    }
    return makers;
}

/* Return the wildcards of a receive. If it starts several persistent receives: the wildcards that all of them have. */
static guint flags_of_call(const HieraTrace *trace, GHashTable *makers, guint32 row)
{
    const HieraRequest *first;
    guint n = hiera_trace_peek_requests(trace, row, &first), flags = ANY_SOURCE | ANY_TAG | PARTITIONED;
    guint32 processor = hiera_trace_find_processor(trace, row);
    gboolean known = FALSE;
    if (hiera_trace_peek_site(trace, row)->kind != HIERA_KIND_START)
        return flags_of(trace, row);
    for (guint i = 0; i < n; i++) {
        gint64 key = key_of(processor, first[i].number);
        gpointer of;
        if (!g_hash_table_lookup_extended(makers, &key, NULL, &of))
            continue;
        flags &= GPOINTER_TO_UINT(of);
        known = TRUE;
    }
    return known ? flags : 0;
}

/* --- which messages are matched anew --- */

static gint64 place_of(const RecordedRun *run, const HieraMessage *message)
{
    return (gint64)((guint64)hiera_trace_find_processor(run->trace, message->to) << 32 |
                    hiera_match_context(run->match, message->comm));
}

static gboolean is_between_calls(const RecordedRun *run, const HieraMessage *message)
{
    return run->is_call[message->from] && run->is_call[message->to];
}

static void find_flags(Rematch *rematch, const HieraMessage *messages, guint n)
{
    const RecordedRun *run = rematch->run;
    guint n_probes;
    const HieraProbe *probes = hiera_match_peek_probes(run->match, &n_probes);
    g_autoptr(GHashTable) makers = find_makers(run->trace);
    for (guint32 i = 0; i < n; i++)
        rematch->flags[i] = (guint8)(flags_of_call(run->trace, makers, messages[i].to) |
                                     (flags_of_call(run->trace, makers, messages[i].from) & PARTITIONED));
    for (guint i = 0; i < n_probes; i++)
        rematch->flags[probes[i].message] |= (guint8)flags_of(run->trace, probes[i].row);
}

/* @return set of the pairs of receiver and communicator for which a receive with wildcards exists */
static GHashTable *find_places(Rematch *rematch, const HieraMessage *messages, guint n)
{
    GHashTable *places = g_hash_table_new_full(hiera_hash_number_at, g_int64_equal, g_free, NULL);
    for (guint32 i = 0; i < n; i++) {
        if (!(rematch->flags[i] & (ANY_SOURCE | ANY_TAG)) || !is_between_calls(rematch->run, &messages[i]))
            continue;
        gint64 *place = g_new(gint64, 1);
        *place = place_of(rematch->run, &messages[i]);
        g_hash_table_add(places, place);
        rematch->n_any++;
    }
    return places;
}

Rematch *rematch_new(const RecordedRun *run)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(run->match, &n);
    Rematch *rematch = g_new0(Rematch, 1);
    rematch->run = run;
    rematch->flags = g_new0(guint8, (gsize)n + 1);
    find_flags(rematch, messages, n);
    g_autoptr(GHashTable) places = find_places(rematch, messages, n);
    for (guint32 i = 0; i < n && g_hash_table_size(places) > 0; i++) {
        gint64 place = place_of(run, &messages[i]);
        if (!(rematch->flags[i] & PARTITIONED) && g_hash_table_contains(places, &place))
            rematch->flags[i] |= ANEW;
    }
    return rematch;
}

void rematch_free(Rematch *rematch)
{
    if (!rematch)
        return;
    g_free(rematch->flags);
    g_free(rematch);
}

gboolean rematch_find(const Rematch *rematch, guint32 message, RematchedMessage *as)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(rematch->run->match, &n);
    if (message >= n || !(rematch->flags[message] & ANEW))
        return FALSE;
    guint flags = rematch->flags[message];
    *as = (RematchedMessage){flags & ANY_SOURCE, flags & ANY_TAG,
                             hiera_match_context(rematch->run->match, messages[message].comm) & G_MAXINT32,
                             MAX(hiera_match_message_tag(rematch->run->match, message), 0)};
    return TRUE;
}

guint64 rematch_count(const Rematch *rematch)
{
    return rematch->n_any;
}
