/* Names of MPI functions. Each function has two, MPI_X and PMPI_X, so that a tool can intercept it; Fortran has the
 * same in small letters, with its compiler's underscores at the end; MPICH has pmpir_x_f08_ for those of mpi_f08. */
#pragma once

#include <stdbool.h>

typedef struct HieraTwinName {
    char pmpi[96]; /* PMPI_X; the text from its second character on is MPI_X */
} HieraTwinName;

/* Write the names of an MPI function of hiera_mpi_calls. @return MPI_X, in `name` */
const char *hiera_mpi_name_of(unsigned call, HieraTwinName *name);

/* Write the PMPI twin of a name. @return the twin, in `name`; NULL: the name is too long */
const char *hiera_mpi_twin_of(const char *mpi, HieraTwinName *name);

/* Make the table for the next function. Called before the first call. */
void hiera_mpi_names_load(void);

/* Return the number of the MPI function that has this name of C, with or without P; hiera_mpi_call_count: none. */
unsigned hiera_mpi_call_of(const char *name);

/* Return MPI_X for PMPI_X, and any other name as it is. `room`: for MPI_X where the name does not end with it. */
const char *hiera_mpi_name_without_p(const char *name, HieraTwinName *room);

/* Whether a name is one of MPI, without P; whether it is a PMPI name; of C or Fortran. `unused`: for
 * hiera_symbols_ask(). */
bool hiera_mpi_is_name(const char *name, const void *unused);
bool hiera_mpi_is_twin(const char *name, const void *unused);

/* Whether a name, with or without P, is one of MPI in C. */
bool hiera_mpi_is_of_c(const char *name);
