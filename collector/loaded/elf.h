/* Questions about an ELF file of this machine's class; the libraries that it needs are not examined. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct HieraElf {
    const unsigned char *bytes; /* content of the file, mapped */
    size_t size;
} HieraElf;

/* Map a file. Returns false if it cannot be read or is not an ELF file of this machine. */
bool hiera_elf_open(const char *path, HieraElf *elf);
void hiera_elf_close(HieraElf *elf);

/* Path of the dynamic linker that the file asks for (PT_INTERP); NULL: none. */
const char *hiera_elf_loader(const HieraElf *elf);

/* Whether the file is a statically linked program, into which nothing can be preloaded. */
bool hiera_elf_is_static(const HieraElf *elf);

/* Soname of the first library that the file itself needs (DT_NEEDED) and that `fits` accepts; NULL: none. */
const char *hiera_elf_needs(const HieraElf *elf, bool (*fits)(const char *soname));

/* Whether the file has an undefined symbol whose name `fits` accepts. */
bool hiera_elf_calls(const HieraElf *elf, bool (*fits)(const char *name));

/* Address of the first occurrence of `text` in the mapped file; NULL: none. */
const char *hiera_elf_find(const HieraElf *elf, const char *text);

/* Whether this is the soname of an MPI library, such as libmpi.so.40 or libmpich.so.12. */
bool hiera_elf_is_mpi(const char *soname);

/* Soname of the MPI library that the file at this path needs directly; NULL: none. The file stays mapped. */
const char *hiera_elf_mpi_of(const char *path);
