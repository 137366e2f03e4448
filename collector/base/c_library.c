#include "c_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

struct HieraLibraryCode hiera_c_library[2];

void hiera_c_library_find(void)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 or later, which has _dl_find_object() */
    struct dl_find_object own, found;
    void *const inside[] = {(void *)(uintptr_t)abort, (void *)(uintptr_t)_dl_find_object};
    if (_dl_find_object((void *)(uintptr_t)hiera_c_library_find, &own) != 0)
        return;
    for (int i = 0; i < 2; i++) {
        bool is_apart = _dl_find_object(inside[i], &found) == 0 &&
                        found.dlfo_map_start != own.dlfo_map_start; /* equal if libc is linked statically */
        if (is_apart)
            hiera_c_library[i] = (struct HieraLibraryCode){
                (uintptr_t)found.dlfo_map_start, (uintptr_t)found.dlfo_map_end - (uintptr_t)found.dlfo_map_start};
    }
#endif
}
