/* A cache of call sites in front of libdw (libdw.h).
 *
 * In a signal handler libdw and the dynamic linker must not be called: a call site that is not in the cache then
 * becomes object and offset. */
#include "call_site.h"

#include "base/lock.h"
#include "base/proc_maps.h"
#include "base/xml_text.h"
#include "careful_site.h"
#include "libdw.h"
#include "lines/readable.h"
#include "memory/kept_maps.h"
#include "memory/signal_safe_memory.h"
#include "originals.h"
#include "text/hash.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SITE_NAME = 1024, SITE_TEXT = 6 * SITE_NAME + 64 }; /* an escaped byte takes six at most */

static HieraSiteText *slots; /* hash table by address, with open addressing; its size is a power of two */
static size_t n_slots, n_used;
static char unknown_place[HIERA_SITE_ROOM] = " file=\"unknown\" line=\"0\"";
static HieraSiteText unresolved = {.attributes = unknown_place, .length = 24};

static HieraSiteText *find(const void *address)
{
    size_t i = hiera_hash_address(address) & (n_slots - 1);
    while (slots[i].attributes && slots[i].address != address)
        i = (i + 1) & (n_slots - 1);
    return &slots[i];
}

static bool grow(void)
{
    HieraSiteText *old = slots;
    size_t n_old = n_slots;
    HieraSiteText *bigger = hiera_memory_new((n_slots ? 2 * n_slots : 256) * sizeof *bigger);
    if (!bigger)
        return false;
    slots = bigger;
    n_slots = n_old ? 2 * n_old : 256;
    for (size_t i = 0; i < n_old; i++)
        if (old[i].attributes)
            *find(old[i].address) = old[i];
    hiera_memory_free(old, n_old * sizeof *old);
    return true;
}

typedef struct Object {
    const char *name;
    uintptr_t base;
    HieraMapping mapping;
} Object;

/* Find the object at an address without a lock: a thread inside the dynamic linker may be waiting for Hiera's lock.
 * dladdr() is not used either: it searches all symbols of a library, which takes 0.3 ms in a large one. */
static bool find_object(const void *address, Object *object)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 and later have _dl_find_object() */
    struct dl_find_object found;
    if (!hiera_maps_taken() && _dl_find_object((void *)(uintptr_t)address, &found) == 0 && found.dlfo_link_map) {
        const char *path = found.dlfo_link_map->l_name;
        object->name = hiera_base_name(path && path[0] ? path : program_invocation_name);
        object->base = (uintptr_t)found.dlfo_map_start;
        return true;
    }
#endif
    if (!hiera_maps_find_place((uintptr_t)address, &object->mapping) || !object->mapping.path[0])
        return false;
    object->name = hiera_base_name(object->mapping.path);
    object->base = object->mapping.base;
    return true;
}

/* Name an address by its object (program or library) and the offset in it: "libfoo.so+0x1a2b". */
static void name_by_object(const void *address, char *name, size_t size)
{
    Object object;
    if (find_object(address, &object))
        snprintf(name, size, "%.200s+0x%lx", object.name, (unsigned long)((uintptr_t)address - object.base));
    else
        snprintf(name, size, "0x%lx", (unsigned long)(uintptr_t)address);
}

size_t hiera_site_in_object(const void *address, char *place, size_t size)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    struct dl_find_object found;
    Object object;
    if (hiera_maps_taken() || _dl_find_object((void *)(uintptr_t)address, &found) != 0 ||
        !find_object(address, &object) || strpbrk(object.name, " +&<>\"'"))
        return 0;
    hiera_text_print(place, size, "%s+0x%lx", object.name, (unsigned long)((uintptr_t)address - object.base));
    return strlen(object.name) < size - 20 ? strlen(object.name) : 0;
#else
    (void)address, (void)place, (void)size;
    return 0;
#endif
}

/* Copy a path; if it is too long, cut off its beginning, since its end identifies the file. */
static void copy_path(char *name, size_t size, const char *path)
{
    size_t length = strlen(path);
    if (length < size) {
        memcpy(name, path, length + 1);
        return;
    }
    const char *rest = strchr(path + length - size + 4, '/');
    snprintf(name, size, "...%s", rest ? rest : path + length - size + 4);
}

/* --- wrappers of library functions (levels/) --- */

enum { WRAPPED_MAX = 2048 };

typedef struct Wrapped {
    uintptr_t begin, end; /* address range of all wrappers of the wrapper's library */
    const char *name;
    const void *code; /* the library's function that the wrapper calls; NULL: entry not complete */
} Wrapped;

static Wrapped wrapped[WRAPPED_MAX];
static unsigned n_wrapped;

/* For level.h: called at the first call of each wrapped library function, by any thread, without a lock. */
__attribute__((visibility("default"))) void hiera_level_note(const void *begin, const void *end, const char *name,
                                                             const void *code);

void hiera_level_note(const void *begin, const void *end, const char *name, const void *code)
{
    unsigned i = __atomic_fetch_add(&n_wrapped, 1, __ATOMIC_RELAXED);
    if (i >= WRAPPED_MAX) {
        __atomic_store_n(&n_wrapped, WRAPPED_MAX, __ATOMIC_RELAXED);
        return;
    }
    wrapped[i] = (Wrapped){(uintptr_t)begin, (uintptr_t)end, name, NULL};
    __atomic_store_n(&wrapped[i].code, code, __ATOMIC_RELEASE);
}

/* Whether both are names of one Fortran function, such as pdgesv_, pdgesv and PDGESV. */
static bool is_same_function(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    while (n > 1 && a[n - 1] == '_')
        n--;
    while (m > 1 && b[m - 1] == '_')
        m--;
    return n == m && strncasecmp(a, b, n) == 0;
}

/* A wrapper does not call MPI. If MPI returns to a wrapper, then the function that the wrapper calls has made a tail
 * call of MPI. So that function is the call site. */
static const void *look_behind_wrapper(const void *address)
{
    const char *symbol = NULL;
    unsigned n = __atomic_load_n(&n_wrapped, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < n && i < WRAPPED_MAX; i++) {
        const void *code = __atomic_load_n(&wrapped[i].code, __ATOMIC_ACQUIRE);
        if (!code || (uintptr_t)address < wrapped[i].begin || (uintptr_t)address >= wrapped[i].end)
            continue;
        if (!symbol && !(symbol = hiera_libdw_symbol((uintptr_t)address - 1)))
            return address;
        if (is_same_function(symbol, wrapped[i].name))
            return (const char *)code + 1;
    }
    return address;
}

/* Whether an address is in a library of a level. That makes no calls: a function of the program that it called, such as
 * the code of a parallel region, has made its last call by a jump, and which function that was is not known. */
static bool is_in_level(const void *address)
{
    static const char level[] = "libhiera-";
    Object object;
    return find_object(address, &object) && strncmp(object.name, level, sizeof level - 1) == 0;
}

/* Write file and line of a call site: "src/md.c" and its line, "libfoo.so+0x1a2b" and 0, or "unknown" and 0.
 * @return the place they name */
static const void *describe(const void *address, char *name, size_t size, int *line)
{
    address = hiera_original(look_behind_wrapper(address));
    hiera_kept_maps_see(address);
    if (!address || is_in_level(address)) {
        *line = 0;
        copy_path(name, size, "unknown");
        return address;
    }
    /* Subtract 1, since a return address is behind the call instruction, perhaps in the next source line. */
    const char *file = hiera_libdw_caller((uintptr_t)address - 1, line);
    if (file) {
        copy_path(name, size, file);
    } else {
        *line = 0;
        name_by_object(address, name, size);
    }
    return address;
}

const HieraSiteText *hiera_site_resolve(const void *address)
{
    if (n_slots > 0) {
        HieraSiteText *known = find(address);
        if (known->attributes)
            return known;
    }
    if (hiera_lock_is_careful()) /* no lookup in a signal handler: libdw and the dynamic linker allocate and lock */
        return hiera_careful_site(address);
    if (2 * n_used >= n_slots && !grow() && n_used + 1 >= n_slots)
        return &unresolved;

    char name[SITE_NAME] = "", block[SITE_TEXT + HIERA_TEXT_MARGIN];
    int line = 0;
    const void *place = describe(address, name, sizeof name, &line);
    HieraText text = hiera_text_into(block, SITE_TEXT);
    HIERA_TEXT_LITERAL(&text, " file=\"");
    hiera_text_escaped(&text, name, strlen(name));
    HIERA_TEXT_LITERAL(&text, "\" line=\"");
    hiera_text_unsigned(&text, line > 0 ? (uint64_t)line : 0);
    HIERA_TEXT_LITERAL(&text, "\"");

    HieraSiteText *site = find(address);
    site->length = (size_t)(text.next - block);
    site->attributes = hiera_memory_new(site->length > HIERA_SITE_ROOM ? site->length : HIERA_SITE_ROOM);
    if (!site->attributes)
        return &unresolved;
    memcpy(site->attributes, block, site->length);
    site->address = address;
    site->place = place;
    n_used++;
    return site;
}

/* --- names of functions --- */

static void name_function(const void *address, char *name, size_t size, const char **file)
{
    int line = 0;
    const char *source = hiera_libdw_source((uintptr_t)address, &line),
               *symbol = hiera_libdw_symbol((uintptr_t)address);
    *file = source ? hiera_base_name(source) : NULL;
    if (!symbol)
        symbol = hiera_site_function(address);
    if (symbol)
        hiera_readable_symbol(name, size, symbol, *file);
    else
        name_by_object(address, name, size);
}

const HieraFunctionName *hiera_site_function_name(const void *address)
{
    enum { SLOTS = 1024, NAME_MAX_BYTES = 1000 };
    static HieraFunctionName *known[SLOTS], careful;
    static char careful_name[NAME_MAX_BYTES];
    HieraFunctionName **slot = &known[hiera_hash_address(address) % SLOTS];
    for (HieraFunctionName *function = *slot; function; function = function->next)
        if (function->address == address)
            return function;
    char name[NAME_MAX_BYTES] = "";
    const char *file = NULL;
    bool is_careful = hiera_lock_is_careful();
    if (!is_careful)
        name_function(address, name, sizeof name, &file);
    HieraFunctionName *made = is_careful ? NULL : hiera_memory_new(sizeof *made);
    if (!made) {
        hiera_careful_name(address, careful_name, sizeof careful_name);
        careful = (HieraFunctionName){NULL, address, careful_name, NULL};
        return &careful;
    }
    *made = (HieraFunctionName){*slot, address, hiera_memory_copy(name), file ? hiera_memory_copy(file) : NULL};
    if (!made->name)
        made->name = (char *)"unknown";
    *slot = made;
    return made;
}

const char *hiera_site_function(const void *address)
{
    Dl_info info;
    return !hiera_lock_is_careful() && !hiera_maps_taken() && dladdr(address, &info) && info.dli_sname &&
                   info.dli_saddr == address
               ? info.dli_sname
               : NULL;
}
