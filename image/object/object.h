/* An ELF file: what lies at an address, and which functions its tables name. Executables and shared libraries of x86-64
 * and aarch64. Files may be damaged: nothing is believed that was not checked.
 *
 * All addresses are those at which the file is loaded: `base` is in them. */
#ifndef HIERA_IMAGE_OBJECT_H
#define HIERA_IMAGE_OBJECT_H

#include <elfutils/libdw.h>
#include <glib.h>
#include <libelf.h>

#define HIERA_IMAGE_ERROR (hiera_image_error_quark())
GQuark hiera_image_error_quark(void);

typedef enum { HIERA_MACHINE_X86_64, HIERA_MACHINE_AARCH64 } HieraArchitecture;

/* Bytes of the file that are in memory from an address on. */
typedef struct {
    guint64 address;
    gsize n_bytes, n_memory; /* behind the bytes of the file there are zeros, up to n_memory */
    const guint8 *bytes;
    gboolean executable, writable;
} HieraSegment;

/* A section with code. */
typedef struct {
    guint64 begin, end;
    gboolean stubs; /* calls of functions in other libraries (.plt) */
} HieraCodeSection;

/* A function as a table of symbols or of frames has it. */
typedef struct {
    guint64 address, size; /* size 0: not known */
    const char *name;      /* NULL in a table of frames */
    guint64 lsda;          /* in a table of frames: address of its table of landing pads; 0: it has none */
    guint64 description;   /* in a table of frames: where in .eh_frame it is */
    gboolean global;
} HieraSymbol;
/* There is one, but it is not known where. */
#define HIERA_LSDA_UNREADABLE G_MAXUINT64

typedef struct {
    char *path;
    guint8 *contents;
    gsize n_bytes;
    Elf *elf;
    Dwarf_CFI *frame_rules; /* NULL: there are none */
    HieraArchitecture machine;
    guint64 base; /* is added to the addresses that are in the file; 0: it is loaded as it is */
    guint64 entry;
    guint64 frames_header;    /* address of what PT_GNU_EH_FRAME names; 0: there is none */
    gboolean has_sections;    /* it has section headers: `sections` tells code from stubs */
    gboolean is_linked_alone; /* a program that no dynamic linker completes */
    gboolean is_fixed;        /* it is loaded at its addresses: they may be in it without relocations */
    char *build_id;           /* hexadecimal, NULL if there is none */
    GArray *segments;         /* HieraSegment */
    guint64 fixed_begin,
        fixed_end;        /* of a segment that can be written, what nobody can write once it is loaded (relro) */
    GArray *sections;     /* HieraCodeSection; without section headers: the executable segments */
    GArray *symbols;      /* HieraSymbol, sorted by address */
    GArray *variables;    /* HieraSymbol: data of a known size, sorted by address */
    GArray *frames;       /* HieraSymbol, sorted by address */
    GHashTable *imports;  /* address of a pointer, as guint64 → name of the function that the linker puts there */
    GHashTable *addends;  /* address of such a pointer, as guint64 → guint64: what is added to it, if that is not 0 */
    GHashTable *copies;   /* name of a variable of another file that this one has a copy of → guint64: its address */
    GHashTable *pointers; /* address of a pointer, as guint64 → guint64: address of code in this file that it is
                             relocated      to */
    GHashTable *data_pointers; /* likewise, to data; if the base is 0, not those of packed
                                  relocations, which are in the bytes */
} HieraObject;

/* Read a file.
 *
 * @return the object, to be freed with hiera_object_free; NULL with an error if the file is no ELF file of these kinds,
 * is damaged, or has no code */
HieraObject *hiera_object_open(const char *path, GError **error);
/* The same of a shared library that is loaded at an address, a multiple of the size of pages below 2^47; a file that
 * must be at its own addresses has base 0. */
HieraObject *hiera_object_open_at(const char *path, guint64 base, GError **error);
void hiera_object_free(HieraObject *object);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraObject, hiera_object_free)

/* Return the bytes at an address, NULL if there are fewer than `n`.
 * @param available  receives how many there are; may be NULL */
const guint8 *hiera_object_bytes(const HieraObject *object, guint64 address, gsize n, gsize *available);

/* Read a number of 1, 2, 4 or 8 bytes, little-endian. */
gboolean hiera_object_number(const HieraObject *object, guint64 address, guint size, gboolean is_signed,
                             gint64 *number);

/* Return the address of the first page of the file in memory. */
guint64 hiera_object_first_page(const HieraObject *object);

/* Return the variable that has an address, NULL if none of a known size has. */
const HieraSymbol *hiera_object_variable(const HieraObject *object, guint64 address);

/* Whether bytes do not change while the program runs. */
gboolean hiera_object_is_constant(const HieraObject *object, guint64 address, guint64 n);

/* Return the section with code that has an address, NULL if there is none. */
const HieraCodeSection *hiera_object_section(const HieraObject *object, guint64 address);

/* Return what the table of frames has for an address, NULL if there is nothing. */
const HieraSymbol *hiera_object_frame(const HieraObject *object, guint64 address);

/* Whether .eh_frame says that the function which is at an address has no stack frame there: not yet, or no more. */
gboolean hiera_object_has_no_frame(const HieraObject *object, guint64 address);

/* Fill `frames` from .eh_frame. */
void hiera_frames_read(HieraObject *object);
/* Fill `symbols`, `variables`, `imports`, `addends`, `copies`, `pointers` and `data_pointers`. */
void hiera_object_read_symbols(HieraObject *object);

#endif
