#include "libdw.h"

#ifdef HIERA_HAVE_LIBDW

#include <dlfcn.h>

HieraLibdwFiles hiera_dw_files;
HieraLibdwVariables hiera_dw_variables;

static gboolean take(void *library)
{
    gboolean all = TRUE;
#define X(f) all = (hiera_dw.f = (__typeof__(f) *)dlsym(library, #f)) && all;
    HIERA_DW_NEEDED(X)
    HIERA_DW_UNITS(X)
    HIERA_DW_TREE(X)
#undef X
#define X(f) all = (hiera_dw_files.f = (__typeof__(f) *)dlsym(library, #f)) && all;
    HIERA_DW_FILES(X)
#undef X
#define X(f) hiera_dw_variables.f = (__typeof__(f) *)dlsym(library, #f);
    HIERA_DW_VARIABLES(X)
#undef X
    return all;
}

gboolean hiera_libdw_load(void)
{
    static gboolean is_tried, is_there;
    if (is_tried)
        return is_there;
    is_tried = TRUE;
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    is_there = library && take(library);
    if (!is_there)
        g_printerr(
            "hiera-transform: calls that have an address in the trace get no line: libdw.so.1 cannot be loaded (%s)\n",
            library ? "it is too old" : dlerror());
    return is_there;
}

#endif
