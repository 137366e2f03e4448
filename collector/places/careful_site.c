/* Call sites in a signal handler. See careful_site.h.
 *
 * The list of objects is read in advance: a process that a launcher ends has only a few milliseconds before SIGKILL. It
 * is read again if an address is in none of the objects, since a library may have been loaded later. Nothing here
 * allocates memory or takes a lock. */
#include "careful_site.h"

#include "base/proc_maps.h"
#include "base/xml_text.h"
#include "originals.h"
#include "text/hash.h"

#include <stdint.h>
#include <string.h>

enum { OBJECTS = 384, NAME = 160, SLOTS = 256, ROOM = 1024 }; /* ROOM: each byte of NAME takes up to six, if escaped */

typedef struct Object {
    uintptr_t begin, end;
    uintptr_t base;
    char name[NAME]; /* name of the object's file without folder, cut to fit */
} Object;

/* A slot of the cache: a call site, and memory for its text. */
typedef struct Slot {
    HieraSiteText site;
    char bytes[ROOM + HIERA_TEXT_MARGIN];
} Slot;

_Static_assert((int)ROOM >= (int)HIERA_SITE_ROOM && (int)ROOM > 6 * (int)NAME + 60, "a site is copied whole, and fits");

static Object objects[OBJECTS];
static size_t n_objects;
static Slot slots[SLOTS];

static bool continues(const Object *object, const HieraMapping *mapping)
{
    return object->base == mapping->base && strncmp(object->name, hiera_base_name(mapping->path), NAME - 1) == 0;
}

static bool note(const HieraMapping *mapping, void *nothing)
{
    (void)nothing;
    if (!mapping->path[0])
        return false;
    if (n_objects > 0 && continues(&objects[n_objects - 1], mapping)) {
        objects[n_objects - 1].end = mapping->end;
        return false;
    }
    if (n_objects == OBJECTS)
        return true;
    Object *object = &objects[n_objects++];
    const char *name = hiera_base_name(mapping->path);
    *object = (Object){mapping->begin, mapping->end, mapping->base, ""};
    memcpy(object->name, name, strnlen(name, NAME - 1));
    return false;
}

void hiera_careful_note(void)
{
    n_objects = 0;
    hiera_maps_walk_places(note, NULL);
}

static const Object *find_noted(uintptr_t address)
{
    for (size_t i = 0; i < n_objects; i++)
        if (address >= objects[i].begin && address < objects[i].end)
            return &objects[i];
    return NULL;
}

static const Object *find(uintptr_t address)
{
    const Object *object = find_noted(address);
    if (object)
        return object;
    hiera_careful_note();
    return find_noted(address);
}

static void put_place(HieraText *text, uintptr_t address)
{
    address = (uintptr_t)hiera_original((const void *)address);
    const Object *object = find(address);
    if (object) {
        hiera_text_escaped(text, object->name, strlen(object->name));
        HIERA_TEXT_LITERAL(text, "+");
    }
    HIERA_TEXT_LITERAL(text, "0x");
    hiera_text_hex(text, address - (object ? object->base : 0));
}

const HieraSiteText *hiera_careful_site(const void *address)
{
    Slot *slot = &slots[hiera_hash_address(address) % SLOTS];
    if (slot->site.length > 0 && slot->site.address == address)
        return &slot->site;
    HieraText text = hiera_text_into(slot->bytes, ROOM);
    slot->site.length = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* length 0 first: a signal handler here finds the slot empty */
    HIERA_TEXT_LITERAL(&text, " file=\"");
    put_place(&text, (uintptr_t)address);
    HIERA_TEXT_LITERAL(&text, "\" line=\"0\"");
    slot->site.address = address;
    slot->site.attributes = slot->bytes;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    slot->site.length = (size_t)(text.next - slot->bytes);
    return &slot->site;
}

void hiera_careful_name(const void *address, char *name, size_t size)
{
    const Object *object = find((uintptr_t)address);
    hiera_text_print(name, size, "%s%s0x%lx", object ? object->name : "", object ? "+" : "",
                     (unsigned long)((uintptr_t)address - (object ? object->base : 0)));
}
