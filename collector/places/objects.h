/* The objects (program and libraries) of this process that have call sites without a line, numbered, with their build
 * ids. The trace declares them (element hieraObject), and hiera-transform looks up the lines later. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_OBJECTS_MAX = 64, HIERA_BUILD_MAX = 32 };

typedef struct HieraLoadedObject {
    uintptr_t begin, end; /* address range that the object is mapped at */
    const char *path;     /* absolute, if the system knows it */
    const char *linked;   /* path as the dynamic linker has it, which may be relative; "" of the program */
    unsigned char build[HIERA_BUILD_MAX]; /* build id of the object, as the linker wrote it into the file */
    size_t build_bytes;
} HieraLoadedObject;

/* Find the object at `address` and its number, below HIERA_OBJECTS_MAX. NULL if it has no build id, or there are too
 * many objects. Safe in a signal handler; called with the lock held. */
const HieraLoadedObject *hiera_object_find(const void *address, unsigned *number);

/* Return the number of the object at `address` + 1; 0: it is not known and `makes` is false, or there are too many
 * objects. An object that was unloaded keeps its number; another one at the same address gets a new number (glibc 2.35
 * or later). Safe in a signal handler; called with the lock held. */
unsigned hiera_loaded_object_number(const void *address, bool makes);

/* Return the object with this number (as hiera_loaded_object_number() returns it); NULL if it has no build id. */
const HieraLoadedObject *hiera_object_peek(unsigned number);

/* Whether the object has been unloaded; always false before glibc 2.35. */
bool hiera_object_is_unloaded(unsigned number);

/* Forget all objects, when addresses are those of another process from now on (hiera_maps_take()). */
void hiera_objects_forget(void);
