/* Functions shared by symbols.c and dynamic.c: add one symbol, one relocation. */
#pragma once

#include "object.h"
#include <gelf.h>

/* Add a symbol if it is a function of the file. @param name  NULL: the symbol has no name, and is not added */
void hiera_symbol_add(HieraObject *object, const GElf_Sym *symbol, const char *name);
/* Add a relocation. @param name  name of its symbol; NULL if it has none */
void hiera_relocation_add(HieraObject *object, const GElf_Rela *relocation, const char *name);
/* Read a table of packed relocations (RELR). */
void hiera_packed_relocations_read(HieraObject *object, guint64 table, guint64 size);
/* Read symbols and relocations from the tables for the dynamic linker, which need no section headers. */
void hiera_dynamic_read(HieraObject *object);
