/* Objects by address, with their build ids. See objects.h.
 *
 * The build id is in the mapped object. It is read with the system call for files, so that a mapping that is not an
 * object does no harm. Nothing here allocates memory or takes a lock. */
#include "objects.h"

#include "base/proc_maps.h"
#include "originals.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { PATHS = 16 << 10, HEADERS_MAX = 32, NOTES_MAX = 1024 };

static HieraLoadedObject objects[HIERA_OBJECTS_MAX];
static unsigned n_objects;
static char paths[PATHS];
static size_t n_paths;

static bool read_at(int memory, uintptr_t address, void *to, size_t bytes)
{
    return pread(memory, to, bytes, (off_t)address) == (ssize_t)bytes;
}

/* Find the build id in ELF notes. A note is: length of name, length of contents, type; then name and contents. */
static bool take_build_id(const char *notes, size_t bytes, HieraLoadedObject *object)
{
    ElfW(Nhdr) note;
    for (size_t at = 0; at + sizeof note <= bytes;) {
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note, contents = name + ((note.n_namesz + 3u) & ~(size_t)3);
        if (note.n_namesz > bytes || note.n_descsz > bytes || contents + note.n_descsz > bytes)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0 &&
            note.n_descsz > 0 && note.n_descsz <= HIERA_BUILD_MAX) {
            memcpy(object->build, notes + contents, note.n_descsz);
            object->build_bytes = note.n_descsz;
            return true;
        }
        at = contents + ((note.n_descsz + 3u) & ~(size_t)3);
    }
    return false;
}

static bool read_notes(int memory, const ElfW(Phdr) * headers, size_t n, HieraLoadedObject *object)
{
    static char notes[NOTES_MAX];
    uintptr_t first = UINTPTR_MAX;
    for (size_t i = 0; i < n; i++)
        if (headers[i].p_type == PT_LOAD && headers[i].p_vaddr < first)
            first = headers[i].p_vaddr & ~(uintptr_t)4095;
    for (size_t i = 0; i < n; i++) {
        size_t bytes = headers[i].p_filesz < NOTES_MAX ? headers[i].p_filesz : NOTES_MAX;
        uintptr_t begin = object->begin + headers[i].p_vaddr - first;
        if (headers[i].p_type == PT_NOTE && begin >= object->begin && begin + bytes <= object->end &&
            read_at(memory, begin, notes, bytes) && take_build_id(notes, bytes, object))
            return true;
    }
    return false;
}

/* Open the memory of the object. In a process that completes another one's trace, open the file instead: it begins like
 * the mapped object. */
static int open_memory(HieraLoadedObject *object, const char *path)
{
    if (!hiera_maps_taken())
        return open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    object->end -= object->begin;
    object->begin = 0;
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static bool read_build_id(HieraLoadedObject *found, const char *path)
{
    static ElfW(Phdr) headers[HEADERS_MAX];
    ElfW(Ehdr) head;
    HieraLoadedObject there = *found, *object = &there;
    int memory = open_memory(object, path);
    if (memory < 0)
        return false;
    bool good = read_at(memory, object->begin, &head, sizeof head) && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
                head.e_phentsize == sizeof headers[0];
    size_t n = !good ? 0 : head.e_phnum < HEADERS_MAX ? head.e_phnum : HEADERS_MAX;
    good = good && read_at(memory, object->begin + head.e_phoff, headers, n * sizeof headers[0]) &&
           read_notes(memory, headers, n, object);
    close(memory);
    memcpy(found->build, object->build, sizeof found->build);
    found->build_bytes = object->build_bytes;
    return good;
}

/* Store a path. */
static const char *keep_path(const char *path)
{
    char *kept = paths + n_paths;
    size_t room = PATHS - n_paths, length = strlen(path);
    if (length < room)
        memcpy(kept, path, length);
    if (length + 1 >= room)
        return "";
    kept[length] = '\0';
    n_paths += length + 1;
    return kept;
}

/* Store the path of the program, for which the dynamic linker has an empty one; and instead of a relative path, which
 * is worth nothing after chdir() and for hiera-transform, what the system has mapped. */
static void keep_paths(HieraLoadedObject *object, const char *linked, const void *address)
{
    static HieraMapping mapping;
    static char program[PATH_MAX];
    object->path = object->linked = keep_path(linked ? linked : "");
    if (!object->linked[0]) {
        ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
        program[n > 0 ? n : 0] = '\0';
        object->path = keep_path(program);
    } else if (object->linked[0] != '/' && hiera_maps_find_place((uintptr_t)address, &mapping) &&
               mapping.path[0] == '/')
        object->path = keep_path(mapping.path);
}

/* Find address range and path of the object at an address; before glibc 2.35, of one of its mappings only. */
static bool find_mapped(const void *address, HieraLoadedObject *object, const char **path)
{
    static HieraMapping mapping;
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 and later have _dl_find_object(), which is safe in a signal handler */
    struct dl_find_object found;
    if (!hiera_maps_taken() && _dl_find_object((void *)(uintptr_t)address, &found) == 0 && found.dlfo_link_map) {
        object->begin = (uintptr_t)found.dlfo_map_start;
        object->end = (uintptr_t)found.dlfo_map_end;
        *path = found.dlfo_link_map->l_name;
        return true;
    }
#endif
    if (!hiera_maps_find_place((uintptr_t)address, &mapping) || !mapping.path[0])
        return false;
    object->begin = mapping.base;
    object->end = mapping.end;
    *path = mapping.path;
    return true;
}

/* Whether the object may still be at this address, by the list of the dynamic linker. An object that was unloaded is no
 * longer there, or another one has its place. */
static bool may_be(const HieraLoadedObject *object, const void *address)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    struct dl_find_object found;
    if (!hiera_maps_taken() && _dl_find_object((void *)(uintptr_t)address, &found) == 0 && found.dlfo_link_map) {
        const char *name = found.dlfo_link_map->l_name;
        return object->begin == (uintptr_t)found.dlfo_map_start &&
               (!object->linked || strcmp(object->linked, name ? name : "") == 0);
    }
#endif
    (void)object, (void)address;
    return true;
}

bool hiera_object_is_unloaded(unsigned number)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    const HieraLoadedObject *object = &objects[number - 1];
    struct dl_find_object found;
    const void *begin = (const void *)object->begin;
    return _dl_find_object((void *)(uintptr_t)begin, &found) != 0 || !may_be(object, begin);
#else
    (void)number;
    return false;
#endif
}

unsigned hiera_loaded_object_number(const void *address, bool makes)
{
    address = hiera_original(address);
    const char *path = NULL;
    HieraLoadedObject found = {.begin = 0};
    for (unsigned i = n_objects; i > 0; i--)
        if ((uintptr_t)address >= objects[i - 1].begin && (uintptr_t)address < objects[i - 1].end &&
            may_be(&objects[i - 1], address))
            return i;
    if (!makes || n_objects == HIERA_OBJECTS_MAX || !find_mapped(address, &found, &path))
        return 0;
    if (read_build_id(&found, path))
        keep_paths(&found, path, address);
    objects[n_objects++] = found;
    return n_objects;
}

const HieraLoadedObject *hiera_object_peek(unsigned number)
{
    return objects[number - 1].build_bytes > 0 ? &objects[number - 1] : NULL;
}

const HieraLoadedObject *hiera_object_find(const void *address, unsigned *number)
{
    unsigned found = hiera_loaded_object_number(address, true);
    *number = found > 0 ? found - 1 : 0;
    return found > 0 ? hiera_object_peek(found) : NULL;
}

void hiera_objects_forget(void)
{
    n_objects = 0;
}
