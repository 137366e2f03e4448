/* One file as the dynamic linker sees it: what it needs, and what it defines under which name. The file is not read as
 * a whole, and may be damaged: nothing is believed that was not checked. */
#ifndef HIERA_IMAGE_LINKED_FILE_H
#define HIERA_IMAGE_LINKED_FILE_H

#include "image/object/object.h"

typedef struct HieraLinkedFile HieraLinkedFile;

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

const char *hiera_linked_file_path(const HieraLinkedFile *file);
guint hiera_linked_file_machine(const HieraLinkedFile *file);
/* Its own name; NULL if it has none. */
const char *hiera_linked_file_soname(const HieraLinkedFile *file);
/* const char *: names of the libraries that it needs. */
const GPtrArray *hiera_linked_file_needed(const HieraLinkedFile *file);
/* Folders to look for them; NULL: none. If there is a RUNPATH, RPATH is NULL. */
const char *hiera_linked_file_rpath(const HieraLinkedFile *file);
const char *hiera_linked_file_runpath(const HieraLinkedFile *file);
/* Whether it looks in itself first (-Bsymbolic). */
gboolean hiera_linked_file_is_symbolic(const HieraLinkedFile *file);

/* What a file wants where it uses a name. */
typedef struct {
    const char *version;   /* NULL: any */
    gboolean is_weak;      /* it need not be there */
    gboolean is_ambiguous; /* it uses several versions */
} HieraReference;
HieraReference hiera_linked_file_reference(HieraLinkedFile *file, const char *name);

/* Find what a file defines under a name. @param version  NULL: any. @return whether it does */
gboolean hiera_linked_file_find(const HieraLinkedFile *file, const char *name, const char *version,
                                HieraDefinition *found);

#endif
