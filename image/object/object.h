/* An ELF file: the bytes at an address, and the functions that its tables name. Executables and shared libraries of
 * x86-64 and aarch64. Files may be damaged, so everything read is checked.
 *
 * All addresses are those at which the file is loaded: `base` is added. */
#pragma once

#include <elfutils/libdw.h>
#include <glib.h>
#include <libelf.h>

#define HIERA_IMAGE_ERROR (hiera_image_error_quark())
GQuark hiera_image_error_quark(void);

typedef enum { HIERA_MACHINE_X86_64, HIERA_MACHINE_AARCH64 } HieraArchitecture;

/* Bytes of the file that are loaded from an address on. */
typedef struct {
    guint64 address;
    gsize n_bytes, n_memory; /* the bytes of the file; zeros follow, up to n_memory */
    const guint8 *bytes;
    gboolean executable, writable;
} HieraSegment;

/* A section with code. */
typedef struct {
    guint64 begin, end;
    gboolean stubs; /* whether the section has stubs, which call functions of other libraries (.plt) */
} HieraCodeSection;

/* A function, as a symbol table or a table of frames describes it. */
typedef struct {
    guint64 address, size; /* size 0: not known */
    const char *name;      /* name of the function; NULL in a table of frames */
    guint64 lsda;          /* in a table of frames: address of the function's table of landing pads; 0: none */
    guint64 description;   /* in a table of frames: position of the function's entry in .eh_frame */
    gboolean global;
} HieraSymbol;
/* Value of `lsda`: there is a table of landing pads, but its address is not known. */
#define HIERA_LSDA_UNREADABLE G_MAXUINT64

typedef struct {
    char *path;
    guint8 *contents;
    gsize n_bytes;
    Elf *elf;
    Dwarf_CFI *frame_rules; /* unwind rules of .eh_frame; NULL: there are none */
    HieraArchitecture machine;
    guint64 base; /* load address, which is added to the addresses in the file; 0: these are used as they are */
    guint64 entry;
    guint64 frames_header;    /* address of the header that PT_GNU_EH_FRAME names; 0: there is none */
    gboolean has_sections;    /* whether the file has section headers, so that `sections` separates code from stubs */
    gboolean is_linked_alone; /* whether the program is statically linked: no dynamic linker completes it */
    gboolean is_fixed; /* whether the file is loaded at fixed addresses: it may contain addresses without relocations */
    char *build_id;    /* build id in hexadecimal; NULL if there is none */
    GArray *segments;  /* HieraSegment */
    guint64 fixed_begin, fixed_end; /* range of a writable segment that becomes read-only once it is loaded (relro) */
    GArray *sections;               /* HieraCodeSection; without section headers: the executable segments */
    GArray *symbols;                /* HieraSymbol: functions of symbol tables, sorted by address */
    GArray *variables;              /* HieraSymbol: data of a known size, sorted by address */
    GArray *frames;                 /* HieraSymbol: entries of .eh_frame, sorted by address */
    GHashTable *imports; /* guint64: address of a pointer → name of the function whose address the linker puts there */
    GHashTable *thread_words; /* addresses of words that say where variables of threads are; the linker writes them */
    GHashTable *addends; /* address of a pointer in `imports` → guint64: number added to the function's address */
    GHashTable *copies; /* name of another file's variable that is copied to this file → guint64: address of the copy */
    GHashTable *pointers; /* address of a pointer, as guint64 → guint64: address of code in this file to which it is
                             relocated */
    GHashTable *data_pointers; /* as `pointers`, but to data; if the base is 0, without pointers of packed
                                  relocations, which are in the bytes */
} HieraObject;

/* Read a file.
 *
 * @return the object, to be freed with hiera_object_free; NULL with an error if the file is no ELF file of these kinds,
 * is damaged, or has no code */
HieraObject *hiera_object_open(const char *path, GError **error);
/* Read a shared library as if loaded at an address, a multiple of the page size below 2^47. A file with fixed addresses
 * gets base 0. */
HieraObject *hiera_object_open_at(const char *path, guint64 base, GError **error);
void hiera_object_free(HieraObject *object);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraObject, hiera_object_free)

/* Return the bytes at an address, NULL if there are fewer than `n`.
 * @param available  receives the number of bytes available; may be NULL */
const guint8 *hiera_object_bytes(const HieraObject *object, guint64 address, gsize n, gsize *available);

/* Read a number of 1, 2, 4 or 8 bytes, little-endian. */
gboolean hiera_object_number(const HieraObject *object, guint64 address, guint size, gboolean is_signed,
                             gint64 *number);

/* Return the address of the first page of the file in memory. */
guint64 hiera_object_first_page(const HieraObject *object);

/* Return the variable of known size that contains an address, NULL if there is none. */
const HieraSymbol *hiera_object_variable(const HieraObject *object, guint64 address);

/* Whether bytes cannot change while the program runs. */
gboolean hiera_object_is_constant(const HieraObject *object, guint64 address, guint64 n);

/* Find a table of functions that the dynamic linker calls before or behind the program.
 * @param tag, tag_size  DT_INIT_ARRAY, … and the tag of its size. @return the number of its elements, 0: there is none
 */
guint64 hiera_object_calls(const HieraObject *object, gint64 tag, gint64 tag_size, guint64 *begin);

/* Return the section of code that contains an address, NULL if there is none. */
const HieraCodeSection *hiera_object_section(const HieraObject *object, guint64 address);

/* Return the entry of the table of frames for an address, NULL if there is none. */
const HieraSymbol *hiera_object_frame(const HieraObject *object, guint64 address);

/* Whether .eh_frame says that the function has no stack frame yet, or no more, at an address. */
gboolean hiera_object_has_no_frame(const HieraObject *object, guint64 address);

/* Fill `frames` from .eh_frame. */
void hiera_frames_read(HieraObject *object);
/* Fill `symbols`, `variables`, `imports`, `addends`, `copies`, `pointers` and `data_pointers`. */
void hiera_object_read_symbols(HieraObject *object);
