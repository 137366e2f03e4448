#include "program_memory.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

static const HieraMallocLibrary *library(void)
{
    const HieraMallocLibrary *found = &hiera_malloc_library;
    return found && found->version == HIERA_MALLOC_VERSION ? found : NULL;
}

const char *hiera_program_memory_reason(void)
{
    if (!library())
        return "libhiera-malloc.so is not preloaded; hiera-run does it if HIERA_COUNTERS or the script of --probe asks";
    return library()->is_used() ? NULL
                                : "the program has a malloc of its own, which libhiera-malloc.so does not see, or one "
                                  "without malloc_usable_size()";
}

bool hiera_program_memory_read(bool of_process, HieraMallocCounts *counts)
{
    const HieraMallocLibrary *from = library();
    *counts = (HieraMallocCounts){0};
    if (!from || !from->is_used())
        return false;
    if (of_process)
        from->read_process(counts);
    else
        from->read_thread(counts);
    return true;
}

HieraMallocCounts hiera_program_memory_hold(void)
{
    HieraMallocCounts held = {0};
    if (library())
        library()->read_thread(&held);
    return held;
}

void hiera_program_memory_release(const HieraMallocCounts *held)
{
    if (library())
        library()->reset_thread(held);
}

bool hiera_program_memory_block(uintptr_t address, uintptr_t *begin, size_t *bytes)
{
    return library() && library()->find_block(address, begin, bytes);
}

/* --- address range of libhiera, whose allocations are not counted --- */

/* Find the address range of libhiera. If it is linked statically into the program, there is none: else all allocations
 * of the program would be left out. */
static int find_own(struct dl_phdr_info *object, size_t size, void *unused)
{
    uintptr_t here = (uintptr_t)&find_own;
    (void)size;
    (void)unused;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && here - begin < part->p_memsz && strstr(object->dlpi_name, "libhiera"))
            library()->leave_out((const void *)begin, (const void *)(begin + part->p_memsz));
    }
    return 0;
}

void hiera_program_memory_load(void)
{
    if (library())
        dl_iterate_phdr(find_own, NULL);
}
