/* Shared by the parts of the program. Expected answers are computed without OOPS. */
#ifndef OOPS_CHECKS_H
#define OOPS_CHECKS_H

#include "oops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int rank, size; /* of MPI_COMM_WORLD */

void expect(const char *file, int line, const char *what, double expected, double actual);

#define EXPECT(expected, actual) expect(__FILE__, __LINE__, #actual, (double)(expected), (double)(actual))
#define GOOD(call)               expect(__FILE__, __LINE__, #call, OOPS_SUCCESS, call)

/* oops_groups.c */
void check_collectives(OopsGroup *g);
void check_unequal_parts(OopsGroup *g);
void check_reductions(OopsGroup *g);
void check_messages(OopsGroup *g);
void check_parts(OopsGroup *g);
void check_teams(OopsGroup *g);

/* oops_topologies.c */
void check_delegation(OopsTopology *t);
void check_neighbours(OopsTopology *t, int rows, int cols, bool closed, int first, int last);
void check_line(OopsTopology *t, bool closed);
void check_grid_lines(OopsTopology *t, int rows, int cols, bool closed);
void check_lines(OopsGroup *g);

/* oops_vectors.c */
void check_vectors(OopsTopology *t);
void check_vector_ghosts(OopsTopology *t, bool closed);

/* oops_matrices.c */
void check_matrices(OopsTopology *t, bool closed, bool flat);

/* oops_errors.c */
void check_errors(OopsGroup *g);
void check_mpi_errors(OopsGroup *g);

#endif
