/* Finds out whether a program has assertions in its source. If so, it refers to hiera_assert_open() or the like: that
 * name is an undefined symbol of some object of the process. */
#include "expect.h"

#include "hiera.h"
#include "loaded/loaded_symbols.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

static bool is_asked_for(const char *name, const void *unused)
{
    (void)unused;
    return strcmp(name, "hiera_assert_open") == 0 || strcmp(name, "hiera_assert_begin") == 0 ||
           strncmp(name, "hiera_fortran_assert_begin", sizeof "hiera_fortran_assert_begin" - 1) == 0;
}

static int look(struct dl_phdr_info *object, size_t size, void *found)
{
    HieraSymbols symbols;
    (void)size;
    *(bool *)found = hiera_symbols_read(object, &symbols) && hiera_symbols_ask(&symbols, is_asked_for, NULL);
    return *(bool *)found;
}

/* Whether libhiera.a is linked into the program; then no object has an undefined symbol for hiera_assert_open(). */
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
