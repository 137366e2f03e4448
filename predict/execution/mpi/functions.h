/* The functions of MPI: what they are in the simulation, and which of their arguments is what. The parameters come from
 * collector/mpi/generate/functions.table. */
#ifndef HIERA_EXECUTION_MPI_FUNCTIONS_H
#define HIERA_EXECUTION_MPI_FUNCTIONS_H

#include "mpi_parameters.h"
#include "simulator/simulator.h"

/* Names of parameters, as in functions.table: HIERA_P_COUNT. */
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
    HIERA_WIDTH_BUFFER, /* an address of the program's memory */
    HIERA_WIDTH_TEXT,
    HIERA_WIDTH_STATUS,
    HIERA_WIDTH_OTHER
} HieraMpiWidth;

/* How long an array is: */
typedef enum {
    HIERA_SPAN_NAMED,   /* a parameter says it */
    HIERA_SPAN_MEMBERS, /* as many as ranks that it talks to by the communicator */
    HIERA_SPAN_OWN_MEMBERS,
    HIERA_SPAN_SOURCES, /* neighbours */
    HIERA_SPAN_DESTINATIONS,
    HIERA_SPAN_OTHER
} HieraMpiSpan;

/* What a trace has of a parameter (docs/format.md). */
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

/* At which ranks of a rooted collective an argument counts. */
typedef enum { HIERA_ROLE_ALL, HIERA_ROLE_ROOT, HIERA_ROLE_MEMBERS, HIERA_ROLE_BOTH } HieraMpiRole;

typedef struct {
    guint16 name;      /* HieraMpiName */
    guint8 direction;  /* HieraMpiDirection */
    guint8 width;      /* HieraMpiWidth; of an element, if it is an array */
    guint16 length;    /* of an array: the parameter that says it, HIERA_P_NONE if there is none */
    guint8 n_elements; /* for each of these; 0: it is no array */
    guint8 span;       /* HieraMpiSpan; of an array */
    guint8 traced;     /* HieraMpiTraced */
    guint8 role;       /* HieraMpiRole */
    guint16 flag;      /* it counts only if this parameter is true after the call; HIERA_P_NONE: always */
    const char *class; /* of a handle: as names of those begin that the program makes */
} HieraMpiParameter;

typedef struct HieraWorld HieraWorld;
/* What a rank does that comes to a call, or that leaves it. */
typedef void (*HieraMpiWork)(HieraWorld *world, guint32 rank);

/* How a request comes to be. */
typedef enum { HIERA_MPI_BLOCKS, HIERA_MPI_MAKES_REQUEST, HIERA_MPI_PERSISTENT } HieraMpiStart;

typedef struct {
    const char *name;            /* without MPI_, in lower case */
    const char *operation;       /* its name in traces */
    const char *kind, *group;    /* as in functions.table, */
    const char *sent, *received; /* and its expressions of bytes; "": none */
    const char *in_place;        /* "sendbuf" or "recvbuf": it may be MPI_IN_PLACE; "": none */
    const HieraMpiParameter *parameters;
    guint n_parameters;
    HieraMpiWork begin, end; /* NULL: nothing */
    guint8 detail;           /* what `begin` takes it for: HieraSimMode, HieraSimUntil, HieraSimCollective, … */
    HieraMpiStart start;
} HieraMpiFunction;

/* Those that were looked for; see hiera_mpi_function. */
typedef struct {
    GHashTable *by_name;   /* name in lower case → HieraMpiFunction, owned */
    GHashTable *by_called; /* name as it is called → the same */
} HieraMpiFunctions;

#endif
