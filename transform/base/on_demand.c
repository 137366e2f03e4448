#include "on_demand.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { EXIT_UNREADABLE = 3 };

void *hiera_on_demand(const char *library, const char *function)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *found = handle ? dlsym(handle, function) : NULL;
    if (!found) {
        g_printerr("%s: %s cannot be loaded, and this needs it: %s; install it\n", g_get_prgname(), library, dlerror());
        exit(EXIT_UNREADABLE);
    }
    return found;
}
