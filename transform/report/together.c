/* How the processes of hiera-transform exchange data about a measure (hiera_scope_… of hiera_measure.h). */
#include "parallel/parallel.h"
#include "table.h"
#include "trace/pack_process.h"

gboolean hiera_scope_leads(const HieraScope *scope)
{
    return !scope->share.own || hiera_parallel_leads();
}

gboolean hiera_scope_agree(const HieraScope *scope, gboolean decision)
{
    return scope->share.own ? hiera_parallel_agree(decision) : decision;
}

guint32 hiera_scope_number(const HieraScope *scope, const HieraTrace *trace, guint32 row)
{
    guint32 processor = hiera_trace_find_processor(trace, row),
            number = row - (guint32)trace->processors[processor].first;
    const GArray *rows = scope->share.rows ? scope->share.rows->pdata[processor] : NULL;
    return rows ? g_array_index(rows, guint32, number) : number;
}

guint32 hiera_scope_row_of_all(const HieraScope *scope, const HieraTrace *trace, guint32 row)
{
    return scope->share.first
               ? scope->share.first[hiera_trace_find_processor(trace, row)] + hiera_scope_number(scope, trace, row)
               : row;
}

/* --- data from all processes to process 0 --- */

/* Queue bytes that this process packs for itself, in large chunks; each chunk is freed when it has been unpacked. */
static void put_bytes(gpointer queue, const guint8 *bytes, gsize n)
{
    g_queue_push_tail(queue, g_bytes_new(bytes, n));
}

static guint8 *take_bytes(gpointer queue, gsize *n)
{
    return g_bytes_unref_to_data(g_queue_pop_head(queue), n);
}

static void loop_back(const HieraTrace *trace, HieraTellPart pack, HieraHearPart unpack, gpointer user)
{
    GQueue queue = G_QUEUE_INIT;
    HieraPacker *packer = hiera_packer_new();
    HieraUnpacker *unpacker = hiera_unpacker_new(trace->catalog, take_bytes, &queue);
    hiera_packer_flush_by(packer, put_bytes, &queue);
    hiera_unpacker_keep_numbers(unpacker);
    pack(packer, user);
    hiera_packer_flush(packer);
    unpack(unpacker, user);
    hiera_unpacker_free(unpacker);
    hiera_packer_free(packer);
}

void hiera_scope_gather_others(const HieraScope *scope, const HieraTrace *trace, HieraTellPart pack,
                               HieraHearPart unpack, gpointer user)
{
    if (!scope->share.own)
        return;
    if (!hiera_parallel_leads()) {
        HieraPacker *packer = hiera_packer_to(0);
        pack(packer, user);
        hiera_packer_end(packer);
        return;
    }
    for (guint other = 1; other < hiera_parallel_size(); other++) {
        HieraUnpacker *unpacker = hiera_unpacker_from(other, trace->catalog);
        hiera_unpacker_keep_numbers(unpacker);
        unpack(unpacker, user);
        hiera_unpacker_free(unpacker);
    }
}

void hiera_scope_gather(const HieraScope *scope, const HieraTrace *trace, HieraTellPart pack, HieraHearPart unpack,
                        gpointer user)
{
    if (scope->share.own && hiera_parallel_leads())
        loop_back(trace, pack, unpack, user);
    hiera_scope_gather_others(scope, trace, pack, unpack, user);
}

typedef struct {
    gint64 *of;
    gsize n;
} Numbers;

static void pack_numbers(HieraPacker *to, gpointer user)
{
    const Numbers *numbers = user;
    for (gsize i = 0; i < numbers->n; i++)
        hiera_pack_number(to, numbers->of[i]);
}

static void add_numbers(HieraUnpacker *from, gpointer user)
{
    const Numbers *numbers = user;
    for (gsize i = 0; i < numbers->n; i++)
        numbers->of[i] = hiera_plus(numbers->of[i], hiera_unpack_number(from));
}

void hiera_scope_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 *numbers, gsize n)
{
    Numbers all = {numbers, n};
    hiera_scope_gather_others(scope, trace, pack_numbers, add_numbers, &all);
}

static void pack_array(HieraPacker *to, gpointer array)
{
    hiera_pack_array(to, array);
}

static void unpack_array(HieraUnpacker *from, gpointer array)
{
    hiera_unpack_array(from, array);
}

void hiera_scope_gather_array(const HieraScope *scope, const HieraTrace *trace, GArray *array)
{
    hiera_scope_gather_others(scope, trace, pack_array, unpack_array, array);
}

/* --- data from process 0 to all others --- */

void hiera_scope_tell(const HieraScope *scope, const HieraTrace *trace, HieraTellPart pack, HieraHearPart unpack,
                      gpointer user)
{
    if (!scope->share.own)
        return;
    if (hiera_parallel_leads()) {
        HieraPacker *packer = hiera_packer_new();
        pack(packer, user);
        hiera_packer_broadcast(packer);
        return;
    }
    HieraUnpacker *unpacker = hiera_unpacker_of_broadcast(trace->catalog);
    hiera_unpacker_keep_numbers(unpacker);
    unpack(unpacker, user);
    hiera_unpacker_free(unpacker);
}

static void replace_array(HieraUnpacker *from, gpointer array)
{
    g_array_set_size(array, 0);
    hiera_unpack_array(from, array);
}

void hiera_scope_tell_array(const HieraScope *scope, const HieraTrace *trace, GArray *array)
{
    hiera_scope_tell(scope, trace, pack_array, replace_array, array);
}

/* --- data from each process to each other --- */

guint hiera_scope_count_processes(const HieraScope *scope)
{
    return scope->share.own ? hiera_parallel_size() : 1;
}

guint hiera_scope_process(const HieraScope *scope)
{
    return scope->share.own ? hiera_parallel_rank() : 0;
}

typedef struct {
    HieraTellTo pack;
    HieraHearFrom unpack;
    gpointer user;
} Exchange;

static void pack_own(HieraPacker *to, gpointer user)
{
    const Exchange *exchange = user;
    exchange->pack(to, hiera_parallel_rank(), exchange->user);
}

static void unpack_own(HieraUnpacker *from, gpointer user)
{
    const Exchange *exchange = user;
    exchange->unpack(from, hiera_parallel_rank(), exchange->user);
}

static void receive_from(const HieraTrace *trace, guint other, HieraHearFrom unpack, gpointer user)
{
    HieraUnpacker *unpacker = hiera_unpacker_from(other, trace->catalog);
    /* Receive the message even if it is empty, because the other process sends it in any case. */
    hiera_unpacker_fetch(unpacker);
    hiera_unpacker_keep_numbers(unpacker);
    unpack(unpacker, other, user);
    hiera_unpacker_free(unpacker);
}

typedef struct {
    const Exchange *exchange;
    guint other;
} ExchangeWith;

static void pack_other(HieraPacker *to, gpointer user)
{
    const ExchangeWith *with = user;
    with->exchange->pack(to, with->other, with->exchange->user);
}

static void exchange_with(const HieraTrace *trace, guint other, const Exchange *exchange)
{
    HieraSwap swap;
    ExchangeWith with = {exchange, other};
    hiera_swap(&swap, other, pack_other, &with);
    HieraUnpacker *unpacker = hiera_unpacker_of_swap(&swap, trace->catalog);
    exchange->unpack(unpacker, other, exchange->user);
    hiera_unpacker_free(unpacker);
    hiera_swap_clear(&swap);
}

void hiera_scope_exchange(const HieraScope *scope, const HieraTrace *trace, HieraTellTo pack, HieraHearFrom unpack,
                          gpointer user)
{
    Exchange exchange = {pack, unpack, user};
    if (!scope->share.own)
        return;
    loop_back(trace, pack_own, unpack_own, &exchange);
    for (guint round = 1; round < hiera_parallel_rounds(); round++) {
        guint other = hiera_parallel_meets(round);
        if (other < hiera_parallel_size())
            exchange_with(trace, other, &exchange);
    }
}

/* --- a relay: one process after the other --- */

void hiera_scope_take_turns(const HieraScope *scope, const HieraTrace *trace, gboolean backward, const HieraRelay *turn,
                            gpointer user)
{
    guint n = hiera_parallel_size(), last = backward ? n - 1 : 0;
    guint place = backward ? last - hiera_parallel_rank() : hiera_parallel_rank();
    if (!scope->share.own)
        return;
    for (guint i = 0; i < place; i++)
        receive_from(trace, backward ? last - i : i, turn->hear, user);
    turn->act(user);
    for (guint i = place + 1; i < n; i++) {
        HieraPacker *packer = hiera_packer_new();
        guint other = backward ? last - i : i;
        turn->tell(packer, other, user);
        hiera_packer_send(packer, other);
    }
}

/* --- rows of tables --- */

static void pack_rows(HieraPacker *to, gpointer rows)
{
    hiera_table_pack(rows, to);
}

static void unpack_rows(HieraUnpacker *from, gpointer rows)
{
    hiera_table_unpack(rows, from);
}

void hiera_scope_gather_rows(const HieraScope *scope, const HieraTrace *trace, HieraTable *rows)
{
    hiera_scope_gather_others(scope, trace, pack_rows, unpack_rows, rows);
}

void hiera_scope_tell_rows(const HieraScope *scope, const HieraTrace *trace, HieraTable *rows)
{
    hiera_scope_tell(scope, trace, pack_rows, unpack_rows, rows);
}
