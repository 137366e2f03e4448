/* Loads libdw, and reports to it which program and libraries are mapped. */
#include "libdw.h"

#include <stddef.h>

#ifdef HIERA_HAVE_LIBDW

#include "base/proc_maps.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

/* Weak references, since a statically linked program may contain libdw. */
#define X(f) extern __typeof__(f) f __attribute__((weak));
HIERA_DW_NEEDED(X)
HIERA_DW_UNITS(X)
HIERA_DW_TREE(X)
#undef X

static Dwfl *dwfl;

/* Whether the program has an interpreter. If not, it is linked statically: then a loaded library would load a second
 * libc, and crash. */
static int has_interpreter(struct dl_phdr_info *object, size_t size, void *nothing)
{
    (void)size;
    (void)nothing;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_INTERP)
            return 1;
    return -1; /* end the iteration: only its first object, the program, matters */
}

static bool load(void)
{
    void *library = dl_iterate_phdr(has_interpreter, NULL) == 1 ? dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL) : NULL;
#define X(f) hiera_dw.f = library ? (__typeof__(f) *)dlsym(library, #f) : f;
    HIERA_DW_NEEDED(X)
    HIERA_DW_UNITS(X)
    HIERA_DW_TREE(X)
#undef X
    return hiera_dw_has_needed();
}

static bool report_taken(const char *maps)
{
    FILE *file = fopen(maps, "r");
    bool good = file && hiera_dw.dwfl_linux_proc_maps_report(dwfl, file) == 0;
    if (file)
        fclose(file);
    return good;
}

/* Report to libdw again which objects are mapped. */
static bool report_modules(void)
{
    hiera_dw.dwfl_report_begin_add(dwfl);
    bool good =
        hiera_maps_taken() ? report_taken(hiera_maps_taken()) : hiera_dw.dwfl_linux_proc_report(dwfl, getpid()) == 0;
    return hiera_dw.dwfl_report_end(dwfl, NULL, NULL) == 0 && good;
}

static void begin(void)
{
    static Dwfl_Callbacks callbacks;
    if (!load())
        return;
    callbacks.find_elf = hiera_dw.dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = hiera_debuglink_find;
    dwfl = hiera_dw.dwfl_begin(&callbacks);
    if (dwfl && !report_modules())
        dwfl = NULL;
}

/* Return libdw's module (program or library) that is mapped at `address`; NULL if there is none. */
static Dwfl_Module *module_of(Dwarf_Addr address)
{
    static bool tried;
    if (!tried) {
        tried = true;
        begin();
    }
    if (!dwfl)
        return NULL;
    Dwfl_Module *module = hiera_dw.dwfl_addrmodule(dwfl, address);
    if (!module && report_modules()) /* the object may be newly loaded: report all again */
        module = hiera_dw.dwfl_addrmodule(dwfl, address);
    return module;
}

const char *hiera_libdw_source(uintptr_t address, int *line)
{
    Dwfl_Module *module = module_of(address);
    return module ? hiera_lines_source(module, address, line) : NULL;
}

const char *hiera_libdw_caller(uintptr_t address, int *line)
{
    Dwfl_Module *module = module_of(address);
    return module ? hiera_lines_caller(module, address, line) : NULL;
}

const char *hiera_libdw_symbol(uintptr_t address)
{
    Dwfl_Module *module = module_of(address);
    return module ? hiera_dw.dwfl_module_addrname(module, address) : NULL;
}

#else

const char *hiera_libdw_source(uintptr_t address, int *line)
{
    (void)address;
    (void)line;
    return NULL;
}

const char *hiera_libdw_caller(uintptr_t address, int *line)
{
    return hiera_libdw_source(address, line);
}

const char *hiera_libdw_symbol(uintptr_t address)
{
    (void)address;
    return NULL;
}

#endif
