/* Facts about one ELF file of this machine; the libraries that it needs are not examined. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct HieraElf {
    const unsigned char *bytes; /* the file, mapped */
    size_t size;
} HieraElf;

/* Map a file. Returns false if it cannot be read or is not an ELF file of this machine. */
bool hiera_elf_open(const char *path, HieraElf *elf);
void hiera_elf_close(HieraElf *elf);

/* Path of the dynamic loader that the file asks for, or NULL. */
const char *hiera_elf_loader(const HieraElf *elf);

/* True for a static program: nothing can be preloaded into it. */
bool hiera_elf_is_static(const HieraElf *elf);

/* Soname of the first library that the file itself needs and for which `fits` returns true; or NULL. */
const char *hiera_elf_needs(const HieraElf *elf, bool (*fits)(const char *soname));

/* True if the file has an undefined function symbol for whose name `fits` returns true. */
bool hiera_elf_calls(const HieraElf *elf, bool (*fits)(const char *name));

/* Address of the first occurrence of `text` in the mapped file, or NULL. */
const char *hiera_elf_find(const HieraElf *elf, const char *text);

/* True for the soname of an MPI library (libmpi.so.40, libmpich.so.12). */
bool hiera_elf_is_mpi(const char *soname);

/* Soname of the MPI library that the file at this path needs directly, or NULL. The file stays mapped. */
const char *hiera_elf_mpi_of(const char *path);
