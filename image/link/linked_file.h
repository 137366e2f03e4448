/* One file as the dynamic linker sees it: the libraries it needs, and the symbols it defines under which name. The file
 * is not read as a whole, and may be damaged: everything read is checked. */
#pragma once

#include "image/object/dynamic_table.h"

typedef struct {
    char *path;
    guint machine;               /* machine of the file: EM_X86_64, … */
    const char *soname;          /* name that the library gives itself (DT_SONAME); NULL if it has none */
    GPtrArray *needed;           /* const char *: names of the libraries that the file needs */
    const char *rpath, *runpath; /* folders of needed libraries; NULL: none. If there is a RUNPATH, RPATH is NULL */
    gboolean is_symbolic;        /* whether a symbol is looked for in this file first (-Bsymbolic) */
    /* The fields below are for linked_file.c only. */
    HieraDynamicTable table;
    Elf_Data *symbols, *versions; /* tables of the file; NULL: there are none */
    GPtrArray *version_names;     /* const char *, by number of the version; NULL: it has no name */
    GHashTable *by_name;          /* name → number of the first symbol with this name; NULL: not made yet */
    guint *next;                  /* number of a symbol → number of the next symbol with the same name; 0: none */
} HieraLinkedFile;

/* The definition of a name in a file. */
typedef struct {
    guint64 address; /* address as written in the file */
    guint64 size;
    guint8 type; /* type of the symbol: STT_FUNC, STT_OBJECT, … */
} HieraDefinition;

/* @param machine  required machine: EM_X86_64, …; 0: any. @return NULL if the file cannot be used; to be freed with
 * hiera_linked_file_free */
HieraLinkedFile *hiera_linked_file_open(const char *path, guint machine);
void hiera_linked_file_free(HieraLinkedFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLinkedFile, hiera_linked_file_free)

/* The reference of a file to a name. */
typedef struct {
    const char *version;   /* wanted version of the name; NULL: any */
    gboolean is_weak;      /* weak: the name need not be defined */
    gboolean is_ambiguous; /* whether the file refers to several versions of the name */
} HieraReference;
HieraReference hiera_linked_file_reference(HieraLinkedFile *file, const char *name);

/* Find the definition of a name in a file. @param version  NULL: any. @return whether there is one */
gboolean hiera_linked_file_find(HieraLinkedFile *file, const char *name, const char *version, HieraDefinition *found);
