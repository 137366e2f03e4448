/* A plan: instructions for moving functions of a file to copies that time their loops. hiera-image writes it
 * (image/move/), the collector applies it in the traced program (collector/loops/). It is one block of memory: all
 * positions are offsets from its begin.
 *
 * Addresses of the file are offsets from its first page in memory. All copies together are the area: it begins with
 * pointers to the code that copies call at events and to the personality routine for exceptions (HieraPlanUnwound),
 * followed by the instructions of the copies and their data for exceptions. The collector places it within 2 GB of the
 * file. */
#ifndef HIERA_PLAN_H
#define HIERA_PLAN_H

#include <stdint.h>

#define HIERA_PLAN_MAGIC "HIERAPL2"

enum { HIERA_PLAN_BUILD = 32 };

/* Maximum number of loops of a plan: each has a counter in every thread. */
enum { HIERA_PLAN_LOOPS = 64 };

/* A part of the plan: n elements at `at`. */
typedef struct HieraPlanPart {
    uint32_t at, n;
} HieraPlanPart;

/* Offset in `texts` of a text that ends with a NUL. 0: none. */
typedef uint32_t HieraPlanText;

typedef struct HieraPlan {
    char magic[8];  /* HIERA_PLAN_MAGIC, without its NUL */
    uint32_t bytes; /* size of the plan */
    uint32_t build_bytes;
    uint8_t build[HIERA_PLAN_BUILD]; /* build id of the file */
    HieraPlanText path;              /* path of the file */
    uint32_t unused;
    HieraPlanPart functions; /* array of HieraPlanFunction */
    HieraPlanPart loops;     /* HieraPlanLoop; for each function, outer loops come before their inner loops */
    HieraPlanPart refused;   /* array of HieraPlanRefused */
    HieraPlanPart ranges;    /* HieraPlanRange: bytes that must be in memory as they are in the file */
    HieraPlanPart patches;   /* array of HieraPlanPatch */
    HieraPlanPart fixups;    /* array of HieraPlanFixup, for the area and for the frames */
    HieraPlanPart places;    /* array of HieraPlanPlace, sorted by `copy` */
    HieraPlanPart area;      /* bytes of the area */
    HieraPlanPart frames;    /* bytes: an .eh_frame for the area, with its terminator */
    HieraPlanPart texts;     /* bytes of texts; the first and the last are NUL */
} HieraPlan;

typedef struct HieraPlanFunction {
    HieraPlanText name, file; /* as in the source; no file: not known */
    uint32_t first, last;     /* first and last line; 0: not known */
    uint32_t begin, end;      /* offsets in the file of its first range */
    uint32_t loop, n_loops;   /* index of its first loop; number of its loops */
} HieraPlanFunction;

/* `parent` of an outermost loop. (The enclosing loop is always one of the same function.) */
enum { HIERA_PLAN_NO_LOOP = UINT32_MAX };

typedef struct HieraPlanLoop {
    uint32_t function, parent; /* parent: index of the enclosing loop, or HIERA_PLAN_NO_LOOP */
    HieraPlanText file;
    uint32_t first, last;
    uint32_t begin, end;  /* offsets in the file of its first instruction, and behind its last one */
    uint32_t irreducible; /* 1 if it can be entered at several places */
    uint32_t is_timed;    /* 0 if it is nested deeper than requested */
} HieraPlanLoop;

/* A requested function that cannot be moved. */
typedef struct HieraPlanRefused {
    HieraPlanText name, reason;
} HieraPlanRefused;

/* A function is requested as NAME, or as this prefix and ADDRESS, an offset from the first page of the file; to time
 * only outer loops, `/` and the depth of the innermost ones follow: "compute/2". */
#define HIERA_PLAN_ADDRESS "+0x"
#define HIERA_PLAN_DEPTH   '/'

typedef struct HieraPlanRange {
    uint32_t offset, at, n; /* n bytes at `at` of the plan are at `offset` of the file */
} HieraPlanRange;

/* A redirection in the file: a jump to an offset in the area replaces bytes that are in one of the ranges. */
typedef struct HieraPlanPatch {
    uint32_t offset, copy;
} HieraPlanPatch;
enum { HIERA_PLAN_JUMP = 5 }; /* size of a jump in bytes */

/* Offsets of the pointers in the area. */
enum { HIERA_PLAN_EVENT_AT = 0, HIERA_PLAN_UNWIND_AT = 8, HIERA_PLAN_POINTERS = 16 };

/* The personality routine of copies receives one of these in the area, in addition to its usual arguments. It acts as
 * the original function's routine and, if the exception leaves the copy, calls the event. */
typedef struct HieraPlanUnwound {
    int32_t routine; /* offset from here of the original's routine, or of a pointer to it; 0: it has none */
    uint32_t is_pointer;
    uint32_t event; /* the event that ends the function */
} HieraPlanUnwound;

typedef enum HieraPlanFixupKind {
    HIERA_PLAN_FILE_32,    /* 4 bytes of the area: the distance from `end` in the area to `target` in the file */
    HIERA_PLAN_AREA_64,    /* 8 bytes of the frames: the address of `target` in the area */
    HIERA_PLAN_EVENT_32,   /* 4 bytes of the area: the event of kind `end` of function or loop `target` */
    HIERA_PLAN_COUNTER_32, /* 4 bytes of the area: the offset of the counter of loop `target` from the thread pointer */
} HieraPlanFixupKind;

typedef struct HieraPlanFixup {
    uint32_t kind, at, end;
    int32_t target;
} HieraPlanFixup;

/* n bytes of the file at `offset`, which were copied to `copy` in the area; instructions that were added behind them
 * belong to them. */
typedef struct HieraPlanPlace {
    uint32_t copy, offset, n;
} HieraPlanPlace;

/* Events of a function or of a loop. */
typedef enum HieraPlanEvent {
    HIERA_PLAN_FUNCTION_IN,
    HIERA_PLAN_FUNCTION_OUT,
    HIERA_PLAN_CALL, /* the function calls another function; `number` is the caller */
    HIERA_PLAN_BACK, /* the called function has returned */
    HIERA_PLAN_LOOP_IN,
    HIERA_PLAN_LOOP_OUT,
    HIERA_PLAN_EVENTS = 8
} HieraPlanEvent;

/* An event as one number. The collector gives functions and loops new numbers, so that events of several plans differ.
 */
static inline uint32_t hiera_plan_event(HieraPlanEvent kind, uint32_t number)
{
    return number * HIERA_PLAN_EVENTS + kind;
}

#endif
