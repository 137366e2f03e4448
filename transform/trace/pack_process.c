/* See pack_process.h. */
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

static guint8 *hear(gpointer user, gsize *n)
{
    (void)user;
    return hiera_parallel_hear(n);
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

HieraUnpacker *hiera_unpacker_from(guint process, HieraCatalog *catalog)
{
    return hiera_unpacker_new(catalog, receive, GUINT_TO_POINTER(process));
}

void hiera_packer_tell(HieraPacker *packer)
{
    gsize n;
    const guint8 *bytes = hiera_packer_peek(packer, &n);
    hiera_parallel_tell(bytes, n);
    hiera_packer_free(packer);
}

HieraUnpacker *hiera_unpacker_hear(HieraCatalog *catalog)
{
    return hiera_unpacker_new(catalog, hear, NULL);
}
