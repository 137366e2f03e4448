/* What an ELF file of this machine says of itself: its own tables, without those of the libraries that it needs. */
#ifndef HIERA_RUN_ELF_H
#define HIERA_RUN_ELF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct HieraElf {
    const unsigned char *bytes; /* the file, mapped */
    size_t size;
} HieraElf;

/* False if it cannot be read or is no ELF file of this machine. */
bool hiera_elf_open(const char *path, HieraElf *elf);
void hiera_elf_close(HieraElf *elf);

/* The dynamic loader that it asks for, or NULL. */
const char *hiera_elf_loader(const HieraElf *elf);

/* A program into which nothing can be preloaded. */
bool hiera_elf_is_static(const HieraElf *elf);

/* The first library that it needs itself for which `fits` is true, by its soname; or NULL. */
const char *hiera_elf_needs(const HieraElf *elf, bool (*fits)(const char *soname));

/* Does it need a function from elsewhere for whose name `fits` is true? */
bool hiera_elf_calls(const HieraElf *elf, bool (*fits)(const char *name));

/* Where `text` stands in the file, or NULL. */
const char *hiera_elf_find(const HieraElf *elf, const char *text);

#endif
