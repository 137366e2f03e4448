/* The memory of a process: known and unknown bytes. Bytes that were never written are as in the executable and its
 * libraries. */
#pragma once

#include "image/link/program.h"

typedef struct HieraKnownMemory HieraKnownMemory;

/* Make the memory of a process. @param program  must outlive the memory */
HieraKnownMemory *hiera_known_memory_new(const HieraProgram *program);
void hiera_known_memory_free(HieraKnownMemory *memory);

/* Read `width` bytes (up to 8), little-endian. @return FALSE: not all of these bytes are known */
gboolean hiera_known_memory_read(HieraKnownMemory *memory, guint64 address, guint width, guint64 *bits);
/* Write `width` bytes (up to 8), little-endian. @param known  FALSE: these bytes become unknown */
void hiera_known_memory_write(HieraKnownMemory *memory, guint64 address, guint width, gboolean known, guint64 bits);
/* Make n bytes from an address on unknown. */
void hiera_known_memory_forget(HieraKnownMemory *memory, guint64 address, guint64 n);
/* Return a copy of a range, with a mark for known bytes; NULL if none is known, or if it is longer than 16 MiB. To be
 * freed with hiera_bytes_free. */
typedef struct {
    guint64 n;
    guint8 *bytes, *known; /* bytes; for each of them, whether it is known */
} HieraKnownBytes;
HieraKnownBytes *hiera_known_memory_copy(HieraKnownMemory *memory, guint64 address, guint64 n);
/* Write the first n bytes of a copy; bytes that are unknown in the copy become unknown in memory. @param bytes  NULL:
 * all n become unknown */
void hiera_known_memory_paste(HieraKnownMemory *memory, guint64 address, guint64 n, const HieraKnownBytes *bytes);
void hiera_bytes_free(HieraKnownBytes *bytes);
/* Return the address of a new range of n unknown bytes on the heap, as malloc does. */
guint64 hiera_known_memory_allocate(HieraKnownMemory *memory, guint64 n);
/* Return the address of the next allocation; the next function advances it by n bytes, for skipped iterations. */
guint64 hiera_known_memory_next(const HieraKnownMemory *memory);
void hiera_known_memory_give(HieraKnownMemory *memory, gdouble n);
/* Whether an address is in the part of the heap that was allocated so far, also by skipped iterations. */
gboolean hiera_known_memory_has_given(const HieraKnownMemory *memory, guint64 address);
/* Find begin and end of the variable or malloc block that contains an address. @return FALSE: not known */
gboolean hiera_known_memory_bounds(const HieraKnownMemory *memory, guint64 address, guint64 *begin, guint64 *end);
/* Whether an address is in a part of a file that no program changes. */
gboolean hiera_known_memory_is_constant(const HieraKnownMemory *memory, guint64 address);
/* Return the address that stands for a function or variable of a file that is not analysed; and the name for such an
 * address. */
guint64 hiera_known_memory_address_of(HieraKnownMemory *memory, const char *name);
const char *hiera_known_memory_name_at(const HieraKnownMemory *memory, guint64 address);
