/* The two ranks of which one is late, and the kinds of waiting: what late.c and late_calls.c share. */
#ifndef LATE_H
#define LATE_H

#include <mpi.h>

typedef enum { BLOCKING, NON_BLOCKING, PERSISTENT } LateMode;

typedef struct {
    MPI_Comm comm;         /* where the calls are */
    MPI_Comm world_of_two; /* the two ranks that take part */
    MPI_Comm grid;
    MPI_Win win;
    MPI_Group partner;
    LateMode mode;
    int role, other; /* 0 or 1; the rank of the partner in comm */
    int is_inter, is_late;
    int line; /* of the call that counts, and when this rank was ready for it */
    double ready_s;
} Late;

typedef struct {
    const char *name; /* of the class */
    void (*part)(void);
    LateMode last;           /* the last of the modes in which it exists */
    int late, late_in_inter; /* the role that is late */
    int is_collective, has_inter;
} LateKind;

extern Late late;
extern const LateKind late_kinds[]; /* until a name is NULL */

/* Before each kind: forget the call that counts. */
void late_begin(void);

#endif
