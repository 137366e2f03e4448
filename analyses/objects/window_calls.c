/* Most calls on windows are recognised by their kind, some only by their name. */
#include "window_calls.h"
#include <string.h>

static const char access_word[] = "access", synchronisation_word[] = "synchronisation", window_word[] = "window";

const char *hiera_window_call_kind(const HieraSite *site)
{
    static const char *const synchronise[] = {"win_fence", "win_sync"};
    switch (site->kind) {
    case HIERA_KIND_PUT:
    case HIERA_KIND_GET:
    case HIERA_KIND_UPDATE:
        return access_word;
    case HIERA_KIND_EXPOSE:
    case HIERA_KIND_EXPOSE_END:
    case HIERA_KIND_ACCESS:
    case HIERA_KIND_ACCESS_END:
    case HIERA_KIND_RMA:
        return synchronisation_word;
    default:
        break;
    }
    if (!site->mpi || !g_str_has_prefix(site->operation, "win_"))
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(synchronise); i++) {
        if (strcmp(site->operation, synchronise[i]) == 0)
            return synchronisation_word;
    }
    return window_word;
}
