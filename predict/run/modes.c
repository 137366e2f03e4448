#include "modes.h"

/* Return the mode that the name of a send operation says: bsend, ibsend, bsend_init. */
static HieraSimMode mode_of(const char *operation)
{
    const char *name = operation[0] == 'i' ? operation + 1 : operation;
    if (g_str_has_prefix(name, "ssend"))
        return HIERA_SIM_SYNCHRONOUS;
    if (g_str_has_prefix(name, "bsend"))
        return HIERA_SIM_BUFFERED;
    if (g_str_has_prefix(name, "rsend"))
        return HIERA_SIM_READY;
    return HIERA_SIM_STANDARD;
}

static gint64 key_of(guint32 processor, gint64 request)
{
    return (gint64)((guint64)processor << 40 ^ (guint64)request);
}

static void add(Modes *modes, guint32 processor, guint32 row, HieraSimMode mode)
{
    const HieraRequest *first;
    guint n = hiera_trace_peek_requests(modes->trace, row, &first);
    for (guint i = 0; i < n; i++) {
        gint64 *key = g_new(gint64, 1);
        *key = key_of(processor, first[i].number);
        g_hash_table_insert(modes->persistent, key, GUINT_TO_POINTER(mode));
    }
}

void modes_init(Modes *modes, const RecordedRun *run)
{
    const HieraTrace *trace = run->trace;
    *modes = (Modes){trace, g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
            const HieraSite *site = hiera_trace_peek_site(trace, (guint32)row);
            if (site->mpi && site->starts == HIERA_KIND_SEND && mode_of(site->operation) != HIERA_SIM_STANDARD)
                add(modes, i, (guint32)row, mode_of(site->operation));
        }
    }
}

void modes_clear(Modes *modes)
{
    g_hash_table_unref(modes->persistent);
}

HieraSimMode modes_find(const Modes *modes, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(modes->trace, row);
    const HieraRequest *first;
    if (site->kind != HIERA_KIND_START || g_hash_table_size(modes->persistent) == 0)
        return mode_of(site->operation);
    guint n = hiera_trace_peek_requests(modes->trace, row, &first);
    guint32 processor = hiera_trace_find_processor(modes->trace, row);
    for (guint i = 0; i < n; i++) {
        gint64 key = key_of(processor, first[i].number);
        gpointer mode = g_hash_table_lookup(modes->persistent, &key);
        if (mode)
            return (HieraSimMode)GPOINTER_TO_UINT(mode);
    }
    return HIERA_SIM_STANDARD;
}
