! What a program of the three bindings begins with. Results are elements of arrays, see ../expect/fortran_source.py.
#ifdef BINDING_mpi_f08
#define H(x) type(x)
#define ONE_STATUS type(MPI_Status)
#define STATUS(n) type(MPI_Status), dimension(n)
  use mpi_f08
#elif defined(BINDING_mpi)
  use mpi
#endif
  implicit none
#ifndef BINDING_mpi_f08
#define H(x) integer
#define ONE_STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUS(n) integer, dimension(MPI_STATUS_SIZE, n)
#endif
#ifdef BINDING_mpifh
  include 'mpif.h'
#endif
#define ierr e(1)
  integer :: e(1)
