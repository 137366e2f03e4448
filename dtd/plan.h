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

#define HIERA_PLAN_MAGIC "HIERAPL6"

enum { HIERA_PLAN_BUILD = 32 };

/* Maximum number of loops in a plan. */
enum { HIERA_PLAN_LOOPS = 64 };

/* An array in the plan: n elements, from offset `at` of the plan on. */
typedef struct HieraPlanPart {
    uint32_t at, n;
} HieraPlanPart;

/* Offset in the part `texts` of a text that ends with a NUL; 0: no text. */
typedef uint32_t HieraPlanText;

typedef struct HieraPlan {
    char magic[8];  /* the characters of HIERA_PLAN_MAGIC, without a NUL */
    uint32_t bytes; /* size of the whole plan */
    uint32_t build_bytes;
    uint8_t build[HIERA_PLAN_BUILD]; /* build id of the file whose functions are moved */
    HieraPlanText path;              /* path of the file whose functions are moved */
    uint32_t unused;
    HieraPlanPart functions; /* array of HieraPlanFunction */
    HieraPlanPart loops;     /* array of HieraPlanLoop; outer loops of a function come before their inner loops */
    HieraPlanPart refused;   /* array of HieraPlanRefused */
    HieraPlanPart ranges;    /* array of HieraPlanRange: bytes that memory and file must have in common */
    HieraPlanPart patches;   /* array of HieraPlanPatch */
    HieraPlanPart fixups;    /* array of HieraPlanFixup, for the area and for the frames */
    HieraPlanPart places;    /* array of HieraPlanPlace, sorted by `copy` */
    HieraPlanPart area;      /* bytes of the area, with the copies */
    HieraPlanPart frames;    /* bytes of an .eh_frame for the copies in the area, with its terminator */
    HieraPlanPart texts;     /* bytes of all texts; the first and the last byte are NUL */
} HieraPlan;

typedef struct HieraPlanFunction {
    HieraPlanText name, file; /* name and source file of the function; no file: not known */
    uint32_t first, last;     /* first and last source line of the function; 0: not known */
    uint32_t begin, end;    /* offsets in the file of the begin and end of the function's first range of instructions */
    uint32_t loop, n_loops; /* index of the function's first loop; number of its loops */
} HieraPlanFunction;

/* Value of `parent` for an outermost loop. (The enclosing loop is always a loop of the same function.) */
enum { HIERA_PLAN_NO_LOOP = UINT32_MAX };

typedef struct HieraPlanLoop {
    uint32_t function, parent; /* indices of the loop's function, and of the enclosing loop; or HIERA_PLAN_NO_LOOP */
    HieraPlanText file;
    uint32_t first, last;
    uint32_t begin, end;  /* offsets in the file of the loop's first instruction, and behind its last one */
    uint32_t irreducible; /* 1 if the loop can be entered at several instructions */
    uint32_t is_timed;    /* 0 if the loop is nested deeper than requested, so that it is not timed */
    uint32_t step;     /* what its counter gets for an iteration; 0: 1, by an instruction in memory in each iteration */
    uint32_t is_spare; /* 1: an instruction counts in each iteration, in a register that the loop does not use */
    uint32_t is_doubled; /* 1: it has two copies, one of which tells and counts nothing: see HIERA_PLAN_DOWN */
} HieraPlanLoop;

/* A function that was requested but cannot be moved, and the reason. */
typedef struct HieraPlanRefused {
    HieraPlanText name, reason;
    uint32_t begin, end; /* as those of HieraPlanFunction; both 0: there is no such function */
} HieraPlanRefused;

/* A function is requested as NAME, or as this prefix and ADDRESS, an offset from the first page of the file; to time
 * only outer loops, `/` and the depth of the innermost ones follow: "compute/2". */
#define HIERA_PLAN_ADDRESS "+0x"
#define HIERA_PLAN_DEPTH   '/'

typedef struct HieraPlanRange {
    uint32_t offset, at, n; /* n bytes at offset `at` of the plan must be at `offset` of the file in memory */
} HieraPlanRange;

/* A redirection: a jump to offset `copy` in the area replaces bytes in the file, which are in one of the ranges. */
typedef struct HieraPlanPatch {
    uint32_t offset, copy;
} HieraPlanPatch;
enum { HIERA_PLAN_JUMP = 5 }; /* number of bytes of a jump */

/* Offsets in the area of the pointers to the collector's functions; number of bytes of these pointers. */
enum { HIERA_PLAN_EVENT_AT = 0, HIERA_PLAN_UNWIND_AT = 8, HIERA_PLAN_POINTERS = 16 };

/* The personality routine of copies receives one of these in the area, in addition to its usual arguments. It acts as
 * the original function's routine and, if the exception leaves the copy, calls the event. */
typedef struct HieraPlanUnwound {
    int32_t routine; /* offset from here of the original personality routine, or of a pointer to it; 0: none */
    uint32_t is_pointer;
    uint32_t event; /* number of the event that ends the function (hiera_plan_event()) */
} HieraPlanUnwound;

typedef enum HieraPlanFixupKind {
    HIERA_PLAN_FILE_32,  /* 4 bytes of the area become the distance from `end` in the area to `target` in the file */
    HIERA_PLAN_AREA_64,  /* 8 bytes of the frames become the address of `target` in the area */
    HIERA_PLAN_EVENT_32, /* 4 bytes of the area become the event of kind `end` of the function or loop `target`; of a
                            call, `end` is HIERA_PLAN_CALL and its site, times HIERA_PLAN_SITE */
    HIERA_PLAN_LOCAL_32, /* 4 bytes of the area become the offset from the thread pointer of number `target` of the
                            kind `end` (HieraPlanLocal) */
} HieraPlanFixupKind;

/* Numbers of each thread that copies read and change without an event. */
typedef enum HieraPlanLocal {
    HIERA_PLAN_COUNT, /* 8 bytes for each loop: iterations, without the first one of each execution, times `step` */
    HIERA_PLAN_START, /* 8 bytes for each of HIERA_PLAN_STARTS: what changes in each iteration, as the loop began */
    HIERA_PLAN_DOWN,  /* 4 bytes for each loop: each execution takes 1 away; at 0 it is timed. Less than 0, for a loop
                         that is doubled: it is executed in the copy that counts nothing; when it goes around, it is
                         timed */
    HIERA_PLAN_CALLS, /* 4 bytes for each of HIERA_PLAN_SITES: the same for each call at a site */
    HIERA_PLAN_GATES, /* 4 bytes for each function: the same for each call of it; above 0 the original is executed */
    HIERA_PLAN_LOCALS
} HieraPlanLocal;
/* Calls in copies have sites, in turn: calls that take long are often not those that take short. */
enum { HIERA_PLAN_STARTS = 4, HIERA_PLAN_SITES = 16 };

typedef struct HieraPlanFixup {
    uint32_t kind, at, end;
    int32_t target;
} HieraPlanFixup;

/* n bytes of the file at `offset`, which were copied to `copy` in the area; instructions that were added behind them
 * belong to them. */
typedef struct HieraPlanPlace {
    uint32_t copy, offset, n;
} HieraPlanPlace;

/* Kinds of events that the copy of a function reports. */
typedef enum HieraPlanEvent {
    HIERA_PLAN_FUNCTION_IN,
    HIERA_PLAN_FUNCTION_OUT,
    HIERA_PLAN_CALL, /* the function calls another function; `number` of the event is that of the caller */
    HIERA_PLAN_BACK, /* a function called by the function has returned */
    HIERA_PLAN_LOOP_IN,
    HIERA_PLAN_LOOP_OUT,
    HIERA_PLAN_LOOP_DUE,  /* as HIERA_PLAN_LOOP_IN, of an execution that HIERA_PLAN_DOWN has counted: it is to be timed
                           */
    HIERA_PLAN_LOOP_HERE, /* the loop begins, unless it is being executed; no execution of it is counted elsewhere */
    HIERA_PLAN_EVENTS
} HieraPlanEvent;

/* The event of a call has its site, times HIERA_PLAN_SITE, in its number beside that of the function, which is less. */
enum { HIERA_PLAN_SITE = 256 };

/* An event as one number. The collector gives functions and loops new numbers, so that events of several plans differ.
 */
static inline uint32_t hiera_plan_event(HieraPlanEvent kind, uint32_t number)
{
    return number * HIERA_PLAN_EVENTS + kind;
}

#endif
