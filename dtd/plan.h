/* A plan: how functions of a file are moved to copies that time their loops. hiera-image writes it (image/move/), the
 * collector applies it in the traced program (collector/loops/). It is one block of memory: all positions are counted
 * from its begin.
 *
 * Addresses of the file are offsets from its first page in memory. All copies together are the area: it begins with
 * pointers to the code that events call and to the routine that exceptions call (HieraPlanUnwound), then come their
 * instructions and what exceptions do in them. The collector puts it within 2 GB of the file. */
#ifndef HIERA_PLAN_H
#define HIERA_PLAN_H

#include <stdint.h>

#define HIERA_PLAN_MAGIC "HIERAPL2"

enum { HIERA_PLAN_BUILD = 32 };

/* The most loops of a plan: each has a counter in every thread. */
enum { HIERA_PLAN_LOOPS = 64 };

/* A part of the plan: n elements at `at`. */
typedef struct HieraPlanPart {
    uint32_t at, n;
} HieraPlanPart;

/* A text that ends with a NUL: its position in the part of the texts. 0: none. */
typedef uint32_t HieraPlanText;

typedef struct HieraPlan {
    char magic[8];  /* HIERA_PLAN_MAGIC, without its NUL */
    uint32_t bytes; /* of the plan */
    uint32_t build_bytes;
    uint8_t build[HIERA_PLAN_BUILD]; /* build id of the file */
    HieraPlanText path;              /* of the file */
    uint32_t unused;
    HieraPlanPart functions; /* HieraPlanFunction */
    HieraPlanPart loops;     /* HieraPlanLoop: of each function a loop before those inside it */
    HieraPlanPart refused;   /* HieraPlanRefused */
    HieraPlanPart ranges;    /* HieraPlanRange: bytes that must be in memory as they are in the file */
    HieraPlanPart patches;   /* HieraPlanPatch */
    HieraPlanPart fixups;    /* HieraPlanFixup, of the area and of the frames */
    HieraPlanPart places;    /* HieraPlanPlace, by `copy` */
    HieraPlanPart area;      /* bytes */
    HieraPlanPart frames;    /* bytes: an .eh_frame of the area, with its end */
    HieraPlanPart texts;     /* bytes; the first and the last are NUL */
} HieraPlan;

typedef struct HieraPlanFunction {
    HieraPlanText name, file; /* as the source has them; no file: not known */
    uint32_t first, last;     /* lines; 0: not known */
    uint32_t begin, end;      /* offsets in the file, of its first range */
    uint32_t loop, n_loops;   /* its first loop */
} HieraPlanFunction;

/* The loop around a loop is one of the same function. */
enum { HIERA_PLAN_NO_LOOP = UINT32_MAX };

typedef struct HieraPlanLoop {
    uint32_t function, parent; /* parent: its number in the plan, or HIERA_PLAN_NO_LOOP */
    HieraPlanText file;
    uint32_t first, last;
    uint32_t begin, end;  /* offsets in the file: of its first instruction, and behind its last one */
    uint32_t irreducible; /* 1: it is entered at several places */
    uint32_t is_timed;    /* 0: it lies deeper than was asked for */
} HieraPlanLoop;

/* A function that was asked for and is left alone. */
typedef struct HieraPlanRefused {
    HieraPlanText name, reason;
} HieraPlanRefused;

/* A function is asked for as NAME, or as ADDRESS, an offset from the first page of the file, with this before it; then,
 * for the outer loops alone, the depth of the innermost ones: "compute/2". */
#define HIERA_PLAN_ADDRESS "+0x"
#define HIERA_PLAN_DEPTH   '/'

typedef struct HieraPlanRange {
    uint32_t offset, at, n; /* n bytes at `at` of the plan are at `offset` of the file */
} HieraPlanRange;

/* Where the file is redirected: a jump to a place in the area. The bytes there are in one of the ranges. */
typedef struct HieraPlanPatch {
    uint32_t offset, copy;
} HieraPlanPatch;
enum { HIERA_PLAN_JUMP = 5 }; /* bytes of a jump */

/* Positions in the area: the pointers. */
enum { HIERA_PLAN_EVENT_AT = 0, HIERA_PLAN_UNWIND_AT = 8, HIERA_PLAN_POINTERS = 16 };

/* The personality routine of copies gets, in addition to what such routines get, one of these in the area: it does what
 * the routine of the original does, and if the exception leaves the copy, tells the event. */
typedef struct HieraPlanUnwound {
    int32_t routine; /* of the original, or a pointer to it: its distance from here; 0: it has none */
    uint32_t is_pointer;
    uint32_t event; /* the end of the function */
} HieraPlanUnwound;

typedef enum HieraPlanFixupKind {
    HIERA_PLAN_FILE_32,    /* 4 bytes of the area: the distance from `end` of the area to `target` of the file */
    HIERA_PLAN_AREA_64,    /* 8 bytes of the frames: the address of `target` in the area */
    HIERA_PLAN_EVENT_32,   /* 4 bytes of the area: the event of kind `end` of function or loop `target` */
    HIERA_PLAN_COUNTER_32, /* 4 bytes of the area: the distance of the counter of loop `target` from a thread's pointer
                            */
} HieraPlanFixupKind;

typedef struct HieraPlanFixup {
    uint32_t kind, at, end;
    int32_t target;
} HieraPlanFixup;

/* What an instruction of the area, with all that was added behind it, is a copy of: n bytes of the file. */
typedef struct HieraPlanPlace {
    uint32_t copy, offset, n;
} HieraPlanPlace;

/* What happens, to a function or to a loop. */
typedef enum HieraPlanEvent {
    HIERA_PLAN_FUNCTION_IN,
    HIERA_PLAN_FUNCTION_OUT,
    HIERA_PLAN_CALL, /* of another function; of the function */
    HIERA_PLAN_BACK, /* from there */
    HIERA_PLAN_LOOP_IN,
    HIERA_PLAN_LOOP_OUT,
    HIERA_PLAN_EVENTS = 8
} HieraPlanEvent;

/* An event as a number: those of several plans are told apart, since the collector numbers functions and loops anew. */
static inline uint32_t hiera_plan_event(HieraPlanEvent kind, uint32_t number)
{
    return number * HIERA_PLAN_EVENTS + kind;
}

#endif
