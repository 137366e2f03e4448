/* The objects (program and libraries) of this process that have places without a line: numbered, with what tells which
 * file they are. hiera-transform finds the lines afterwards (element hieraObject). */
#ifndef HIERA_OBJECTS_H
#define HIERA_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

enum { HIERA_OBJECTS_MAX = 64, HIERA_BUILD_MAX = 32 };

typedef struct HieraObject {
    uintptr_t begin, end; /* where it is mapped */
    const char *path;
    unsigned char build[HIERA_BUILD_MAX]; /* its build id, by which the linker names what it made */
    size_t build_bytes;
} HieraObject;

/* The object that is mapped at `address`, and its number below HIERA_OBJECTS_MAX. NULL if it has no build id, or there
 * were too many. Safe in a signal handler; with the session's lock held. */
const HieraObject *hiera_object_find(const void *address, unsigned *number);

#endif
