/* Does a program have assertions in its source? Then it asks for hiera_assert_open() or the like: the name stands among the
 * symbols that an object of the process does not define itself. */
#include "expect.h"

#include "hiera.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

typedef struct Dynamic {
    const ElfW(Sym) *symbols;
    const char *names;
    const uint32_t *hash; /* DT_GNU_HASH: its second word is the index of the first symbol that is defined */
} Dynamic;

/* Addresses in it are relocated already, but in objects of the kernel. */
static Dynamic read_dynamic(const struct dl_phdr_info *object, const ElfW(Dyn) *entry)
{
    Dynamic dynamic = {NULL, NULL, NULL};
    for (; entry->d_tag != DT_NULL; entry++) {
        uintptr_t at = entry->d_un.d_ptr >= object->dlpi_addr ? entry->d_un.d_ptr : 0;
        if (entry->d_tag == DT_SYMTAB)
            dynamic.symbols = (const ElfW(Sym) *)at;
        else if (entry->d_tag == DT_STRTAB)
            dynamic.names = (const char *)at;
        else if (entry->d_tag == DT_GNU_HASH)
            dynamic.hash = (const uint32_t *)at;
    }
    return dynamic;
}

static bool is_asked_for(const char *name)
{
    return strcmp(name, "hiera_assert_open") == 0 || strcmp(name, "hiera_assert_begin") == 0 ||
           strncmp(name, "hiera_fortran_assert_begin", sizeof "hiera_fortran_assert_begin" - 1) == 0;
}

static int look(struct dl_phdr_info *object, size_t size, void *found)
{
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_DYNAMIC)
            continue;
        Dynamic dynamic = read_dynamic(object, (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr));
        if (!dynamic.symbols || !dynamic.names || !dynamic.hash)
            continue;
        for (uint32_t k = 0; k < dynamic.hash[1]; k++)
            *(bool *)found = *(bool *)found || is_asked_for(dynamic.names + dynamic.symbols[k].st_name);
    }
    return *(bool *)found;
}

/* In a program that libhiera.a is linked into, nobody has to ask for it. */
static bool is_linked_statically(void)
{
    Dl_info library, program;
    const void *start = (const void *)getauxval(AT_ENTRY);
    return dladdr((const void *)&hiera_expect_has_source, &library) && dladdr(start, &program) &&
           library.dli_fbase == program.dli_fbase;
}

bool hiera_expect_has_source(void)
{
    bool found = is_linked_statically();
    if (!found)
        dl_iterate_phdr(look, &found);
    return found;
}
