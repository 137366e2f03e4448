/* Sends values that each process has computed for operations of its own ranks to the other processes that hold these
 * operations; see hiera_measure.h. */
#include "hiera_measure.h"
#include "trace/pack.h"

typedef struct {
    const HieraScope *scope;
    const HieraTrace *trace;
    guint8 *values;
    gsize bytes;       /* size of a value in bytes */
    GPtrArray **asked; /* by process: the operations that it asks for, one GArray of guint32 for each processor of this
                          process */
} Sharing;

static gboolean is_of(const Sharing *sharing, guint32 processor, guint process)
{
    return sharing->scope->share.process[processor] == process;
}

/* Pack the indices of operations that this process holds, of processors for which `process` has the values. */
static void ask(HieraPacker *to, guint process, gpointer user)
{
    const Sharing *sharing = user;
    for (guint32 i = 0; i < sharing->trace->n_processors; i++) {
        if (is_of(sharing, i, process) && !hiera_scope_is_own(sharing->scope, i))
            hiera_pack_array(to, sharing->scope->share.rows->pdata[i]);
    }
}

static void unpack_asked(HieraUnpacker *from, guint process, gpointer user)
{
    const Sharing *sharing = user;
    GPtrArray *asked = sharing->asked[process] = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint32 i = 0; process != hiera_scope_process(sharing->scope) && i < sharing->trace->n_processors; i++) {
        if (!hiera_scope_is_own(sharing->scope, i))
            continue;
        g_ptr_array_add(asked, g_array_new(FALSE, FALSE, sizeof(guint32)));
        hiera_unpack_array(from, asked->pdata[asked->len - 1]);
    }
}

static void answer_rows(const Sharing *sharing, guint32 processor, const GArray *rows, HieraPacker *to)
{
    const guint8 *values = sharing->values + sharing->trace->processors[processor].first * sharing->bytes;
    for (guint i = 0; i < rows->len; i++)
        hiera_pack_bytes(to, values + g_array_index(rows, guint32, i) * sharing->bytes, sharing->bytes);
}

static void answer(HieraPacker *to, guint process, gpointer user)
{
    const Sharing *sharing = user;
    GPtrArray *asked = g_steal_pointer(&sharing->asked[process]);
    guint next = 0;
    for (guint32 i = 0; next < asked->len; i++) {
        if (hiera_scope_is_own(sharing->scope, i))
            answer_rows(sharing, i, asked->pdata[next++], to);
    }
    g_ptr_array_unref(asked);
}

static void unpack_answers(HieraUnpacker *from, guint process, gpointer user)
{
    const Sharing *sharing = user;
    for (guint32 i = 0; i < sharing->trace->n_processors; i++) {
        const HieraProcessor *of = &sharing->trace->processors[i];
        if (is_of(sharing, i, process) && !hiera_scope_is_own(sharing->scope, i))
            hiera_unpack_bytes(from, sharing->values + of->first * sharing->bytes, of->n_operations * sharing->bytes);
    }
}

void hiera_scope_share_values(const HieraScope *scope, const HieraTrace *trace, gpointer values, gsize bytes)
{
    g_autofree GPtrArray **asked = g_new0(GPtrArray *, hiera_scope_count_processes(scope));
    Sharing sharing = {scope, trace, values, bytes, asked};
    hiera_scope_exchange(scope, trace, ask, unpack_asked, &sharing);
    hiera_scope_exchange(scope, trace, answer, unpack_answers, &sharing);
}
