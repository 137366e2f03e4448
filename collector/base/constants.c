#include "constants.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

/* Whether `address` is in a segment of the program without write access; false if it is linked statically. */
bool hiera_is_constant(const void *address)
{
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)getauxval(AT_PHDR), *end = parts + (parts ? getauxval(AT_PHNUM) : 0),
                     *own = parts;
    while (own < end && own->p_type != PT_PHDR)
        own++;
    if (own == end)
        return false;
    uintptr_t at = (uintptr_t)address - (uintptr_t)parts + own->p_vaddr;
    for (const ElfW(Phdr) *part = parts; part < end; part++)
        if (part->p_type == PT_LOAD && !(part->p_flags & PF_W) && at - part->p_vaddr < part->p_filesz)
            return true;
    return false;
}
