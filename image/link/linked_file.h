/* One file as the dynamic linker sees it: what it needs, and what it defines under which name. The file is not read as
 * a whole, and may be damaged: nothing is believed that was not checked. */
#ifndef HIERA_IMAGE_LINKED_FILE_H
#define HIERA_IMAGE_LINKED_FILE_H

#include "image/object/dynamic_table.h"

typedef struct {
    char *path;
    guint machine;               /* EM_X86_64, … */
    const char *soname;          /* its own name; NULL if it has none */
    GPtrArray *needed;           /* const char *: names of the libraries that it needs */
    const char *rpath, *runpath; /* folders to look for them; NULL: none. If there is a RUNPATH, RPATH is NULL */
    gboolean is_symbolic;        /* it looks in itself first (-Bsymbolic) */
    /* For linked_file.c alone. */
    HieraDynamicTable table;
    Elf_Data *symbols, *versions; /* NULL: there are none */
    GPtrArray *version_names;     /* const char *, by number; NULL: it has no name */
    GHashTable *by_name;          /* name → number of the first symbol that has it; NULL: not made yet */
    guint *next;                  /* number of a symbol → that of the next one with its name; 0: there is none */
} HieraLinkedFile;

/* What a file defines under a name. */
typedef struct {
    guint64 address; /* in the numbering of the file */
    guint64 size;
    guint8 type; /* STT_FUNC, STT_OBJECT, … */
} HieraDefinition;

/* @param machine  that it must be for: EM_X86_64, …; 0: any. @return NULL if it is no file for this; to be freed with
 * hiera_linked_file_free */
HieraLinkedFile *hiera_linked_file_open(const char *path, guint machine);
void hiera_linked_file_free(HieraLinkedFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLinkedFile, hiera_linked_file_free)

/* What a file wants where it uses a name. */
typedef struct {
    const char *version;   /* NULL: any */
    gboolean is_weak;      /* it need not be there */
    gboolean is_ambiguous; /* it uses several versions */
} HieraReference;
HieraReference hiera_linked_file_reference(HieraLinkedFile *file, const char *name);

/* Find what a file defines under a name. @param version  NULL: any. @return whether it does */
gboolean hiera_linked_file_find(HieraLinkedFile *file, const char *name, const char *version, HieraDefinition *found);

#endif
