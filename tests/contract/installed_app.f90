! The Fortran example of the documents: a region with an MPI call.
program app
  use mpi_f08
  use hiera
  implicit none
  call mpi_init()
  call hiera_begin('app', 'work', 'n=1')
  call mpi_barrier(MPI_COMM_WORLD)
  call hiera_end()
  call mpi_finalize()
end program
