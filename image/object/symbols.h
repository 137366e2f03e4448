/* What symbols.c and dynamic.c share: one symbol, one relocation. */
#ifndef HIERA_IMAGE_SYMBOLS_H
#define HIERA_IMAGE_SYMBOLS_H

#include "object.h"
#include <gelf.h>

/* Add a symbol if it is a function of the file. @param name  NULL: it has none, and is not added */
void hiera_symbol_add(HieraObject *object, const GElf_Sym *symbol, const char *name);
/* @param name  of its symbol; NULL if it has none */
void hiera_relocation_add(HieraObject *object, const GElf_Rela *relocation, const char *name);
/* A table of packed relocations (RELR). */
void hiera_packed_relocations_read(HieraObject *object, guint64 table, guint64 size);
/* Read the tables that the dynamic linker is told of. */
void hiera_dynamic_read(HieraObject *object);

#endif
