#include "pack_process.h"
#include "parallel/parallel.h"

static void send(gpointer process, const guint8 *bytes, gsize n)
{
    hiera_parallel_send(GPOINTER_TO_UINT(process), bytes, n);
}

static guint8 *receive(gpointer process, gsize *n)
{
    return hiera_parallel_receive(GPOINTER_TO_UINT(process), n);
}

static guint8 *receive_broadcast(gpointer user, gsize *n)
{
    (void)user;
    return hiera_parallel_receive_broadcast(n);
}

HieraPacker *hiera_packer_to(guint process)
{
    HieraPacker *packer = hiera_packer_new();
    hiera_packer_flush_by(packer, send, GUINT_TO_POINTER(process));
    return packer;
}

void hiera_packer_end(HieraPacker *packer)
{
    hiera_packer_flush(packer);
    hiera_packer_free(packer);
}

void hiera_packer_send(HieraPacker *packer, guint process)
{
    gsize n;
    const guint8 *bytes = hiera_packer_peek(packer, &n);
    hiera_parallel_send(process, bytes, n);
    hiera_packer_free(packer);
}

/* --- two processes exchange data at the same time --- */

static void receive_piece(HieraSwap *swap)
{
    gsize n;
    guint8 *bytes = hiera_parallel_receive(swap->other, &n);
    swap->ended = n == 0;
    g_queue_push_tail(&swap->received, g_bytes_new_take(bytes, n));
}

/* Each process sends a chunk and receives one, an empty one after the last. The process with the lower number sends
 * first. */
static void swap_piece(gpointer user, const guint8 *bytes, gsize n)
{
    HieraSwap *swap = user;
    gboolean receives = !swap->ended, is_first = hiera_parallel_rank() < swap->other;
    if (receives && !is_first)
        receive_piece(swap);
    hiera_parallel_send(swap->other, bytes, n);
    if (receives && is_first)
        receive_piece(swap);
}

void hiera_swap(HieraSwap *swap, guint other, void (*pack)(HieraPacker *to, gpointer user), gpointer user)
{
    HieraPacker *packer = hiera_packer_new();
    *swap = (HieraSwap){other, FALSE, G_QUEUE_INIT};
    hiera_packer_flush_by(packer, swap_piece, swap);
    pack(packer, user);
    hiera_packer_flush(packer);
    hiera_packer_free(packer);
    swap_piece(swap, NULL, 0);
    while (!swap->ended)
        receive_piece(swap);
}

static guint8 *take_piece(gpointer swap, gsize *n)
{
    return g_bytes_unref_to_data(g_queue_pop_head(&((HieraSwap *)swap)->received), n);
}

HieraUnpacker *hiera_unpacker_of_swap(HieraSwap *swap, HieraCatalog *catalog)
{
    return hiera_unpacker_new(catalog, take_piece, swap);
}

void hiera_swap_clear(HieraSwap *swap)
{
    g_queue_clear_full(&swap->received, (GDestroyNotify)g_bytes_unref);
}

/* --- sending from one process to another or to all --- */

HieraUnpacker *hiera_unpacker_from(guint process, HieraCatalog *catalog)
{
    return hiera_unpacker_new(catalog, receive, GUINT_TO_POINTER(process));
}

void hiera_packer_broadcast(HieraPacker *packer)
{
    gsize n;
    const guint8 *bytes = hiera_packer_peek(packer, &n);
    hiera_parallel_broadcast(bytes, n);
    hiera_packer_free(packer);
}

HieraUnpacker *hiera_unpacker_of_broadcast(HieraCatalog *catalog)
{
    return hiera_unpacker_new(catalog, receive_broadcast, NULL);
}
