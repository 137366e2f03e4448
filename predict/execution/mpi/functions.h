/* MPI functions: their meaning in the simulation, and the meaning of their arguments. The parameters come from
 * collector/mpi/generate/functions.table. */
#pragma once

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

/* Length of an array: */
typedef enum {
    HIERA_SPAN_NAMED,   /* given by another parameter */
    HIERA_SPAN_MEMBERS, /* number of ranks that are reached through the communicator */
    HIERA_SPAN_OWN_MEMBERS,
    HIERA_SPAN_SOURCES, /* number of neighbours */
    HIERA_SPAN_DESTINATIONS,
    HIERA_SPAN_OTHER
} HieraMpiSpan;

/* Kind of attribute that a trace has for a parameter (docs/format.md). */
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

/* Ranks of a rooted collective at which an argument is significant. */
typedef enum { HIERA_ROLE_ALL, HIERA_ROLE_ROOT, HIERA_ROLE_MEMBERS, HIERA_ROLE_BOTH } HieraMpiRole;

typedef struct {
    guint16 name;      /* HieraMpiName */
    guint8 direction;  /* HieraMpiDirection */
    guint8 width;      /* HieraMpiWidth of the parameter, or of an element of an array */
    guint16 length;    /* array: parameter that gives the length, HIERA_P_NONE if there is none */
    guint8 n_elements; /* array: number of elements for each unit of the length; 0: no array */
    guint8 span;       /* array: HieraMpiSpan */
    guint8 traced;     /* HieraMpiTraced */
    guint8 role;       /* HieraMpiRole */
    guint16 flag;      /* the parameter is valid only if this parameter is true after the call; HIERA_P_NONE: always */
    const char *class; /* handle: prefix of the names of handles that the program makes */
} HieraMpiParameter;

typedef struct HieraWorld HieraWorld;
/* Action of a rank at the begin or end of a call. */
typedef void (*HieraMpiWork)(HieraWorld *world, guint32 rank);

/* Relation of a call to requests. */
typedef enum { HIERA_MPI_BLOCKS, HIERA_MPI_MAKES_REQUEST, HIERA_MPI_PERSISTENT } HieraMpiStart;

typedef struct {
    const char *name;            /* name without MPI_, in lower case */
    const char *operation;       /* name of the operation in traces */
    const char *kind, *group;    /* as in functions.table */
    const char *sent, *received; /* expressions sent= and received= of functions.table, numbers of bytes; "": none */
    const char *in_place;        /* "sendbuf" or "recvbuf", the argument that may be MPI_IN_PLACE; "": none */
    const HieraMpiParameter *parameters;
    guint n_parameters;
    HieraMpiWork begin, end; /* actions; NULL: none */
    guint8 detail;           /* variant for `begin`: HieraSimMode, HieraSimUntil, HieraSimCollective, … */
    HieraMpiStart start;
} HieraMpiFunction;

/* Functions that were looked up; see hiera_mpi_function. */
typedef struct {
    GHashTable *by_name;   /* name in lower case → HieraMpiFunction, owned */
    GHashTable *by_called; /* name in the call → the same function */
} HieraMpiFunctions;
