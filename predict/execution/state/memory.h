/* The memory of a process: known and unknown bytes. Bytes that were never written are as in the executable and its
 * libraries. */
#pragma once

#include "image/link/program.h"

typedef struct HieraKnownMemory HieraKnownMemory;

/* @param program  must outlive the memory */
HieraKnownMemory *hiera_known_memory_new(const HieraProgram *program);
void hiera_known_memory_free(HieraKnownMemory *memory);

/* Read up to 8 bytes, little-endian. @return FALSE if they are not all known */
gboolean hiera_known_memory_read(HieraKnownMemory *memory, guint64 address, guint width, guint64 *bits);
/* Write up to 8 bytes. @param known  FALSE: they become unknown */
void hiera_known_memory_write(HieraKnownMemory *memory, guint64 address, guint width, gboolean known, guint64 bits);
/* Make a range unknown. */
void hiera_known_memory_forget(HieraKnownMemory *memory, guint64 address, guint64 n);
/* Return a copy of a range, with a mark for known bytes; NULL if none is known, or if it is longer than 16 MiB. To be
 * freed with hiera_bytes_free. */
typedef struct {
    guint64 n;
    guint8 *bytes, *known; /* known: a mark for each byte */
} HieraKnownBytes;
HieraKnownBytes *hiera_known_memory_copy(HieraKnownMemory *memory, guint64 address, guint64 n);
/* Write such a copy, up to `n` bytes of it; bytes not known in it become unknown. NULL: all n become unknown. */
void hiera_known_memory_paste(HieraKnownMemory *memory, guint64 address, guint64 n, const HieraKnownBytes *bytes);
void hiera_bytes_free(HieraKnownBytes *bytes);
/* Return a new range of n unknown bytes, as malloc does. */
guint64 hiera_known_memory_allocate(HieraKnownMemory *memory, guint64 n);
/* Return the address of the next such range; and advance it by the amount that skipped iterations allocate. */
guint64 hiera_known_memory_next(const HieraKnownMemory *memory);
void hiera_known_memory_give(HieraKnownMemory *memory, gdouble n);
/* Whether malloc has returned a range with an address, also in skipped iterations, whose ranges are not known. */
gboolean hiera_known_memory_has_given(const HieraKnownMemory *memory, guint64 address);
/* Find the range of the variable or malloc block that contains an address. @return FALSE if it is not known */
gboolean hiera_known_memory_bounds(const HieraKnownMemory *memory, guint64 address, guint64 *begin, guint64 *end);
/* Return the address that stands for a function or variable of a file that is not analysed; and the name for such an
 * address. */
guint64 hiera_known_memory_address_of(HieraKnownMemory *memory, const char *name);
const char *hiera_known_memory_name_at(const HieraKnownMemory *memory, guint64 address);
