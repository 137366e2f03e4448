/* MPI functions: their meaning in the simulation, and the meaning of their arguments. The parameters come from
 * collector/mpi/generate/functions.table. */
#pragma once

#include "mpi_parameters.h"
#include "simulator/simulator.h"

/* Names of all parameters in functions.table, like HIERA_P_COUNT for `count`. */
typedef enum {
#define X(identifier, name) HIERA_P_##identifier,
    HIERA_MPI_NAMES(X)
#undef X
        HIERA_P_NONE
} HieraMpiName;

typedef enum {
    HIERA_DIRECTION_VALUE,
    HIERA_DIRECTION_IN,
    HIERA_DIRECTION_OUT,
    HIERA_DIRECTION_INOUT
} HieraMpiDirection;

typedef enum {
    HIERA_WIDTH_INTEGER,
    HIERA_WIDTH_LONG,
    HIERA_WIDTH_DOUBLE,
    HIERA_WIDTH_HANDLE,
    HIERA_WIDTH_BUFFER, /* address of data in the program's memory */
    HIERA_WIDTH_TEXT,
    HIERA_WIDTH_STATUS,
    HIERA_WIDTH_OTHER
} HieraMpiWidth;

/* What gives the number of elements of an array argument. */
typedef enum {
    HIERA_SPAN_NAMED,   /* another parameter of the call, `length` */
    HIERA_SPAN_MEMBERS, /* the number of ranks to which members of the communicator can send */
    HIERA_SPAN_OWN_MEMBERS,
    HIERA_SPAN_SOURCES, /* the number of neighbours from which the caller receives */
    HIERA_SPAN_DESTINATIONS,
    HIERA_SPAN_OTHER
} HieraMpiSpan;

/* Kind of attribute by which a trace shows a parameter (docs/format.md). */
typedef enum {
    HIERA_TRACED_NOT,
    HIERA_TRACED_INTEGER,
    HIERA_TRACED_RANK,
    HIERA_TRACED_TAG,
    HIERA_TRACED_COLOR,
    HIERA_TRACED_TEXT,
    HIERA_TRACED_HANDLE,
    HIERA_TRACED_REQUEST
} HieraMpiTraced;

/* At which ranks an argument of a rooted collective is significant: all; the root; members; both (no MPI_PROC_NULL). */
typedef enum { HIERA_ROLE_ALL, HIERA_ROLE_ROOT, HIERA_ROLE_MEMBERS, HIERA_ROLE_BOTH } HieraMpiRole;

typedef struct {
    guint16 name;      /* name of the parameter: a HieraMpiName */
    guint8 direction;  /* whether the call reads or writes it: a HieraMpiDirection */
    guint8 width;      /* type of the parameter, or of an array's elements: a HieraMpiWidth */
    guint16 length;    /* of an array: HieraMpiName of the parameter that gives its length; HIERA_P_NONE: none does */
    guint8 n_elements; /* of an array: number of elements for each unit of its length; 0: the parameter is no array */
    guint8 span;       /* of an array: what gives its length, a HieraMpiSpan */
    guint8 traced;     /* how traces show the parameter: a HieraMpiTraced */
    guint8 role;       /* at which members of the communicator the parameter is significant: a HieraMpiRole */
    guint16 flag; /* HieraMpiName of the output that must be true for this parameter to be valid; HIERA_P_NONE: it is
                     always valid */
    const char *class; /* class of a handle ("comm", "dtype", …), with which names of handles begin; "": no handle */
} HieraMpiParameter;

typedef struct HieraWorld HieraWorld;
/* What the simulation does for a rank at the begin, or at the end, of a call. */
typedef void (*HieraMpiWork)(HieraWorld *world, guint32 rank);

/* How a call is executed: blocking, by a request that it starts, or by a persistent request that it only makes. */
typedef enum { HIERA_MPI_BLOCKS, HIERA_MPI_MAKES_REQUEST, HIERA_MPI_PERSISTENT } HieraMpiStart;

typedef struct {
    const char *name;            /* name of the MPI function without MPI_, in lower case */
    const char *operation;       /* name that traces use for the function */
    const char *kind, *group;    /* kind and group of the function in functions.table */
    const char *sent, *received; /* expressions of functions.table for bytes sent and received; "": none */
    const char *in_place; /* name of the buffer parameter that may be MPI_IN_PLACE, "sendbuf" or "recvbuf"; "": none */
    const HieraMpiParameter *parameters;
    guint n_parameters;
    HieraMpiWork begin, end; /* what is done at the begin and the end of a call; NULL: nothing */
    guint8 detail;           /* variant of what `begin` does: a HieraSimMode, HieraSimUntil, HieraSimCollective, … */
    HieraMpiStart start;
} HieraMpiFunction;

/* The functions that were looked up so far; see hiera_mpi_function(). */
typedef struct {
    GHashTable *by_name;   /* name of a function, in lower case → HieraMpiFunction, owned */
    GHashTable *by_called; /* name that a call uses, like mpi_send_ → HieraMpiFunction in `by_name` */
} HieraMpiFunctions;
