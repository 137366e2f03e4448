/* The memory of a process: bytes that are known, and bytes that are not. What was never written is as the executable
 * and its libraries have it. */
#ifndef HIERA_EXECUTION_MEMORY_H
#define HIERA_EXECUTION_MEMORY_H

#include "image/link/program.h"

typedef struct HieraKnownMemory HieraKnownMemory;

/* @param program  must outlive the memory */
HieraKnownMemory *hiera_known_memory_new(const HieraProgram *program);
void hiera_known_memory_free(HieraKnownMemory *memory);

/* Read up to 8 bytes, little-endian. @return FALSE if they are not all known */
gboolean hiera_known_memory_read(HieraKnownMemory *memory, guint64 address, guint width, guint64 *bits);
/* Write up to 8 bytes. @param known  FALSE: they are not known any more */
void hiera_known_memory_write(HieraKnownMemory *memory, guint64 address, guint width, gboolean known, guint64 bits);
/* Forget what is in a range. */
void hiera_known_memory_forget(HieraKnownMemory *memory, guint64 address, guint64 n);
/* Return a copy of a range, with what is known of it; NULL if nothing is, or if it is longer than 16 MiB. To be freed
 * with hiera_bytes_free. */
typedef struct {
    guint64 n;
    guint8 *bytes, *known; /* known: one for each byte */
} HieraKnownBytes;
HieraKnownBytes *hiera_known_memory_copy(HieraKnownMemory *memory, guint64 address, guint64 n);
/* Write such a copy, up to `n` bytes of it; what is not known is forgotten. NULL: all n. */
void hiera_known_memory_paste(HieraKnownMemory *memory, guint64 address, guint64 n, const HieraKnownBytes *bytes);
void hiera_bytes_free(HieraKnownBytes *bytes);
/* Return a new range of n bytes that are not known: what malloc returns. */
guint64 hiera_known_memory_allocate(HieraKnownMemory *memory, guint64 n);
/* Where the next such range begins; and give as much as is asked for in iterations that are skipped. */
guint64 hiera_known_memory_next(const HieraKnownMemory *memory);
void hiera_known_memory_give(HieraKnownMemory *memory, gdouble n);
/* Whether malloc has given an address, also in iterations that were skipped: then it is in no range that is known. */
gboolean hiera_known_memory_has_given(const HieraKnownMemory *memory, guint64 address);
/* Where the variable or the range of malloc that has an address begins and ends. @return FALSE if that is not known */
gboolean hiera_known_memory_bounds(const HieraKnownMemory *memory, guint64 address, guint64 *begin, guint64 *end);
/* The address that stands for a function or variable of a file that is not looked into, and the other way round. */
guint64 hiera_known_memory_address_of(HieraKnownMemory *memory, const char *name);
const char *hiera_known_memory_name_at(const HieraKnownMemory *memory, guint64 address);

#endif
