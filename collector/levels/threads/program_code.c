/* See program_code.h. The ranges are noted when the program starts: to ask the dynamic linker takes a lock, and another
 * thread may have that and wait for a lock of the program. */
#include "program_code.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RANGES = 256 };

static struct {
    uintptr_t begin, end;
} ranges[RANGES];
static unsigned n_ranges;

static bool is_foreign(const char *path)
{
    static const char *const names[] = {"ld-",      "libc.",   "libpthread", "libhiera", "libgomp",  "libomp",
                                        "libiomp",  "libmpi",  "libopen-",   "libpmi",   "libprrte", "libevent",
                                        "libhwloc", "libuc",   "libfabric",  "libpsm",   "libib",    "librdma",
                                        "libasan",  "libtsan", "libubsan",   "liblsan",  "libnccl",  "libcuda"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static int note(struct dl_phdr_info *object, size_t bytes, void *nothing)
{
    (void)bytes;
    (void)nothing;
    for (int i = 0; i < object->dlpi_phnum && !is_foreign(object->dlpi_name); i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || n_ranges >= RANGES)
            continue;
        ranges[n_ranges].begin = object->dlpi_addr + part->p_vaddr;
        ranges[n_ranges].end = ranges[n_ranges].begin + part->p_memsz;
        __atomic_store_n(&n_ranges, n_ranges + 1, __ATOMIC_RELEASE); /* threads of libraries may wait already */
    }
    return 0;
}

__attribute__((constructor)) static void note_all(void)
{
    dl_iterate_phdr(note, NULL);
}

bool threads_is_of_program(const void *address)
{
    for (unsigned i = 0; i < __atomic_load_n(&n_ranges, __ATOMIC_ACQUIRE); i++)
        if ((uintptr_t)address >= ranges[i].begin && (uintptr_t)address < ranges[i].end)
            return true;
    return false;
}
