! Buffers that are longer than their variables, from Fortran, each with a corrected twin. The case reads from this file which
! lines must have a finding: WRONG, severity, what it says. No other line may have one. Nothing is sent to anybody, so that
! whatever an MPI does here harms nobody.
program sizes
#include "fortran_head.h"
  integer :: fixed(4), common_values(3)
  double precision :: grid(2, 3)
  common /shared/ common_values
  fixed = 0
  grid = 0
  common_values = 0
  call mpi_init(ierr)
  call mpi_bcast(fixed, 4, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
  call mpi_bcast(fixed, 5, MPI_INTEGER, 0, MPI_COMM_SELF, ierr) ! WRONG error is read for 20 bytes, 4 of them beyond the variable fixed
  call mpi_bcast(fixed(3), 2, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
  call mpi_bcast(fixed(3), 3, MPI_INTEGER, 0, MPI_COMM_SELF, ierr) ! WRONG error is read for 12 bytes, 4 of them beyond the variable fixed
  call mpi_bcast(grid, 6, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr)
  call mpi_bcast(grid, 7, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr) ! WRONG error 8 of them beyond the variable grid
  call mpi_bcast(grid(1, 3), 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr)
  call mpi_bcast(common_values, 3, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
  call mpi_bcast(common_values, 4, MPI_INTEGER, 0, MPI_COMM_SELF, ierr) ! WRONG error beyond the variable
  call on_the_stack(4)
  call mpi_finalize(ierr)
contains
  recursive subroutine on_the_stack(n)
    integer, intent(in) :: n
    integer :: own(4), of_length(n)
    integer, allocatable :: heap(:)
    own = n
    of_length = n
    allocate (heap(n))
    heap = n
    call mpi_bcast(own, 4, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
    call mpi_bcast(own, 6, MPI_INTEGER, 0, MPI_COMM_SELF, ierr) ! WRONG error 8 of them beyond the variable own
    call mpi_bcast(of_length, n, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
    call mpi_bcast(heap, n, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
    call mpi_bcast(heap, n + 1, MPI_INTEGER, 0, MPI_COMM_SELF, ierr) ! WRONG error 4 of them beyond the allocated block of 16 bytes
    call mpi_bcast(own, 4, MPI_REAL, 0, MPI_COMM_SELF, ierr) ! WRONG note the variable own has
    deallocate (heap)
  end subroutine
end program
