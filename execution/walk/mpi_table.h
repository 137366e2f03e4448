/* Which arguments of MPI functions say what. See mpi_calls.h. */
#ifndef HIERA_EXECUTION_MPI_TABLE_H
#define HIERA_EXECUTION_MPI_TABLE_H

#include "simulator/simulator.h"

typedef enum {
    HIERA_MPI_LOCAL, /* no other rank is touched, and nothing is known of what it does */
    HIERA_MPI_SEND,
    HIERA_MPI_RECEIVE,
    HIERA_MPI_EXCHANGE, /* a send and a receive */
    HIERA_MPI_START,    /* persistent requests */
    HIERA_MPI_WAIT,
    HIERA_MPI_COLLECTIVE,
    HIERA_MPI_RANK,
    HIERA_MPI_SIZE,
    HIERA_MPI_DUPLICATE,
    HIERA_MPI_SPLIT,
    HIERA_MPI_CART_CREATE,
    HIERA_MPI_CART_SHIFT,
    HIERA_MPI_CART_COORDS,
    HIERA_MPI_CART_RANK,
    HIERA_MPI_DIMS_CREATE,
    HIERA_MPI_TYPE, /* a new type of `count` old ones */
    HIERA_MPI_TYPE_SIZE,
    HIERA_MPI_GET_COUNT,
    HIERA_MPI_FINALIZE,
    HIERA_MPI_ABORT
} HieraMpiKind;

/* Places of arguments, from 0; -1: it has none. */
typedef struct {
    const char *name; /* without MPI_ */
    guint8 kind;      /* HieraMpiKind */
    guint8 detail;    /* SEND: HieraSimMode; WAIT: HieraSimUntil; COLLECTIVE: HieraSimCollective */
    gint8 buffer, count, type, peer, tag, communicator;
    gint8 request;                                   /* or an array of them, with `count` */
    gint8 to, to_count, to_type, source, source_tag; /* EXCHANGE, COLLECTIVE: where the data go */
    gint8 status;
    gboolean persistent;
} HieraMpiFunction;

/* Return the row of a function; one of HIERA_MPI_LOCAL for those that are not in the table.
 * @param name     as it is called: MPI_Send, PMPI_Send, mpi_send_
 * @param fortran  set if all arguments are passed by reference */
const HieraMpiFunction *hiera_mpi_function(const char *name, gboolean *fortran);

/* Whether a function that has no row of its own touches other ranks, so that the prediction leaves something out. */
gboolean hiera_mpi_is_left_out(const char *name);

#endif
