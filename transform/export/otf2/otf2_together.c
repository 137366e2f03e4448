/* See otf2_together.h. libotf2 needs callbacks by which its processes communicate. Where each location
 * has its own files it uses two of them: process 0 reports whether it could make the folders. The other callbacks are
 * for archives that share files, which are not written here. */
#include "otf2_together.h"
#include "parallel/parallel.h"
#include <string.h>

/* libotf2's communicator; all processes are in it, so that it needs no data. */
struct OTF2_CollectiveContext {
    char nothing;
};

static OTF2_CallbackCode get_size(void *user, OTF2_CollectiveContext *context, uint32_t *size)
{
    (void)context;
    *size = hiera_scope_count_processes(user);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode get_rank(void *user, OTF2_CollectiveContext *context, uint32_t *rank)
{
    (void)context;
    *rank = hiera_scope_process(user);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode barrier(void *user, OTF2_CollectiveContext *context)
{
    (void)user, (void)context;
    hiera_parallel_any(FALSE);
    return OTF2_CALLBACK_SUCCESS;
}

static gsize bytes_of(OTF2_Type type)
{
    switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
        return 1;
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
        return 2;
    case OTF2_TYPE_UINT32:
    case OTF2_TYPE_INT32:
    case OTF2_TYPE_FLOAT:
        return 4;
    default:
        return 8;
    }
}

static OTF2_CallbackCode broadcast(void *user, OTF2_CollectiveContext *context, void *data, uint32_t n, OTF2_Type type,
                                   uint32_t root)
{
    (void)user, (void)context;
    gsize bytes = n * bytes_of(type), n_received;
    if (root != OTF2_COLLECTIVES_ROOT)
        return OTF2_CALLBACK_ERROR;
    if (hiera_parallel_leads()) {
        hiera_parallel_broadcast(data, bytes);
        return OTF2_CALLBACK_SUCCESS;
    }
    g_autofree guint8 *received = hiera_parallel_receive_broadcast(&n_received);
    memcpy(data, received, MIN(bytes, n_received));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode refuse(void *user, OTF2_CollectiveContext *context, const void *in, void *out, uint32_t n,
                                OTF2_Type type, uint32_t root)
{
    (void)user, (void)context, (void)in, (void)out, (void)n, (void)type, (void)root;
    return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode refuse_gatherv(void *user, OTF2_CollectiveContext *context, const void *in, uint32_t n_in,
                                        void *out, const uint32_t *n_out, OTF2_Type type, uint32_t root)
{
    (void)n_out;
    return refuse(user, context, in, out, n_in, type, root);
}

static OTF2_CallbackCode refuse_scatterv(void *user, OTF2_CollectiveContext *context, const void *in,
                                         const uint32_t *n_in, void *out, uint32_t n_out, OTF2_Type type, uint32_t root)
{
    (void)n_in;
    return refuse(user, context, in, out, n_out, type, root);
}

gboolean hiera_otf2_begin_together(OTF2_Archive *archive, const HieraScope *scope)
{
    static const OTF2_CollectiveCallbacks callbacks = {.otf2_get_size = get_size,
                                                       .otf2_get_rank = get_rank,
                                                       .otf2_barrier = barrier,
                                                       .otf2_bcast = broadcast,
                                                       .otf2_gather = refuse,
                                                       .otf2_gatherv = refuse_gatherv,
                                                       .otf2_scatter = refuse,
                                                       .otf2_scatterv = refuse_scatterv};
    static OTF2_CollectiveContext all;
    if (!scope->share.own)
        return OTF2_Archive_SetSerialCollectiveCallbacks(archive) == OTF2_SUCCESS;
    return OTF2_Archive_SetCollectiveCallbacks(archive, &callbacks, (void *)scope, &all, NULL) == OTF2_SUCCESS;
}
