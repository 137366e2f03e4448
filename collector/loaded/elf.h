/* Questions about an ELF file of this machine's class; the libraries that it needs are not examined. */
#pragma once

#include <link.h>
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

/* Whether the file itself has the function `name` for others. */
bool hiera_elf_has(const HieraElf *elf, const char *name);

/* Call `visit` for each symbol of the table that `strip` removes, in its order. False if the file has none. */
typedef void HieraElfVisitor(const ElfW(Sym) * symbol, const char *name, void *data);
bool hiera_elf_each_symbol(const HieraElf *elf, HieraElfVisitor *visit, void *data);

/* Address of the first occurrence of `text` in the mapped file; NULL: none. */
const char *hiera_elf_find(const HieraElf *elf, const char *text);

/* Whether this is the soname of an MPI library, such as libmpi.so.40, libmpich.so.12 or libmpi_abi.so.1. */
bool hiera_elf_is_mpi(const char *soname);

/* Whether it is that of a library with the ABI of MPI 5.0. */
bool hiera_elf_is_abi(const char *soname);

/* Whether two MPI libraries have the same handles and constants. */
bool hiera_elf_is_same_mpi(const char *soname, const char *other);

/* Whether this is the file name or soname of libhiera-abi, which needs no MPI library: it uses that of the program. */
bool hiera_elf_is_abi_collector(const char *name);

/* Soname of the MPI library that the file at this path needs directly, or of the ABI's for libhiera-abi; NULL: none.
 * The file stays mapped. */
const char *hiera_elf_mpi_of(const char *path);
