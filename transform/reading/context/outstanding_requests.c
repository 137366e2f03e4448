/* See outstanding_requests.h. Requests have consecutive numbers, and most are completed soon, so each request gets
 * the slot number % SLOTS. A request that is still there when another one needs the slot moves to a hash table. */
#include "outstanding_requests.h"
#include "base/vocabulary.h"
#include <string.h>

enum { SLOTS = 1024, OLD_MOST = 16384 };

struct HieraOutstandingRequests {
    HieraMaker slots[SLOTS];
    GHashTable *old; /* request number → HieraMaker: requests whose slot a later request has taken */
};

HieraOutstandingRequests *hiera_outstanding_new(void)
{
    HieraOutstandingRequests *outstanding = g_new0(HieraOutstandingRequests, 1);
    outstanding->old = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    return outstanding;
}

void hiera_outstanding_free(HieraOutstandingRequests *outstanding)
{
    g_hash_table_unref(outstanding->old);
    g_free(outstanding);
}

static HieraMaker *slot_of(const HieraOutstandingRequests *outstanding, gint64 number)
{
    return (HieraMaker *)&outstanding->slots[(guint64)number % SLOTS];
}

const HieraMaker *hiera_outstanding_find(const HieraOutstandingRequests *outstanding, gint64 number)
{
    const HieraMaker *maker = slot_of(outstanding, number);
    return maker->number == number ? maker : g_hash_table_lookup(outstanding->old, &number);
}

static void forget(HieraOutstandingRequests *outstanding, gint64 number)
{
    HieraMaker *maker = slot_of(outstanding, number);
    if (maker->number == number)
        maker->number = 0;
    else
        g_hash_table_remove(outstanding->old, &number);
}

/* Forget a completed request. A persistent request is not forgotten until it is freed. */
static void complete(HieraOutstandingRequests *outstanding, gint64 number)
{
    const HieraMaker *maker = hiera_outstanding_find(outstanding, number);
    if (maker && maker->site->starts == HIERA_KIND_LOCAL)
        forget(outstanding, number);
}

static void make(HieraOutstandingRequests *outstanding, gint64 number, const HieraOperation *operation)
{
    HieraMaker *maker = slot_of(outstanding, number);
    if (maker->number != 0 && g_hash_table_size(outstanding->old) < OLD_MOST) {
        HieraMaker *old = g_memdup2(maker, sizeof *maker);
        g_hash_table_replace(outstanding->old, &old->number, old);
    }
    *maker = (HieraMaker){number, operation->site, operation->comm, operation->peer, operation->source, operation->tag};
}

static void see(HieraOutstandingRequests *outstanding, gint64 number, const HieraOperation *operation)
{
    HieraKind kind = operation->site->kind;
    if (kind == HIERA_KIND_COMPLETE)
        complete(outstanding, number);
    else if (kind == HIERA_KIND_LOCAL && strcmp(operation->site->operation, HIERA_OPERATION_REQUEST_FREE) == 0)
        forget(outstanding, number);
    else if (kind != HIERA_KIND_START && !hiera_outstanding_find(outstanding, number))
        make(outstanding, number, operation);
}

void hiera_outstanding_see(HieraOutstandingRequests *outstanding, const HieraOperation *operation)
{
    if (!operation->site->mpi || operation->finish_ns == HIERA_TIME_OPEN)
        return;
    for (guint i = 0; i < operation->n_requests; i++)
        if (operation->requests[i].number > 0) /* not 0, a null request; not negative, a message */
            see(outstanding, operation->requests[i].number, operation);
}
