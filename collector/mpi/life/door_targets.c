#include "door_targets.h"

#include "handing_on.h"
#include "mpi/call/call_record.h"
#include "mpi_names.h"
#include "next_functions.h"

#include <string.h>

HieraDoorObjects hiera_door_objects;

const void *hiera_door_function_of_fortran(const char *name)
{
    HieraTwinName twin;
    const void *function = NULL;
    if (strncmp(name, "pmpir_", 6) == 0)
        return hiera_door_objects.mpich.dynamic ? hiera_symbols_find(&hiera_door_objects.mpich, name) : NULL;
    if (!hiera_mpi_is_twin(name, NULL))
        name = hiera_mpi_twin_of(name, &twin);
    for (unsigned i = 0; i < hiera_door_objects.n_fortran && name && !function; i++)
        function = hiera_symbols_find(&hiera_door_objects.fortran[i], name);
    return function;
}

const void *hiera_door_find_led(const char *name)
{
    unsigned call = hiera_door_objects.led ? hiera_mpi_call_of(name) : hiera_mpi_call_count;
    return call < hiera_mpi_call_count ? hiera_door_objects.led[call] : NULL;
}

static const void *function_of_c(const char *name)
{
    HieraTwinName names;
    const char *twin = hiera_mpi_is_twin(name, NULL) ? name : hiera_mpi_twin_of(name, &names);
    const void *led = hiera_door_find_led(name);
    return led || !twin ? led : hiera_symbols_find(&hiera_door_objects.mpi, twin);
}

const void *hiera_door_function_of(const char *name)
{
    if (!hiera_mpi_is_name(name, NULL) && !hiera_mpi_is_twin(name, NULL))
        return NULL;
    return hiera_mpi_is_of_c(name) ? function_of_c(name) : hiera_door_function_of_fortran(name);
}

const void *hiera_door_wrapper_of(const char *name)
{
    unsigned call = hiera_mpi_call_of(name);
    HieraTwinName room;
    if (call < hiera_mpi_call_count)
        return hiera_next_behind(call) ? NULL : (const void *)(uintptr_t)hiera_mpi_calls[call].wrapper;
    return hiera_next_has_tool || hiera_mpi_is_of_c(name)
               ? NULL
               : hiera_symbols_find(&hiera_door_objects.ours, hiera_mpi_name_without_p(name, &room));
}

bool hiera_door_is_inside(const struct dl_phdr_info *info, uintptr_t address)
{
    bool is = false;
    for (unsigned i = 0; i < info->dlpi_phnum && !is; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        is = part->p_type == PT_LOAD && address - info->dlpi_addr - part->p_vaddr < part->p_memsz;
    }
    return is;
}

static void know(HieraDoorCaller *caller)
{
    const HieraSymbols *object = &caller->object;
    const char *library = hiera_symbols_library(object);
    if (caller->is_known)
        return;
    bool is_ours = object->base == hiera_door_objects.ours.base;
    caller->is_known = true;
    caller->is_mpis = object->base == hiera_door_objects.mpi.base || (is_ours && !hiera_door_objects.is_part) ||
                      hiera_is_of_mpi(library) || strncmp(library, "mca_", 4) == 0 ||
                      strncmp(library, "libmca_", 7) == 0 || hiera_symbols_define(object, hiera_mpi_is_twin, NULL);
    caller->has_wrappers = !is_ours && hiera_symbols_define(object, hiera_mpi_is_name, NULL);
}

bool hiera_door_is_programs(HieraDoorCaller *caller, const char *name)
{
    know(caller);
    if (caller->is_mpis || hiera_symbols_entry(&caller->object, name))
        return false;
    HieraTwinName room;
    const char *plain = hiera_mpi_name_without_p(name, &room);
    return plain == name || !caller->has_wrappers || hiera_symbols_entry(&caller->object, plain);
}

/* Whether a library of Fortran calls MPI past Hiera by this name: PMPI's, or a function that Open MPI's modules share.
 */
static bool is_way_past(const char *name, const void *unused)
{
    (void)unused;
    return strcmp(name, "PMPI_Send") == 0 || strcmp(name, "ompi_send_f") == 0;
}

static int look_for_fortran(struct dl_phdr_info *info, size_t size, void *unused)
{
    HieraDoorCaller caller = {.info = info};
    const HieraSymbols *object = &caller.object;
    (void)size;
    (void)unused;
    if (!hiera_symbols_read(info, &caller.object))
        return 0;
    hiera_door_objects.is_behind = hiera_door_objects.is_behind || object->base == hiera_door_objects.ours.base;
    if (object->base == hiera_door_objects.mpi.base || object->base == hiera_door_objects.ours.base)
        return 0;
    if (hiera_symbols_entry(object, "pmpir_barrier_f08_"))
        hiera_door_objects.mpich = *object;
    if (hiera_door_objects.n_fortran == HIERA_DOOR_FORTRAN || !hiera_symbols_ask(object, is_way_past, NULL))
        return 0;
    know(&caller);
    if (caller.is_mpis) {
        hiera_door_objects.fortran[hiera_door_objects.n_fortran++] = *object;
        hiera_door_objects.fortran_is_first = hiera_door_objects.fortran_is_first || !hiera_door_objects.is_behind;
    }
    return 0;
}

void hiera_door_find_fortran(void)
{
    hiera_door_objects.n_fortran = 0;
    hiera_door_objects.mpich = (HieraSymbols){.dynamic = NULL};
    hiera_door_objects.is_behind = hiera_door_objects.fortran_is_first = false;
    dl_iterate_phdr(look_for_fortran, NULL);
}
